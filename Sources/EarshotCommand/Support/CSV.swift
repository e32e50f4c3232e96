import Foundation

/// Comma-separated values as RFC 4180 describes them.
enum CSV {
    /// A field, quoted where it has to be.
    static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The rows of a text, each a list of fields.
    static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = ""
        var isQuoted = false
        var characters = text.makeIterator()
        var waiting: Character?
        while let character = waiting ?? characters.next() {
            waiting = nil
            if isQuoted {
                guard character == "\"" else {
                    field.append(character)
                    continue
                }
                let next = characters.next()
                if next == "\"" {
                    field.append("\"")
                } else {
                    isQuoted = false
                    waiting = next
                }
            } else if character == "\"", field.isEmpty {
                isQuoted = true
            } else if character == "," {
                row.append(field)
                field = ""
            } else if character.isNewline {
                rows.append(row + [field])
                (row, field) = ([], "")
            } else {
                field.append(character)
            }
        }
        if !field.isEmpty || !row.isEmpty { rows.append(row + [field]) }
        return rows.filter { $0 != [""] }
    }
}
