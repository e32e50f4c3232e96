/// Reads and writes tables in the CSV format of RFC 4180, with a separator of the caller's choice.
package enum CSV {
    /// A row of fields, with the number of the line on which it begins, from 1.
    package struct Row: Hashable, Sendable {
        package var fields: [String] = []
        package var line = 1
    }

    /// Returns a field for a table with commas, in quotation marks if needed.
    package static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { needQuotes.contains($0) }) else { return text }
        // By bytes: to a string a quotation mark with an accent on it is another character.
        let doubled = text.utf8.flatMap { $0 == quotationMark ? [$0, $0] : [$0] }
        return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
    }

    /// Returns a text that spreadsheets do not interpret as a formula: with an apostrophe in front if it looks like
    /// one.
    ///
    /// Use it for tables that people open in a spreadsheet, not for tables that are read back.
    package static func inert(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, startsFormula.contains(first) else { return text }
        return "'" + text
    }

    /// The signs that begin a formula, their full-width forms, and what spreadsheets strip before they look.
    private static let startsFormula: [Unicode.Scalar] = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    private static let quotationMark = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let needQuotes = [UInt8(ascii: ","), quotationMark, lineFeed, carriageReturn]

    /// Returns the fields of every row. An unterminated quoted field ends with the text.
    package static func rows(_ text: String) -> [[String]] { table(text).rows.map(\.fields) }

    /// Parses a table; returns the rows that are not empty, and the line of a quotation mark that is never closed, or
    /// `nil`.
    ///
    /// - Parameters:
    ///   - text: Lines that end with LF, CRLF or CR.
    ///   - separator: The field separator: one ASCII character.
    package static func table(_ text: String, separator: UInt8 = UInt8(ascii: ",")) -> (rows: [Row], openLine: Int?) {
        var rows: [Row] = []
        var row = Row()
        var field: [UInt8] = []
        var wasQuoted = false
        var quotedSince: Int?
        var line = 1
        var bytes = Substring(text).utf8

        func endField() {
            row.fields.append(String(decoding: field, as: UTF8.self))
            (field, wasQuoted) = ([], false)
        }
        func endRow() {
            guard !field.isEmpty || wasQuoted || !row.fields.isEmpty else { return }
            endField()
            rows.append(row)
        }
        while let byte = bytes.popFirst() {
            let isPair = byte == carriageReturn && bytes.first == lineFeed
            let endsLine = !isPair && (byte == lineFeed || byte == carriageReturn)
            if endsLine { line += 1 }
            if quotedSince != nil {
                if byte != quotationMark {
                    field.append(byte)
                } else if bytes.first == quotationMark {
                    field.append(byte)
                    bytes.removeFirst()
                } else {
                    quotedSince = nil
                }
            } else if byte == quotationMark, field.isEmpty, !wasQuoted {
                (quotedSince, wasQuoted) = (line, true)
            } else if byte == separator {
                endField()
            } else if endsLine {
                endRow()
                row = Row(line: line)
            } else if !isPair {
                field.append(byte)
            }
        }
        endRow()
        return (rows, quotedSince)
    }
}
