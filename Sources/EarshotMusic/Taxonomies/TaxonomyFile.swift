import EarshotCore

/// The contents of a taxonomy file, line for line, before the file that it extends is known. `Docs/formats/taxonomy.md`
/// describes the format.
struct TaxonomyFile {
    /// A line that is a node.
    struct Entry {
        var line: Int
        var depth: Int
        var node: Taxonomy.Node
    }

    static let magic = "earshot-taxonomy"
    static let formatVersion = "1"

    let source: Taxonomy.Source
    let kind: DescriptorKind
    let version: String
    let countries: [String]
    let extends: Bool
    let entries: [Entry]

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: All of it.
    ///   - name: The name of the file in errors.
    /// - Throws: `taxonomyInvalid` naming file and line.
    init(_ bytes: some Collection<UInt8>, name: String) throws(EarshotError) {
        let source = Taxonomy.Source(file: name)
        guard bytes.count <= Taxonomy.Limits.fileBytes else {
            throw source.fault("has \(bytes.count) bytes; the most is \(Taxonomy.Limits.fileBytes)")
        }
        var lines = Lines(Array(bytes), source: source)
        guard let (first, cells) = try lines.next(), cells == [Self.magic, Self.formatVersion] else {
            throw source.fault("does not begin with the line `\(Self.magic)`, a tab and `\(Self.formatVersion)`")
        }
        let header = try Header(&lines, after: first, source: source)
        self.source = source
        kind = header.kind
        version = header.version
        countries = header.countries
        extends = header.extends
        var entries: [Entry] = []
        while let (line, cells) = try lines.next() {
            guard entries.count < Taxonomy.Limits.nodes else {
                throw source.fault(line: line, "has more than \(Taxonomy.Limits.nodes) nodes; make it smaller")
            }
            entries.append(try Self.entry(cells, line: line, columns: header.columns, source: source))
        }
        self.entries = entries
    }

    private static func entry(
        _ cells: [String],
        line: Int,
        columns: [Header.Column],
        source: Taxonomy.Source
    ) throws(EarshotError) -> Entry {
        guard cells.count <= columns.count else {
            throw source.fault(line: line, "has \(cells.count) cells for \(columns.count) columns; take out tabs")
        }
        let spaces = cells[0].prefix { $0 == " " }.count
        guard spaces.isMultiple(of: 2) else {
            throw source.fault(line: line, "is indented by \(spaces) spaces; use two for each level")
        }
        var node = Taxonomy.Node(id: trimmed(cells[0]), names: [:])
        guard Taxonomy.isIdentifier(node.id) else {
            throw source.fault(
                line: line,
                "the identifier `\(node.id.prefix(80))` is not of 1 to \(Taxonomy.Limits.idBytes) letters, digits, -, _, . "
                    + "and : of ASCII; write it so"
            )
        }
        for (column, cell) in zip(columns, cells).dropFirst() {
            let text = trimmed(cell)
            guard !text.isEmpty else { continue }
            switch column {
            case .id: break
            case .language(let language): node.names[language] = text
            case .aliases: node.aliases = list(text)
            case .standsFor: node.standsFor = list(text)
            case .range:
                guard let range = TaxonomyRange.parse(text) else {
                    throw source.fault(line: line, "the range `\(text.prefix(40))` is not like 60-76, -60 or 200-")
                }
                node.range = range
            }
        }
        // `=` says on purpose that a language uses the English name.
        for (language, name) in node.names where name == "=" {
            guard let english = node.names[Taxonomy.defaultLanguage], english != "=" else {
                throw source.fault(line: line, "`=` stands for an English name that is not there; write the name")
            }
            node.names[language] = english
        }
        return Entry(line: line, depth: spaces / 2, node: node)
    }

    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    static func list(_ text: String) -> [String] {
        text.split(separator: ";").map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }
}

extension TaxonomyFile {
    /// The lines that say something, one after another, as cells.
    struct Lines {
        private let bytes: [UInt8]
        private let source: Taxonomy.Source
        private var position = 0
        private var line = 0

        init(_ bytes: [UInt8], source: Taxonomy.Source) {
            self.bytes = bytes
            self.source = source
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        }

        /// The next line that is neither empty nor a comment, and its number.
        mutating func next() throws(EarshotError) -> (line: Int, cells: [String])? {
            while position < bytes.count {
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                var content = bytes[position..<end]
                position = end + 1
                line += 1
                if content.last == UInt8(ascii: "\r") { content.removeLast() }
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw source.fault(line: line, "is not UTF-8; save the file in UTF-8")
                }
                guard !text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }),
                    text.utf8.first != UInt8(ascii: "#")
                else { continue }
                // By bytes: a tab that a combining mark follows is one character with it.
                let cells = content.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                return (line, cells.map { String(decoding: $0, as: UTF8.self) })
            }
            return nil
        }
    }
}
