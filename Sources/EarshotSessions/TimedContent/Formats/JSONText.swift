import EarshotCatalogs

/// A JSON document read with the lines of its values, so that an error can name one.
struct JSONText {
    /// How deep arrays and objects may be nested.
    static let maximumDepth = 64

    /// A value and the line on which it begins.
    struct Node {
        let line: Int
        let value: Value

        indirect enum Value {
            case null
            case plain(PropertyValue)
            case array([Node])
            case object([(name: String, node: Node)])
        }

        /// The value less its lines. Members that are null are left out.
        func property() throws(TimedContentFault) -> PropertyValue {
            switch value {
            case .null: throw TimedContentFault(line: line, "null stands where a value is needed: leave it out.")
            case .plain(let value): return value
            case .array(let nodes):
                var values: [PropertyValue] = []
                for node in nodes { values.append(try node.property()) }
                return .array(values)
            case .object(let nodes):
                // Inside this mark a dictionary is one, whatever its names are.
                if nodes.count == 1, nodes[0].name == "$dictionary", case .object(let inner) = nodes[0].node.value {
                    return .dictionary(try Self.members(inner))
                }
                return JSONTree.untagged(try Self.members(nodes))
            }
        }

        private static func members(
            _ nodes: [(name: String, node: Node)]
        ) throws(TimedContentFault) -> [String: PropertyValue] {
            var members: [String: PropertyValue] = [:]
            for (name, node) in nodes {
                if case .null = node.value { continue }
                members[name] = try node.property()
            }
            return members
        }

        /// The line of a value inside this one, or of what holds it.
        func line(at path: [PropertyReader.Step]) -> Int { node(at: path).line }

        /// A value inside this one, or what holds it.
        func node(at path: [PropertyReader.Step]) -> Node {
            var node = self
            for step in path {
                switch (step, node.value) {
                case (.name(let name), .object(let members)):
                    guard let next = members.last(where: { $0.name == name }) else { return node }
                    node = next.node
                case (.index(let index), .array(let nodes)):
                    guard nodes.indices.contains(index) else { return node }
                    node = nodes[index]
                default: return node
                }
            }
            return node
        }
    }

    /// Reads a whole document.
    static func read(_ text: String) throws(TimedContentFault) -> Node {
        var parser = JSONText(bytes: Array(text.utf8))
        let node = try parser.value(depth: 1)
        parser.skipBlanks()
        guard parser.place == parser.bytes.count else {
            throw parser.fault("something stands behind the end of the JSON document: take it away")
        }
        return node
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ what: String) -> TimedContentFault { TimedContentFault(line: line, "\(what).") }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A || (byte == 0x0D && !(place + 1 < bytes.count && bytes[place + 1] == 0x0A)) { line += 1 }
            place += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(TimedContentFault) -> Node {
        guard depth <= Self.maximumDepth else {
            throw fault("the JSON is nested deeper than 64 levels: make it flatter")
        }
        skipBlanks()
        let line = line
        switch next {
        case UInt8(ascii: "{"): return Node(line: line, value: .object(try members(depth: depth)))
        case UInt8(ascii: "["): return Node(line: line, value: .array(try elements(depth: depth)))
        case UInt8(ascii: "\""): return Node(line: line, value: .plain(.string(try string())))
        case nil: throw fault("the JSON ends too early: is the file whole?")
        default:
            let word = bytes[place...].prefix { $0 > 0x20 && !",]}:".utf8.contains($0) }
            place = word.endIndex
            switch String(decoding: word, as: UTF8.self) {
            case "null": return Node(line: line, value: .null)
            case "true": return Node(line: line, value: .plain(true))
            case "false": return Node(line: line, value: .plain(false))
            case let text:
                guard let number = Self.number(text) else {
                    throw fault("\"\(text.prefix(20))\" is no JSON: correct or quote it")
                }
                return Node(line: line, value: .plain(number))
            }
        }
    }

    private static func number(_ text: String) -> PropertyValue? {
        var digits = text.utf8.first == UInt8(ascii: "-") ? Array(text.utf8.dropFirst()) : Array(text.utf8)
        guard let first = digits.first, (0x30...0x39).contains(first), digits.last.map({ $0 != 0x2E }) ?? false,
            first != 0x30 || digits.count == 1 || !(0x30...0x39).contains(digits[1])
        else { return nil }
        digits.removeAll { (0x30...0x39).contains($0) }
        if digits.isEmpty, let number = Int64(text) { return .integer(number) }
        guard digits.allSatisfy({ ".eE+-".utf8.contains($0) }), let number = Double(text), number.isFinite else {
            return nil
        }
        return .real(number)
    }

    private mutating func elements(depth: Int) throws(TimedContentFault) -> [Node] {
        place += 1
        var nodes: [Node] = []
        skipBlanks()
        if take("]") { return nodes }
        while true {
            nodes.append(try value(depth: depth + 1))
            skipBlanks()
            if take("]") { return nodes }
            guard take(",") else { throw fault("a comma or ] is missing in the JSON") }
        }
    }

    private mutating func members(depth: Int) throws(TimedContentFault) -> [(name: String, node: Node)] {
        place += 1
        var members: [(name: String, node: Node)] = []
        skipBlanks()
        if take("}") { return members }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotation marks is missing in the JSON") }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw fault("a colon is missing behind \"\(name.prefix(40))\" in the JSON") }
            members.append((name, try value(depth: depth + 1)))
            skipBlanks()
            if take("}") { return members }
            guard take(",") else { throw fault("a comma or } is missing in the JSON") }
        }
    }

    private mutating func string() throws(TimedContentFault) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            case 0..<0x20: throw fault("a text in the JSON is not closed by a quotation mark on its line")
            default: text.append(byte)
            }
        }
        throw fault("a text in the JSON is not closed by a quotation mark")
    }

    private mutating func escaped() throws(TimedContentFault) -> Unicode.Scalar {
        let byte = next ?? 0
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { break }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard (0xD800..<0xDC00).contains(unit), take("\\"), take("u"), let low = codeUnit(),
                (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
            else { break }
            return scalar
        default: break
        }
        throw fault("an escape in a JSON text is not known: write \\n, \\\" or \\u0041")
    }

    private mutating func codeUnit() -> UInt16? {
        guard place + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        place += 4
        return unit
    }
}
