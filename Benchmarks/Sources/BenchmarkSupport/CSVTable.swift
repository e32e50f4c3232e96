import Foundation

/// Comma-separated values with a header.
public struct CSVTable: Sendable {
    /// Names of the columns.
    public let header: [String]
    /// Rows, each with a value a column.
    public private(set) var rows: [[String]]

    /// A table in memory.
    public init(header: [String], rows: [[String]] = []) {
        self.header = header
        self.rows = rows
    }

    /// Reads a file.
    ///
    /// - Throws: ``Failure`` when it cannot be read or has no header.
    public init(contentsOf url: URL) throws {
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw Failure("There is no readable table at \(url.path): check the path.")
        }
        var parsed = Self.parse(String(decoding: data, as: UTF8.self))
        guard !parsed.isEmpty else { throw Failure("\(url.path) is empty: a table needs a header.") }
        header = parsed.removeFirst()
        let columns = header.count
        rows = parsed.map { $0.count < columns ? $0 + [String](repeating: "", count: columns - $0.count) : $0 }
    }

    /// Which column has a name.
    public func column(_ name: String) -> Int? { header.firstIndex(of: name) }

    /// Which column has a name that must be there.
    ///
    /// - Throws: ``Failure`` when it is not.
    public func requiredColumn(_ name: String, of file: String) throws -> Int {
        guard let column = column(name) else { throw Failure("\(file) has no column \(name).") }
        return column
    }

    /// Adds a row.
    public mutating func append(_ row: [String]) { rows.append(row) }

    /// Writes the table, in place of what is there.
    public func write(to url: URL) throws {
        var text = ""
        for row in [header] + rows { text += row.map(Self.field).joined(separator: ",") + "\n" }
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    private static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func parse(_ content: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuote) = (false, false)
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        for byte in content.utf8 where byte != UInt8(ascii: "\r") {
            if isQuoted, byte != UInt8(ascii: "\"") {
                field.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                // A quote inside a quoted field is doubled.
                if !isQuoted, wasQuote { field.append(byte) }
                isQuoted.toggle()
                wasQuote = !isQuoted
                continue
            case UInt8(ascii: ","):
                row.append(text(field))
                field = []
            case UInt8(ascii: "\n"):
                if !row.isEmpty || !field.isEmpty { rows.append(row + [text(field)]) }
                (row, field) = ([], [])
            default:
                field.append(byte)
            }
            wasQuote = false
        }
        if !row.isEmpty || !field.isEmpty { rows.append(row + [text(field)]) }
        return rows
    }
}
