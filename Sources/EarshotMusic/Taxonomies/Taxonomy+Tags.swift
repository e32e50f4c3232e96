import EarshotCore
import Foundation

extension Taxonomy {
    /// Returns the node that a free text in a tag of a file means; `nil` if none is known.
    ///
    /// An identifier, an alias or a name in any language is known whatever its case, accents, spaces and punctuation:
    /// `Hip-Hop`, `hip hop` and `HIPHOP` are one. `17`, `(17)` and `(17)Rock` are understood as ID3 means them. Of several
    /// values, `Jazz; Funk`, the first that is known counts; `Rap/Hip Hop` is tried as a whole and then in parts. Where
    /// nodes have ranges, a number finds the narrowest: `128 BPM`, `1994-05-01`.
    ///
    /// - Parameter tag: The text of the tag; one of more than 1,000 bytes has no node.
    public func node(matching tag: String) -> Node? {
        guard tag.utf8.count <= 1_000 else { return nil }
        let values = tag.split(whereSeparator: { ";\0\\".contains($0) })
        return values.lazy.compactMap { node(matchingValue: $0) }.first
    }

    private func node(matchingValue value: Substring) -> Node? {
        if let node = node(withKey: Self.tagKey(value)) { return node }
        // ID3v2.3: numbers in parentheses, then the same in words, which say more where they differ.
        var words = value.drop { $0 == " " }
        var numbers: [Substring] = []
        while words.first == "(", let end = words.firstIndex(of: ")") {
            numbers.append(words[words.index(after: words.startIndex)..<end])
            words = words[words.index(after: end)...]
        }
        if !numbers.isEmpty, numbers.allSatisfy({ $0.utf8.allSatisfy(TaxonomyRange.isDigit) }) {
            for text in [words] + numbers {
                if let node = node(withKey: Self.tagKey(text)) { return node }
            }
        }
        for part in value.split(whereSeparator: { "/,|>".contains($0) }) {
            if let node = node(withKey: Self.tagKey(part)) { return node }
        }
        // 128 BPM, 127.98, 1994-05-01, 1994.05.01.
        let digits = value.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        if let number = TaxonomyRange.number(digits) ?? TaxonomyRange.number(digits.prefix { $0 != "." }) {
            return node(containing: number)
        }
        return nil
    }

    /// Returns the form in which tags are compared: letters and digits, in lower case, without accents, and full width
    /// as half width.
    static func tagKey(_ text: some StringProtocol) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let folded = (isASCII ? String(text) : text.decomposedStringWithCompatibilityMapping).lowercased()
        var key = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars {
            switch scalar {
            case "&": key.append(contentsOf: "and".unicodeScalars)
            // Accents. The marks of kana stay: は and ば are two sounds.
            case "\u{300}"..."\u{36F}": continue
            case "\u{3099}", "\u{309A}": key.append(scalar)
            default:
                if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { key.append(scalar) }
            }
        }
        return String(key)
    }

    /// The nodes by what tags may say. What a file says explicitly goes before names, and English before other languages.
    static func tagTable(_ nodes: [Node], _ source: Source) throws(EarshotError) -> [String: Int] {
        var table: [String: Int] = [:]
        for (position, node) in nodes.enumerated() { table[tagKey(node.id)] = table[tagKey(node.id)] ?? position }
        for (position, node) in nodes.enumerated() {
            for alias in node.aliases {
                let key = tagKey(alias)
                guard !key.isEmpty else {
                    throw source.fault(node: node.id, "the alias \(alias) has no letter and no digit; take it out")
                }
                guard let other = table[key] else {
                    table[key] = position
                    continue
                }
                guard other == position else {
                    throw source.fault(
                        node: node.id,
                        "the alias \(alias) also means \(nodes[other].id); take it out of one of them"
                    )
                }
            }
        }
        func add(_ name: String, _ position: Int) {
            let key = tagKey(name)
            if !key.isEmpty, table[key] == nil { table[key] = position }
        }
        for (position, node) in nodes.enumerated() { add(node.name(inISO: nil), position) }
        for language in Set(nodes.flatMap(\.names.keys)).sorted() where language != defaultLanguage {
            for (position, node) in nodes.enumerated() {
                if let name = node.names[language] { add(name, position) }
            }
        }
        return table
    }
}
