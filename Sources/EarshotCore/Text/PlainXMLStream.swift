package import Foundation

/// An input stream for an XML parser that ends with a ``fault`` at unsafe content: undeclared entities, declarations
/// inside the document type, and encodings that could hide them.
///
/// On Linux the parser ends the program at an entity that is not declared, and does not report declared ones.
package final class PlainXMLStream: InputStream {
    private enum State: Equatable {
        case text, markup, reference, special, declaration, quoted(UInt8)
        /// An instruction for other programs: whether its name has ended, and whether it says anything.
        case instruction(isNamed: Bool, hasContent: Bool)
        /// Skips to the last of some bytes.
        case until([UInt8])
    }

    /// The reason why the stream ended early, as the second half of a message that begins with the line; `nil` if there
    /// is none.
    package private(set) var fault: String?
    /// `true` if the stream ended because it could not be read.
    package private(set) var hasFailed = false
    /// The number of the current line, from 1.
    package private(set) var line = 1
    private let inner: InputStream
    private var head: [UInt8] = []
    private var state = State.text
    /// The part of a name, or of an end mark, read so far.
    private var seen: [UInt8] = []
    /// Looks at the bytes of texts in UTF-8: on Linux the parser ends the program at a name that is none.
    private var utf8: UTF8Validator? = UTF8Validator()

    /// Creates a stream that checks the bytes of another stream. That is opened and closed with this one.
    package init(_ inner: InputStream) {
        self.inner = inner
        super.init(data: Data())
    }

    package override func open() {
        inner.open()
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while head.count < 1_024 {
            let count = inner.read(&buffer, maxLength: 1_024 - head.count)
            if count < 0 { hasFailed = true }
            guard count > 0 else { break }
            head += buffer.prefix(count)
        }
        checkHead()
    }

    package override func close() { inner.close() }

    package override var hasBytesAvailable: Bool { fault == nil && (!head.isEmpty || inner.hasBytesAvailable) }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard fault == nil, !hasFailed, maxLength > 0 else { return 0 }
        var count = min(head.count, maxLength)
        if count > 0 {
            for index in 0..<count { buffer[index] = head[index] }
            head.removeFirst(count)
        } else {
            count = inner.read(buffer, maxLength: maxLength)
            if count < 0 { hasFailed = true }
        }
        guard count > 0 else { return 0 }
        // What comes with a fault in one piece is not given on at all.
        for index in 0..<count where fault == nil { take(buffer[index]) }
        return fault == nil ? count : 0
    }

    /// Only encodings whose letters and signs are those of ASCII, or the rest could not be looked through.
    private func checkHead() {
        var text = head[...]
        let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        if hasMark { text = text.dropFirst(3) }
        // Not for the like of <?xml-stylesheet.
        guard text.starts(with: Array("<?xml".utf8)), text.dropFirst(5).first.map({ $0 <= 0x20 }) ?? true else {
            return
        }
        // Read as strictly as by the parser: one that it does not understand it takes for UTF-8.
        let declaration = String(decoding: text, as: UTF8.self)
        guard let match = declaration.prefixMatch(of: Self.declaration) else {
            fault = "the XML declaration is damaged or does not end: get the file again, or correct it there."
            return
        }
        guard let name = (match.1 ?? match.2)?.lowercased() else { return }
        if ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) { return }
        guard Self.eightBits.contains(name) else {
            fault = "the encoding \"\(name.prefix(40))\" is not read: convert the file to UTF-8."
            return
        }
        if !hasMark { utf8 = nil }
    }

    /// `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`, of which the last two may be missing.
    private static var declaration: Regex<(Substring, Substring?, Substring?)> {
        /<\?xml\s+version\s*=\s*(?:"[0-9.]+"|'[0-9.]+')(?:\s+encoding\s*=\s*(?:"([A-Za-z][A-Za-z0-9._\-]*)"|'([A-Za-z][A-Za-z0-9._\-]*)'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/
    }

    /// The encodings of one byte a letter that are read.
    private static let eightBits: Set<String> = {
        var names: Set<String> = ["latin1"]
        for part in 1...16 where part != 12 {
            names.formUnion(["iso-8859-\(part)", "iso8859-\(part)", "iso_8859-\(part)"])
        }
        for page in 1_250...1_258 { names.formUnion(["windows-\(page)", "cp\(page)"]) }
        return names
    }()

    private func take(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        if byte == 0 {
            fault = "the file holds bytes that are no text, or is in UTF-16: convert it to UTF-8."
            return
        }
        if utf8?.take(byte) == false {
            fault = "the text is not in UTF-8, as it should be: name its encoding in the first line, or convert it."
            return
        }
        switch state {
        case .text:
            if byte == UInt8(ascii: "&") { (state, seen) = (.reference, []) }
            if byte == UInt8(ascii: "<") { (state, seen) = (.markup, []) }
        case .reference: reference(byte)
        case .markup:
            switch byte {
            case UInt8(ascii: "!"): (state, seen) = (.special, [])
            case UInt8(ascii: "?"): (state, seen) = (.instruction(isNamed: false, hasContent: false), [])
            case UInt8(ascii: "&"): (state, seen) = (.reference, [])
            default: state = .text
            }
        case .special: special(byte)
        case .declaration:
            switch byte {
            case UInt8(ascii: "["): fault = "the file declares entities of its own: get it without them."
            case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .quoted(byte)
            case UInt8(ascii: ">"): state = .text
            default: break
            }
        case .quoted(let quote): if byte == quote { state = .declaration }
        case .instruction(let isNamed, let hasContent): instruction(byte, isNamed, hasContent)
        case .until(let end):
            seen = Array((seen + [byte]).suffix(end.count))
            if seen == end { state = .text }
        }
    }

    /// Handles the byte after `<?`. On Linux the parser ends the program at an instruction that has a name and nothing
    /// else.
    private func instruction(_ byte: UInt8, _ isNamed: Bool, _ hasContent: Bool) {
        seen = Array((seen + [byte]).suffix(2))
        guard seen != Array("?>".utf8) else {
            if !hasContent { fault = "there is an instruction for other programs that says nothing: take it out." }
            state = .text
            return
        }
        let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
        let says = isNamed && !isSpace && byte != UInt8(ascii: "?")
        state = .instruction(isNamed: isNamed || isSpace, hasContent: hasContent || says)
    }

    /// The name behind an `&`: a number, or one of the five that every document has.
    private func reference(_ byte: UInt8) {
        if seen.isEmpty, byte == UInt8(ascii: "#") {
            state = .text
        } else if byte == UInt8(ascii: ";"), Self.entities.contains(String(decoding: seen, as: UTF8.self)) {
            state = .text
        } else if seen.count < 4, byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") {
            seen.append(byte)
        } else {
            fault = "there are entities that XML does not have, or an & that is none: write &amp; for the sign."
        }
    }

    /// Handles the byte after `<!`: a comment, a CDATA section or the document type.
    private func special(_ byte: UInt8) {
        seen.append(byte)
        if seen == Array("--".utf8) {
            (state, seen) = (.until(Array("-->".utf8)), [])
        } else if seen == Array("[CDATA[".utf8) {
            (state, seen) = (.until(Array("]]>".utf8)), [])
        } else if seen == Array("DOCTYPE".utf8) {
            state = .declaration
        } else if !["--", "[CDATA[", "DOCTYPE"].contains(where: { $0.utf8.starts(with: seen) }) {
            fault = "the XML is damaged: get the file again, or correct it there."
        }
    }

    private static let entities: Set<String> = ["amp", "lt", "gt", "quot", "apos"]
}
