import Foundation

/// The lines of a text file: UTF-8 with or without a byte order mark, or UTF-16 with one; lines end with CR, LF or both.
struct TextLines {
    /// The lines less their ends; the number of a line is its place + 1.
    let lines: [String]

    /// - Throws: An error if the bytes are not text, or too many.
    init(_ data: Data) throws(TimedContentFault) {
        lines = Self.lines(of: try Self.text(data))
    }

    static func text(_ data: Data) throws(TimedContentFault) -> String {
        guard data.count <= TimedContentFormat.maximumFileSize else {
            throw TimedContentFault("the file has \(data.count) bytes, and 64 MiB are allowed: split it.")
        }
        let bytes = [UInt8](data)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            guard bytes.count % 2 == 0 else { throw unreadable("UTF-16, as its first bytes say") }
            let units = stride(from: 2, to: bytes.count, by: 2).map { place in
                let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw unreadable("UTF-16, as its first bytes say")
            }
            return text
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            // Up to the first line that cannot be read.
            var line = 1
            for run in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
                if String(validating: run, as: UTF8.self) == nil { break }
                line += 1
            }
            throw unreadable("UTF-8", line: line)
        }
        return text
    }

    private static func unreadable(_ encoding: String, line: Int? = nil) -> TimedContentFault {
        TimedContentFault(place: line.map { "line \($0)" }, "the text is not \(encoding): save the file as UTF-8.")
    }

    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        let bytes = text.utf8
        var start = bytes.startIndex
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            var next = bytes.index(after: place)
            if byte == 0x0A || byte == 0x0D {
                lines.append(String(text[start..<place]))
                if byte == 0x0D, next < bytes.endIndex, bytes[next] == 0x0A { next = bytes.index(after: next) }
                start = next
            }
            place = next
        }
        if start < bytes.endIndex { lines.append(String(text[start...])) }
        return lines
    }
}

extension StringProtocol {
    /// `true` if there is nothing but spaces and tabs.
    var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// The text less spaces and tabs around it.
    var trimmed: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// The text on one line: line ends and other controls become spaces.
    var onOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || [0x85, 0x2028, 0x2029].contains(scalar.value) ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars)).trimmed
    }
}
