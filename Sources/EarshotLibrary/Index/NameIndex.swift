import EarshotMusic

/// Names with the handles of what bears them, found by exact, folded and weaker keys and by their words.
///
/// One handle may bear several names. Names of the same exact key are kept once, however many bear them. Keys and words are in one
/// pool, and lists go from their numbers to those of names: a library of 100,000 titles has a million words.
struct NameIndex: Sendable {
    private var texts = TextPool()
    private var lists = LinkedLists()

    // By the number of a text: the name of which it is the exact key, and lists of the names of which it is a folded key that is
    // not the exact one, a bare key that is not the folded one, and a word.
    private var exact: [Int32] = []
    private var folded: [Int32] = []
    private var bare: [Int32] = []
    private var words: [Int32] = []

    // By the number of a name: its keys, and lists of its bare keys and of what bears it. The bare keys of names with one exact key
    // may differ from each other, in the brackets about an addition. A handle stands there as often as it was given.
    private var exactKeys: [Int32] = []
    private var foldedKeys: [Int32] = []
    private var bareKeys: [Int32] = []
    private var handles: [Int32] = []

    /// The name of each spelling, by its number in the caller's pool; -2 for one of which nothing can be seen.
    private var ofSpelling: [Int32] = []

    /// Takes a handle under a name.
    ///
    /// - Parameters:
    ///   - spelling: The number of the name in a pool.
    ///   - pool: The pool of the spelling, always the same.
    ///   - handle: The handle that has the name.
    mutating func insert(_ spelling: Int32, in pool: TextPool, for handle: Int32) {
        var name = ofSpelling[extending: spelling]
        if name == -1 {
            name = enter(SearchText(pool[spelling]))
            ofSpelling[extending: spelling] = name
        }
        if name >= 0 { lists.insert(handle, into: &handles[Int(name)]) }
    }

    /// Gives up a handle under a name, once.
    mutating func remove(_ spelling: Int32, for handle: Int32) {
        let name = ofSpelling[extending: spelling]
        if name >= 0 { lists.remove(handle, from: &handles[Int(name)]) }
    }

    private mutating func enter(_ text: SearchText) -> Int32 {
        guard !text.exact.isEmpty else { return -2 }
        let key = texts.number(of: text.exact)
        var name = exact[extending: key]
        if name < 0 {
            name = Int32(exactKeys.count)
            exact[extending: key] = name
            exactKeys.append(key)
            foldedKeys.append(texts.number(of: text.folded))
            bareKeys.append(-1)
            handles.append(-1)
            if text.folded != text.exact { lists.insert(name, into: &folded, at: foldedKeys[Int(name)]) }
            for word in Set(text.tokens) { lists.insert(name, into: &words, at: texts.number(of: word)) }
        }
        guard text.bare != text.folded else { return name }
        let bareKey = texts.number(of: text.bare)
        guard !lists.contains(bareKey, from: bareKeys[Int(name)]) else { return name }
        lists.insert(bareKey, into: &bareKeys[Int(name)])
        lists.insert(name, into: &bare, at: bareKey)
        return name
    }

    /// The names that a text leads to.
    private func names(_ map: [Int32], _ text: String) -> [Int32] {
        texts.find(text).map { lists.values(from: map[extending: $0]) } ?? []
    }

    /// The names of a folded key.
    private func names(folded key: String) -> [Int32] {
        guard let number = texts.find(key) else { return [] }
        let plain = exact[extending: number]
        let isPlain = plain >= 0 && foldedKeys[Int(plain)] == number
        return lists.values(from: folded[extending: number]) + (isPlain ? [plain] : [])
    }

    // MARK: - Finding

    /// Returns the best match of each handle whose names answer a query.
    ///
    /// Names that are only similar are looked for if nothing else is found.
    func matches(_ query: SearchQuery) -> [Int32: NameMatch] {
        var found: [Int32: NameMatch] = [:]
        func add(_ name: Int32, _ match: NameMatch) {
            lists.forEach(from: handles[Int(name)]) { handle in
                if match.score > found[handle]?.score ?? -1 { found[handle] = match }
            }
        }
        let text = query.text
        guard !text.exact.isEmpty else { return [:] }
        if let key = texts.find(text.exact), exact[extending: key] >= 0 {
            add(exact[extending: key], NameMatch(.exact))
        }
        for name in names(folded: text.folded) { add(name, NameMatch(.folded)) }
        for name in names(bare, text.folded) { add(name, NameMatch(.annotation)) }
        // What was said may have another addition, or one that the name lacks; then it is the weaker match.
        if text.bare != text.folded {
            for name in names(bare, text.bare) + names(folded: text.bare) {
                add(name, NameMatch(.annotation, coverage: 0))
            }
        }
        for reading in query.readings {
            for name in names(ofReading: reading) {
                let key = texts[foldedKeys[Int(name)]]
                let coverage = Double(text.folded.utf8.count) / Double(max(1, key.utf8.count))
                let isBeginning = Self.begins(key, with: text.folded)
                add(name, NameMatch(isBeginning ? .beginning : .words, coverage: coverage))
            }
        }
        if found.isEmpty {
            for name in handles.indices where handles[name] >= 0 {
                for key in [foldedKeys[name]] + lists.values(from: bareKeys[name]) {
                    // The sizes rule most names out before anything of them is looked at.
                    guard Self.mayBeSimilar(text.folded.utf8.count, texts.size(of: key)),
                        let similarity = Self.similarity(text.folded, texts[key])
                    else { continue }
                    let coverage = (similarity - Self.leastSimilarity) / (1 - Self.leastSimilarity)
                    add(Int32(name), NameMatch(.similar, coverage: coverage))
                }
            }
            for reading in query.readings {
                for name in names(ofMistypedReading: reading) {
                    let size = texts.size(of: foldedKeys[Int(name)])
                    let coverage = Double(text.folded.utf8.count) / Double(max(1, size, text.folded.utf8.count))
                    add(name, NameMatch(.similar, coverage: coverage))
                }
            }
        }
        return found
    }

    /// The names that hold every word of a reading.
    private func names(ofReading terms: [SearchQuery.Term]) -> Set<Int32> {
        var found: [[Int32]] = []
        for term in terms {
            for (place, token) in term.tokens.enumerated() {
                var names = self.names(words, token)
                if term.isPrefix, place == term.tokens.count - 1 {
                    let prefix = Array(token.utf8)
                    for text in words.indices where words[text] >= 0 && texts.size(of: Int32(text)) > prefix.count {
                        if texts.hasPrefix(Int32(text), prefix) { names += lists.values(from: words[text]) }
                    }
                }
                if names.isEmpty { return [] }
                found.append(names)
            }
        }
        // The rarest word first: what is left over is small from the start.
        found.sort { $0.count < $1.count }
        guard let first = found.first else { return [] }
        var rest = Set(first)
        for names in found.dropFirst() where !rest.isEmpty { rest = Set(names.lazy.filter { rest.contains($0) }) }
        return rest
    }

    /// The names that hold every word of a reading but one, and a word that is like this one.
    ///
    /// One pass over the words of the index at most, and one over the names that hold the other words.
    private func names(ofMistypedReading terms: [SearchQuery.Term]) -> Set<Int32> {
        // Scripts without spaces have no words to compare.
        guard terms.allSatisfy({ $0.tokens.count == 1 }) else { return [] }
        let words = terms.flatMap(\.tokens)
        let known = words.map { Set(names(self.words, $0)) }
        var found: Set<Int32> = []
        for (place, word) in words.enumerated() {
            let likeness = WordLikeness(word)
            guard likeness.isForgiving else { continue }
            let others = known.indices.filter { $0 != place }.sorted { known[$0].count < known[$1].count }
            guard let rarest = others.first else {
                for number in self.words.indices where self.words[number] >= 0 {
                    guard likeness.isLike(WordLikeness(texts[Int32(number)])) else { continue }
                    found.formUnion(lists.values(from: self.words[number]))
                }
                continue
            }
            let rest = others.dropFirst().reduce(known[rarest]) { $0.intersection(known[$1]) }
            for name in rest where !found.contains(name) {
                let isThere = texts[foldedKeys[Int(name)]].split(separator: " ").contains {
                    likeness.isLike(WordLikeness($0))
                }
                if isThere { found.insert(name) }
            }
        }
        return found
    }

    /// Returns `true` if a key begins with another one, in whole words where these are parted by spaces.
    private static func begins(_ name: String, with beginning: String) -> Bool {
        guard name.utf8.starts(with: beginning.utf8) else { return false }
        let rest = name.utf8.dropFirst(beginning.utf8.count).first
        return rest == nil || rest == 0x20 || (beginning.utf8.last ?? 0) >= 0x80
    }

    private static var leastSimilarity: Double { 0.88 }

    /// Short names are like many others; names of very different sizes are not alike.
    private static func mayBeSimilar(_ left: Int, _ right: Int) -> Bool {
        let (short, long) = (min(left, right), max(left, right))
        return short >= 4 && long <= short + max(2, short / 4)
    }

    private static func similarity(_ left: String, _ right: String) -> Double? {
        let similarity = TextSimilarity.jaroWinkler(left, right)
        return similarity >= leastSimilarity ? similarity : nil
    }
}
