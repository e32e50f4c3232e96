/// The objects of a text, one behind the other or in an array, each with the line on which it begins: JSON Lines and JSON
/// arrays alike, with objects that go over several lines.
struct JSONObjectSplitter {
    private let bytes: [UInt8]
    private var place = 0
    private var line = 1
    /// `true` if all that was looked at can be where it is.
    private(set) var isWhole = true
    private var isArray = false
    private var isClosed = false
    /// `true` if an object came since the last comma.
    private var hasValue = false

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next object; `nil` at the end, and before a value that is not an object.
    mutating func next() -> (line: Int, value: String?) {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            case UInt8(ascii: "[") where !isArray && !hasValue: isArray = true
            case UInt8(ascii: "]") where isArray && !isClosed: isClosed = true
            case UInt8(ascii: ",") where isArray && hasValue && !isClosed: hasValue = false
            case UInt8(ascii: "{") where !isClosed && !(isArray && hasValue):
                hasValue = true
                return object()
            default:
                isWhole = false
                return (line, nil)
            }
            place += 1
        }
        isWhole = isWhole && isArray == isClosed
        return (line, nil)
    }

    /// An object up to its closing bracket; an unterminated one goes to the end.
    private mutating func object() -> (line: Int, value: String?) {
        let (start, first) = (place, line)
        var depth = 0
        var isText = false
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isText {
                if byte == UInt8(ascii: "\\") {
                    place = min(place + 1, bytes.count)
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth == 0 { break }
        }
        return (first, String(decoding: bytes[start..<place], as: UTF8.self))
    }
}
