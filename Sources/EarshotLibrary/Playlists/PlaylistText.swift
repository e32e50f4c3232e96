import EarshotCore
import Foundation

/// The text of a playlist that is none in XML, in whatever encoding it has.
struct PlaylistText {
    /// A line without its end and without spaces around it, and its number, counted from 1.
    typealias Line = (number: Int, text: Substring)

    private let data: Data
    private let isUTF8: Bool
    private let reader: PlaylistReader
    private let name: String

    init(_ data: Data, isUTF8: Bool, _ reader: PlaylistReader, _ name: String) {
        (self.data, self.isUTF8, self.reader, self.name) = (data, isUTF8, reader, name)
    }

    /// The lines that hold something; they end with LF, CRLF or CR.
    func lines() throws(EarshotError) -> [Line] {
        let text = try text()
        var lines: [Line] = []
        var number = 0
        var start = text.startIndex
        var isAfterReturn = false
        let bytes = text.utf8

        func end(at index: String.Index) throws(EarshotError) {
            number += 1
            let line = text[start..<index]
            guard line.utf8.count <= reader.limits.textSize else {
                throw EarshotError(
                    .metadataInvalid,
                    "\(name), line \(number): the line is longer than \(reader.limits.textSize) bytes: is it a playlist?"
                )
            }
            let trimmed = line.drop(while: \.isWhitespace)
            if let last = trimmed.lastIndex(where: { !$0.isWhitespace }) { lines.append((number, trimmed[...last])) }
        }
        // By bytes: to a string CRLF is one character, and other signs are ends of lines too.
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0x0A, isAfterReturn {
                start = bytes.index(after: index)
            } else if byte == 0x0A || byte == 0x0D {
                try end(at: index)
                start = bytes.index(after: index)
            }
            isAfterReturn = byte == 0x0D
        }
        try end(at: text.endIndex)
        return lines
    }

    private func text() throws(EarshotError) -> String {
        guard let text = decoded(), !text.utf8.contains(0) else {
            throw EarshotError(
                .metadataInvalid,
                isUTF8
                    ? "\(name) is not in UTF-8, as it should be: save it as UTF-8, or name it .m3u."
                    : "\(name) is no text: name a playlist."
            )
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private func decoded() -> String? {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            return String(data: data, encoding: .utf16)
        }
        if let text = String(validating: data, as: UTF8.self) { return text }
        if isUTF8 { return nil }
        return String(data: data, encoding: reader.legacyEncoding) ?? String(data: data, encoding: .isoLatin1)
    }
}
