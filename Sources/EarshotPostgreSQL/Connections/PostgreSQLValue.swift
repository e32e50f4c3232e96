package import Foundation

/// A parameter of a statement, as PostgreSQL's binary format has it.
package enum PostgreSQLValue: Sendable, ExpressibleByNilLiteral {
    case null
    case bool(Bool)
    case integer(Int)
    case double(Double)
    case text(String)
    case bytes(Data)
    case texts([String])
    case integers([Int])
    case doubles([Double])
    /// Values of one type, of which some may be `NULL`. The type is an element's: text, whole number, number or bytes.
    case column(Element, [PostgreSQLValue])

    /// The type of the elements of an array.
    package enum Element: Sendable {
        case texts, integers, doubles, bytes
    }

    package init(nilLiteral: ()) { self = .null }

    /// The identifier of the type in PostgreSQL's catalog; 0, as for `NULL`, leaves the type to the server.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .bool: PostgreSQLType.bool
        case .integer: PostgreSQLType.int8
        case .double: PostgreSQLType.float8
        case .text: PostgreSQLType.text
        case .bytes: PostgreSQLType.bytea
        case .texts: PostgreSQLType.textArray
        case .integers: PostgreSQLType.int8Array
        case .doubles: PostgreSQLType.float8Array
        case .column(let element, _): element.array
        }
    }

    /// The bytes on the wire; `nil` for `NULL`.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .bool(let value): [value ? 1 : 0]
        case .integer(let value): Self.bigEndian(Int64(value))
        case .double(let value): Self.bigEndian(value.bitPattern)
        case .text(let value): Array(value.utf8)
        case .bytes(let value): [UInt8](value)
        case .texts(let values): Self.array(PostgreSQLType.text, values.map { Array($0.utf8) })
        case .integers(let values): Self.array(PostgreSQLType.int8, values.map { Self.bigEndian(Int64($0)) })
        case .doubles(let values): Self.array(PostgreSQLType.float8, values.map { Self.bigEndian($0.bitPattern) })
        case .column(let element, let values): Self.array(element.type, values.map(\.bytes))
        }
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// Returns the bytes of an array of one dimension: the number of dimensions, 1 if there are nulls, the type, the count, the first index, then
    /// each element behind its length (`array_send` of PostgreSQL).
    private static func array(_ type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
        let hasNulls: Int32 = elements.contains { $0 == nil } ? 1 : 0
        var bytes = bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(hasNulls) + bigEndian(type)
        guard !elements.isEmpty else { return bytes }
        bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
        for element in elements {
            guard let element else {
                bytes += bigEndian(Int32(-1))
                continue
            }
            bytes += bigEndian(Int32(element.count))
            bytes += element
        }
        return bytes
    }
}

extension PostgreSQLValue.Element {
    /// The type of an element.
    fileprivate var type: UInt32 {
        switch self {
        case .texts: PostgreSQLType.text
        case .integers: PostgreSQLType.int8
        case .doubles: PostgreSQLType.float8
        case .bytes: PostgreSQLType.bytea
        }
    }

    /// The type of the array.
    fileprivate var array: UInt32 {
        switch self {
        case .texts: PostgreSQLType.textArray
        case .integers: PostgreSQLType.int8Array
        case .doubles: PostgreSQLType.float8Array
        case .bytes: PostgreSQLType.byteaArray
        }
    }
}

/// A value that can be a parameter of a statement.
package protocol PostgreSQLParameter {
    /// The value as a parameter.
    var parameter: PostgreSQLValue { get }
}

extension PostgreSQLValue: PostgreSQLParameter { package var parameter: PostgreSQLValue { self } }
extension Bool: PostgreSQLParameter { package var parameter: PostgreSQLValue { .bool(self) } }
extension Int: PostgreSQLParameter { package var parameter: PostgreSQLValue { .integer(self) } }
extension Double: PostgreSQLParameter { package var parameter: PostgreSQLValue { .double(self) } }
extension String: PostgreSQLParameter { package var parameter: PostgreSQLValue { .text(self) } }
extension Data: PostgreSQLParameter { package var parameter: PostgreSQLValue { .bytes(self) } }
extension Optional: PostgreSQLParameter where Wrapped: PostgreSQLParameter {
    package var parameter: PostgreSQLValue { self?.parameter ?? .null }
}

/// The identifiers of types that do not change between servers (`pg_type.dat`).
enum PostgreSQLType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let float8: UInt32 = 701
    static let varchar: UInt32 = 1043
    static let byteaArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let float8Array: UInt32 = 1022
}
