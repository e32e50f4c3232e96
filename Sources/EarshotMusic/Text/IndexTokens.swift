/// Cuts keys into the tokens of an index.
enum IndexTokens {
    /// A word of a key.
    enum Word {
        /// A word of a script with spaces.
        case plain(Substring)
        /// A run of a script without: its characters, each with the marks on it.
        case run([Substring])
    }

    static func tokens(folded: String, spelled: String) -> [String] {
        var tokens: [String] = []
        var ends: [String] = []
        var previous: Substring?
        for word in words(of: folded) {
            switch word {
            case .plain(let text):
                tokens.append(String(text))
                previous = nil
            case .run(let characters):
                guard let first = characters.first, let last = characters.last else { continue }
                if let previous { tokens.append(String(previous + first)) }
                tokens.append(contentsOf: pairs(characters))
                if characters.count > 1 { ends.append(String(last)) }
                previous = last
            }
        }
        guard spelled != folded else { return tokens + ends }
        var present = Set(tokens)
        for case .plain(let text) in words(of: spelled) where present.insert(String(text)).inserted {
            ends.append(String(text))
        }
        return tokens + ends
    }

    /// Overlapping pairs of characters; the character itself when there is one only.
    static func pairs(_ characters: [Substring]) -> [String] {
        guard characters.count > 1 else { return characters.map { String($0) } }
        return zip(characters, characters.dropFirst()).map { first, second in
            // Both are parts of one text.
            String(Substring(first.base.utf8[first.startIndex..<second.endIndex]))
        }
    }

    /// The words of a key.
    static func words(of key: String) -> [Word] {
        key.utf8.split(separator: 0x20).map { bytes in
            let word = Substring(bytes)
            guard (bytes.first ?? 0) >= 0xE1, let first = word.unicodeScalars.first else { return .plain(word) }
            switch ScalarTable.shared.kind(first.value) {
            case .ideograph, .kana: return .run(characters(word))
            default: return .plain(word)
            }
        }
    }

    private static func characters(_ word: Substring) -> [Substring] {
        let table = ScalarTable.shared
        let scalars = word.unicodeScalars
        var found: [Substring] = []
        var start = scalars.startIndex
        var index = start
        while index < scalars.endIndex {
            if index > start, table.kind(scalars[index].value) != .mark {
                found.append(Substring(scalars[start..<index]))
                start = index
            }
            index = scalars.index(after: index)
        }
        if start < scalars.endIndex { found.append(Substring(scalars[start...])) }
        return found
    }
}
