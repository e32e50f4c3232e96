import Foundation

/// A row of a table of MusicBrainz, in the text form of PostgreSQL's `COPY`: fields between tabs, `\N` for null, and a backslash
/// before what would end a field or a line.
struct MusicBrainzRow {
    private let fields: [ArraySlice<UInt8>]

    /// - Parameter line: The row, without the line's end.
    init(_ line: Data) {
        fields = Array(line).split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    }

    /// The number of columns.
    var count: Int { fields.count }

    /// The text of a column, counted from 0; `nil` for null, and for a column that the row does not have.
    subscript(column: Int) -> String? {
        guard column < fields.count else { return nil }
        let field = fields[column]
        guard field.contains(Self.backslash) else { return String(decoding: field, as: UTF8.self) }
        guard !field.elementsEqual([Self.backslash, UInt8(ascii: "N")]) else { return nil }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in field {
            if isEscaped {
                bytes.append(Self.escapes[byte] ?? byte)
                isEscaped = false
            } else if byte == Self.backslash {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a column; `nil` for null and for an empty text.
    func text(_ column: Int) -> String? { self[column].flatMap { $0.isEmpty ? nil : $0 } }

    /// The number of a column; `nil` for null and what is no whole number of 32 bits.
    func number(_ column: Int) -> Int32? { self[column].flatMap { Int32($0) } }

    /// The UUID of a column; `nil` for null and what is none.
    func uuid(_ column: Int) -> UUID? { self[column].flatMap { UUID(uuidString: $0) } }

    /// `true` if the column holds `t`.
    func isTrue(_ column: Int) -> Bool { self[column] == "t" }

    /// The date of three columns, year, month and day; `nil` if the year is null.
    func date(_ column: Int) -> String? {
        guard let year = number(column), (1...9_999).contains(year) else { return nil }
        guard let month = number(column + 1), (1...12).contains(month) else { return String(format: "%04d", Int(year)) }
        guard let day = number(column + 2), (1...31).contains(day) else {
            return String(format: "%04d-%02d", Int(year), Int(month))
        }
        return String(format: "%04d-%02d-%02d", Int(year), Int(month), Int(day))
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0B,
    ]
}
