import Foundation

/// Comma-separated values as RFC 4180 describes them.
enum CSV {
    /// A field, quoted where it has to be.
    static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// A row with the line on which it begins.
    struct Row {
        var fields: [String]
        var line: Int
    }

    /// The rows of a text, each a list of fields.
    static func rows(_ text: String) -> [[String]] { table(text).rows.map(\.fields) }

    /// The rows of a text, and the line of a quotation mark that is never closed, where there is one.
    static func table(_ text: String, separator: Character = ",") -> (rows: [Row], openLine: Int?) {
        var rows: [Row] = []
        var row = Row(fields: [], line: 1)
        var field = ""
        var line = 1
        var quotedSince: Int?
        var characters = text.makeIterator()
        var waiting: Character?
        while let character = waiting ?? characters.next() {
            waiting = nil
            if character.isNewline { line += 1 }
            if quotedSince != nil {
                guard character == "\"" else {
                    field.append(character)
                    continue
                }
                let next = characters.next()
                if next == "\"" {
                    field.append("\"")
                } else {
                    quotedSince = nil
                    waiting = next
                }
            } else if character == "\"", field.isEmpty {
                quotedSince = line
            } else if character == separator {
                row.fields.append(field)
                field = ""
            } else if character.isNewline {
                row.fields.append(field)
                rows.append(row)
                (row, field) = (Row(fields: [], line: line), "")
            } else {
                field.append(character)
            }
        }
        if !field.isEmpty || !row.fields.isEmpty {
            row.fields.append(field)
            rows.append(row)
        }
        return (rows.filter { $0.fields != [""] }, quotedSince)
    }
}
