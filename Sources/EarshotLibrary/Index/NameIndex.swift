import EarshotMetadata

/// Names with the handles of what bears them, found by exact, folded and weaker keys and by their words.
///
/// One handle may bear several names. Names of the same exact key are kept once, however many bear them, and have a number by
/// which the other keys name them: a library of 100,000 titles has a million words.
struct NameIndex<Handle: Hashable & Comparable & Sendable>: Sendable {
    private struct Entry: Sendable {
        /// The first of the names; it shares its memory with whatever it is of.
        let name: String
        let exact: String
        let folded: String
        /// The bare keys where they differ from the folded one: those of names with one exact key may differ from each other, in
        /// the brackets about an addition.
        var bares: [String] = []
        var handles: Set<Handle>
    }

    private var entries: [Entry?] = []
    /// Numbers that are free again.
    private var free: [Int32] = []
    private var exact: [String: Int32] = [:]
    /// Names whose folded key is not the exact one.
    private var folded: [String: [Int32]] = [:]
    /// Names whose bare key is not the folded one.
    private var bare: [String: [Int32]] = [:]
    private var words: [String: [Int32]] = [:]

    mutating func insert(_ name: String, for handle: Handle) {
        let text = SearchText(name)
        guard !text.exact.isEmpty else { return }
        if let number = exact[text.exact] {
            entries[Int(number)]?.handles.insert(handle)
            enterBare(text, number)
            return
        }
        let entry = Entry(name: name, exact: text.exact, folded: text.folded, handles: [handle])
        let number: Int32
        if let last = free.popLast() {
            number = last
            entries[Int(number)] = entry
        } else {
            number = Int32(entries.count)
            entries.append(entry)
        }
        exact[text.exact] = number
        if text.folded != text.exact { folded[text.folded, default: []].append(number) }
        enterBare(text, number)
        for word in Set(text.tokens) { words[word, default: []].append(number) }
    }

    mutating func remove(_ name: String, for handle: Handle) {
        guard let number = exact[SearchText(name).exact], let entry = entries[Int(number)] else { return }
        entries[Int(number)]?.handles.remove(handle)
        guard entries[Int(number)]?.handles.isEmpty ?? false else { return }
        entries[Int(number)] = nil
        free.append(number)
        exact[entry.exact] = nil
        Self.take(number, from: &folded, entry.folded)
        for key in entry.bares { Self.take(number, from: &bare, key) }
        for word in Set(SearchText(entry.name).tokens) { Self.take(number, from: &words, word) }
    }

    private mutating func enterBare(_ text: SearchText, _ number: Int32) {
        guard text.bare != text.folded, entries[Int(number)]?.bares.contains(text.bare) == false else { return }
        entries[Int(number)]?.bares.append(text.bare)
        bare[text.bare, default: []].append(number)
    }

    private static func take(_ number: Int32, from map: inout [String: [Int32]], _ key: String) {
        map[key]?.removeAll { $0 == number }
        if map[key]?.isEmpty ?? false { map[key] = nil }
    }

    /// The names of a folded key.
    private func numbers(folded key: String) -> [Int32] {
        let plain = exact[key].flatMap { entries[Int($0)]?.folded == key ? $0 : nil }
        return (folded[key] ?? []) + (plain.map { [$0] } ?? [])
    }

    // MARK: - Finding

    /// What answers a query, with the best match of each handle.
    ///
    /// Names that are only similar are looked for where nothing else is found.
    func matches(_ query: SearchQuery) -> [Handle: NameMatch] {
        var found: [Handle: NameMatch] = [:]
        func add(_ number: Int32, _ match: NameMatch) {
            for handle in entries[Int(number)]?.handles ?? [] where match.score > found[handle]?.score ?? -1 {
                found[handle] = match
            }
        }
        let text = query.text
        guard !text.exact.isEmpty else { return [:] }
        if let number = exact[text.exact] { add(number, NameMatch(.exact)) }
        for number in numbers(folded: text.folded) { add(number, NameMatch(.folded)) }
        for number in bare[text.folded] ?? [] { add(number, NameMatch(.annotation)) }
        // What was said may have another addition, or one that the name lacks; then it is the weaker match.
        if text.bare != text.folded {
            for number in (bare[text.bare] ?? []) + numbers(folded: text.bare) {
                add(number, NameMatch(.annotation, coverage: 0))
            }
        }
        for reading in query.readings {
            for number in numbers(ofReading: reading) {
                guard let name = entries[Int(number)]?.folded else { continue }
                let coverage = Double(text.folded.utf8.count) / Double(max(1, name.utf8.count))
                let isBeginning = Self.begins(name, with: text.folded)
                add(number, NameMatch(isBeginning ? .beginning : .words, coverage: coverage))
            }
        }
        if found.isEmpty {
            for (number, entry) in entries.enumerated() {
                guard let entry else { continue }
                for key in [entry.folded] + entry.bares {
                    guard let similarity = Self.similarity(text.folded, key) else { continue }
                    let coverage = (similarity - Self.leastSimilarity) / (1 - Self.leastSimilarity)
                    add(Int32(number), NameMatch(.similar, coverage: coverage))
                }
            }
        }
        return found
    }

    /// The names that hold every word of a reading.
    private func numbers(ofReading terms: [SearchQuery.Term]) -> Set<Int32> {
        var lists: [[Int32]] = []
        for term in terms {
            for (place, token) in term.tokens.enumerated() {
                var numbers = words[token] ?? []
                if term.isPrefix, place == term.tokens.count - 1 {
                    for (word, more) in words where word != token && word.hasPrefix(token) { numbers += more }
                }
                if numbers.isEmpty { return [] }
                lists.append(numbers)
            }
        }
        // The rarest word first: what is left over is small from the start.
        lists.sort { $0.count < $1.count }
        guard let first = lists.first else { return [] }
        var rest = Set(first)
        for list in lists.dropFirst() where !rest.isEmpty { rest = Set(list.lazy.filter { rest.contains($0) }) }
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
