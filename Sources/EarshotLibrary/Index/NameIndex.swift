import EarshotMetadata

/// Names with the handles of what bears them, found by exact, folded and weaker keys and by their words.
///
/// One handle may bear several names. Names of the same keys are kept once, however many bear them.
struct NameIndex<Handle: Hashable & Comparable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var text: SearchText
        /// The bare keys: those of names with one exact key may differ, in the brackets about an addition.
        var bares: Set<String>
        var handles: Set<Handle>
    }

    /// The names by their exact keys.
    private var entries: [String: Entry] = [:]
    /// The exact keys of names by their folded keys, their bare keys and their words.
    private var folded: [String: Set<String>] = [:]
    private var bare: [String: Set<String>] = [:]
    private var words: [String: Set<String>] = [:]

    /// How many names there are.
    var count: Int { entries.count }

    mutating func insert(_ name: String, for handle: Handle) {
        let text = SearchText(name)
        let key = text.exact
        guard !key.isEmpty else { return }
        if entries[key] != nil {
            entries[key]?.handles.insert(handle)
            entries[key]?.bares.insert(text.bare)
            bare[text.bare, default: []].insert(key)
            return
        }
        entries[key] = Entry(text: text, bares: [text.bare], handles: [handle])
        folded[text.folded, default: []].insert(key)
        bare[text.bare, default: []].insert(key)
        for word in Set(text.tokens) { words[word, default: []].insert(key) }
    }

    mutating func remove(_ name: String, for handle: Handle) {
        let key = SearchText(name).exact
        guard let entry = entries[key] else { return }
        entries[key]?.handles.remove(handle)
        guard entries[key]?.handles.isEmpty ?? false else { return }
        entries[key] = nil
        Self.take(key, from: &folded, entry.text.folded)
        for place in entry.bares { Self.take(key, from: &bare, place) }
        for word in Set(entry.text.tokens) { Self.take(key, from: &words, word) }
    }

    private static func take(_ key: String, from map: inout [String: Set<String>], _ place: String) {
        map[place]?.remove(key)
        if map[place]?.isEmpty ?? false { map[place] = nil }
    }

    // MARK: - Finding

    /// What answers a query, with the best match of each handle.
    ///
    /// Names that are only similar are looked for where nothing else is found.
    func matches(_ query: SearchQuery) -> [Handle: NameMatch] {
        var found: [Handle: NameMatch] = [:]
        func add(_ key: String, _ match: NameMatch) {
            for handle in entries[key]?.handles ?? [] where match.score > found[handle]?.score ?? -1 {
                found[handle] = match
            }
        }
        let text = query.text
        guard !text.exact.isEmpty else { return [:] }
        add(text.exact, NameMatch(.exact))
        for key in folded[text.folded] ?? [] { add(key, NameMatch(.folded)) }
        // What was said may have the addition too, or another one; then it is the weaker match.
        for key in bare[text.folded] ?? [] { add(key, NameMatch(.annotation)) }
        for key in bare[text.bare] ?? [] { add(key, NameMatch(.annotation, coverage: 0)) }
        for reading in query.readings {
            for key in keys(ofReading: reading) {
                guard let name = entries[key]?.text else { continue }
                let coverage = Double(text.folded.utf8.count) / Double(max(1, name.folded.utf8.count))
                let isBeginning = Self.begins(name.folded, with: text.folded)
                add(key, NameMatch(isBeginning ? .beginning : .words, coverage: coverage))
            }
        }
        if found.isEmpty {
            for (key, entry) in entries {
                guard let similarity = Self.similarity(text.folded, entry.text.bare) else { continue }
                add(
                    key,
                    NameMatch(.similar, coverage: (similarity - Self.leastSimilarity) / (1 - Self.leastSimilarity))
                )
            }
        }
        return found
    }

    /// The names that hold every word of a reading.
    private func keys(ofReading terms: [SearchQuery.Term]) -> Set<String> {
        var sets: [Set<String>] = []
        for term in terms {
            for (place, token) in term.tokens.enumerated() {
                var keys = words[token] ?? []
                if term.isPrefix, place == term.tokens.count - 1 {
                    for (word, more) in words where word.hasPrefix(token) { keys.formUnion(more) }
                }
                if keys.isEmpty { return [] }
                sets.append(keys)
            }
        }
        // The rarest word first: what is left over is small from the start.
        sets.sort { $0.count < $1.count }
        guard var rest = sets.first else { return [] }
        for set in sets.dropFirst() where !rest.isEmpty { rest.formIntersection(set) }
        return rest
    }

    /// Whether a key begins with another one, in whole words where these are parted by spaces.
    private static func begins(_ name: String, with beginning: String) -> Bool {
        guard name.utf8.starts(with: beginning.utf8) else { return false }
        let rest = name.utf8.dropFirst(beginning.utf8.count).first
        return rest == nil || rest == 0x20 || (beginning.utf8.last ?? 0) >= 0x80
    }

    private static var leastSimilarity: Double { 0.88 }

    private static func similarity(_ left: String, _ right: String) -> Double? {
        let (short, long) = (min(left.utf8.count, right.utf8.count), max(left.utf8.count, right.utf8.count))
        // Short names are like many others; names of very different lengths are not alike.
        guard short >= 4, long <= short + max(2, short / 4) else { return nil }
        let similarity = TextSimilarity.jaroWinkler(left, right)
        return similarity >= leastSimilarity ? similarity : nil
    }
}
