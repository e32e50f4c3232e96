import CPostgreSQL
package import EarshotCore
package import Foundation

/// A row of a result, copied out of libpq's memory.
package struct PostgreSQLRow: Sendable {
    /// The names of the columns with their places, shared by all rows of a result.
    let columns: PostgreSQLColumns
    /// The bytes of each column on the wire; `nil` for `NULL`.
    let cells: [Data?]

    /// Returns a text; `nil` for `NULL`.
    ///
    /// - Throws: `storeDamaged` if the column is missing or has another type. So do all accessors.
    package func text(_ name: String) throws(EarshotError) -> String? {
        try cell(name, [PostgreSQLType.text, PostgreSQLType.varchar]).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a whole number of two, four or eight bytes; `nil` for `NULL`.
    package func integer(_ name: String) throws(EarshotError) -> Int? {
        guard let bytes = try cell(name, [PostgreSQLType.int8, PostgreSQLType.int4, PostgreSQLType.int2]) else {
            return nil
        }
        // Numbers are two's complement in network byte order: the first bit is the sign, whatever the length.
        var value: Int64 = bytes.first.map { $0 & 0x80 != 0 } == true ? -1 : 0
        for byte in bytes { value = value << 8 | Int64(byte) }
        guard let exact = Int(exactly: value) else { throw Self.damaged(name) }
        return exact
    }

    /// Returns a number of eight bytes; `nil` for `NULL`.
    package func double(_ name: String) throws(EarshotError) -> Double? {
        guard let bytes = try cell(name, [PostgreSQLType.float8]) else { return nil }
        return Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Returns a truth value; `nil` for `NULL`.
    package func bool(_ name: String) throws(EarshotError) -> Bool? {
        try cell(name, [PostgreSQLType.bool])?.first.map { $0 != 0 }
    }

    /// Bytes; `nil` for `NULL`.
    package func bytes(_ name: String) throws(EarshotError) -> Data? { try cell(name, [PostgreSQLType.bytea]) }

    /// Returns a value of a column that is never `NULL`.
    ///
    /// - Throws: `storeDamaged` for `NULL`.
    package func required<Value>(
        _ name: String,
        _ read: (String) throws(EarshotError) -> Value?
    ) throws(EarshotError) -> Value {
        guard let value = try read(name) else { throw Self.damaged(name) }
        return value
    }

    private func cell(_ name: String, _ types: [UInt32]) throws(EarshotError) -> Data? {
        guard let place = columns.places[name], types.contains(columns.types[place]) else { throw Self.damaged(name) }
        return cells[place]
    }

    private static func damaged(_ name: String) -> EarshotError {
        EarshotError(
            .storeDamaged,
            "The column \(name) of the database cannot be read: it was changed by another program, or is of another version."
        )
    }
}

/// The columns of a result.
final class PostgreSQLColumns: Sendable {
    let places: [String: Int]
    let types: [UInt32]

    init(_ result: OpaquePointer) {
        let count = PQnfields(result)
        var places: [String: Int] = [:]
        for place in 0..<count {
            if let name = PQfname(result, place) { places[String(cString: name)] = Int(place) }
        }
        self.places = places
        types = (0..<count).map { PQftype(result, $0) }
    }
}
