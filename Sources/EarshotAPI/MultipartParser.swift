public import EarshotCore

/// Parses a body of `multipart/form-data` (RFC 7578) as it arrives.
///
/// The events do not depend on how the body is divided into chunks. The parser holds at most one part header or as many
/// bytes as a boundary.
public struct MultipartParser: Sendable {
    /// An event of the parser.
    public enum Event: Hashable, Sendable {
        /// A part begins; its headers are complete.
        case part(Header)
        /// More bytes of the content of the current part.
        case content([UInt8])
        /// The current part is complete.
        case partEnd
        /// The body is complete.
        case end
    }

    /// The headers of a part.
    public struct Header: Hashable, Sendable {
        /// The name of the form field.
        public var name = ""
        /// The file name from the sender; `nil` if the part is not a file. Do not use it as a path unchecked.
        public var fileName: String?
        /// The media type of the content; `nil` if the sender names none.
        public var contentType: String?
    }

    private enum State {
        case preamble, afterBoundary, header, content, done
    }

    /// The largest size of a part's headers, in bytes.
    public static let headerLimit = 8 << 10
    /// The largest number of parts.
    public static let partLimit = 64

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var buffer: [UInt8]
    private var partCount = 0

    /// Creates a parser.
    ///
    /// - Parameter contentType: The value of the request's header `Content-Type`.
    /// - Throws: `requestInvalid` if it names no boundary of 1 to 70 characters.
    public init(contentType: String) throws(EarshotError) {
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else {
            throw EarshotError(
                .requestInvalid,
                "Content-Type of a multipart upload names no boundary of 1 to 70 characters: let the HTTP library set it."
            )
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary has no line end before it.
        buffer = [0x0D, 0x0A]
    }

    /// `true` if the end of the body was parsed.
    public var isComplete: Bool { state == .done }

    /// Parses the next bytes of the body and returns the events that they complete.
    ///
    /// - Throws: `requestInvalid` if the body is malformed, or exceeds ``headerLimit`` or ``partLimit``.
    public mutating func take(_ bytes: some Sequence<UInt8>) throws(EarshotError) -> [Event] {
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Takes the next step; tells whether there was one to take.
    private mutating func step(_ events: inout [Event]) throws(EarshotError) -> Bool {
        switch state {
        case .done:
            buffer.removeAll()
            return false
        case .preamble:
            guard let place = Self.find(delimiter, in: buffer) else {
                // What stands before the first boundary is for people; none is needed.
                guard buffer.count <= Self.headerLimit else { throw Self.invalid("does not begin with its boundary") }
                return false
            }
            buffer.removeFirst(place + delimiter.count)
            state = .afterBoundary
            return true
        case .afterBoundary:
            guard buffer.count >= 2 else { return false }
            if buffer.starts(with: [0x2D, 0x2D]) {
                state = .done
                events.append(.end)
                return true
            }
            // Blanks may stand behind a boundary.
            guard let end = Self.find([0x0D, 0x0A], in: buffer) else {
                guard buffer.count <= 128 else { throw Self.invalid("has a boundary that does not end") }
                return false
            }
            guard buffer[..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
                throw Self.invalid("has text behind a boundary")
            }
            // The line end stays: a header without lines is told by two of them.
            buffer.removeFirst(end)
            partCount += 1
            guard partCount <= Self.partLimit else { throw Self.invalid("has more than \(Self.partLimit) parts") }
            state = .header
            return true
        case .header:
            guard let end = Self.find([0x0D, 0x0A, 0x0D, 0x0A], in: buffer) else {
                guard buffer.count <= Self.headerLimit else { throw Self.invalid("has a part with too long a header") }
                return false
            }
            guard end <= Self.headerLimit else { throw Self.invalid("has a part with too long a header") }
            events.append(.part(try Self.header(buffer[..<end])))
            // The last line end stays: an empty part has its boundary right there.
            buffer.removeFirst(end + 2)
            state = .content
            contentBegins = true
            return true
        case .content:
            return content(&events)
        }
    }

    /// `true` if the line end before the content is still in the buffer.
    private var contentBegins = false

    private mutating func content(_ events: inout [Event]) -> Bool {
        if let place = Self.find(delimiter, in: buffer) {
            let begin = contentBegins ? 2 : 0
            if place > begin { events.append(.content(Array(buffer[begin..<place]))) }
            buffer.removeFirst(place + delimiter.count)
            contentBegins = false
            events.append(.partEnd)
            state = .afterBoundary
            return true
        }
        // The last bytes may be the begin of a boundary.
        let begin = contentBegins ? 2 : 0
        let safe = buffer.count - delimiter.count + 1
        guard safe > begin else { return false }
        events.append(.content(Array(buffer[begin..<safe])))
        buffer.removeFirst(safe)
        contentBegins = false
        return false
    }

    // MARK: - Parts

    private static func header(_ bytes: ArraySlice<UInt8>) throws(EarshotError) -> Header {
        var header = Header()
        var hasName = false
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw invalid("has a header line without a colon") }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard let name = parameter("name", of: value) else { throw invalid("has a part without a name") }
                header.name = name
                header.fileName = parameter("filename", of: value)
                hasName = true
            case "content-type": header.contentType = value
            default: break
            }
        }
        guard hasName else { throw invalid("has a part without a name") }
        return header
    }

    /// A parameter of a header: `boundary=x`, `name="a b"`, with the escapes that browsers write.
    static func parameter(_ name: String, of text: String) -> String? {
        var rest = text[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.first, character != "\"" {
                    rest = rest.dropFirst()
                    if character == "\\", let escaped = rest.first {
                        value.append(escaped)
                        rest = rest.dropFirst()
                    } else {
                        value.append(character)
                    }
                }
                rest = rest.dropFirst()
            } else {
                value = String(rest.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
                rest = rest.dropFirst(value.count)
            }
            if key == name { return value }
        }
        return nil
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place <= bytes.count - pattern.count {
                if bytes[place] == first {
                    var length = 1
                    while length < pattern.count, bytes[place + length] == pattern[length] { length += 1 }
                    if length == pattern.count { return place }
                }
                place += 1
            }
            return nil
        }
    }

    private static func invalid(_ what: String) -> EarshotError {
        EarshotError(.requestInvalid, "The multipart upload \(what): let the HTTP library make it.")
    }
}
