package import Foundation

/// A value of a record, the same whatever database it is in.
package enum MigrationValue: Hashable, Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes(Data)

    /// The estimated number of bytes of the value.
    var size: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// Appends an unambiguous byte form of the value, for digests.
    func append(to bytes: inout Data) {
        switch self {
        case .null: bytes.append(0)
        case .integer(let value): Self.append(1, UInt64(bitPattern: Int64(value)), to: &bytes)
        case .real(let value): Self.append(2, value.bitPattern, to: &bytes)
        case .text(let value):
            Self.append(3, UInt64(value.utf8.count), to: &bytes)
            bytes.append(contentsOf: value.utf8)
        case .bytes(let value):
            Self.append(4, UInt64(value.count), to: &bytes)
            bytes.append(value)
        }
    }

    private static func append(_ kind: UInt8, _ value: UInt64, to bytes: inout Data) {
        bytes.append(kind)
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

/// A record of a table: a value for each column.
package typealias MigrationRecord = [MigrationValue]

/// The kind of the values of a column.
package enum MigrationType: Sendable {
    case integer, real, text, bytes
}
