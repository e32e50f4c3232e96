public import Foundation

/// A value that a property list can hold.
public indirect enum PropertyValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A finite real number.
    case real(Double)
    /// A boolean.
    case boolean(Bool)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// An ordered list of values.
    case array([PropertyValue])
    /// Values by name.
    case dictionary([String: PropertyValue])
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates text from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number from a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a real number from a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an array from a literal.
    public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }
    /// Creates a dictionary from a literal. If a name is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}

extension PropertyValue {
    /// The text; `nil` for other kinds.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The whole number; `nil` for other kinds.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The real or whole number; `nil` for other kinds.
    public var real: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The boolean; `nil` for other kinds.
    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The date; `nil` for other kinds.
    public var date: Date? {
        guard case .date(let value) = self else { return nil }
        return value
    }

    /// The bytes; `nil` for other kinds.
    public var data: Data? {
        guard case .data(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; `nil` for other kinds.
    public var array: [PropertyValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members of a dictionary; `nil` for other kinds.
    public var dictionary: [String: PropertyValue]? {
        guard case .dictionary(let value) = self else { return nil }
        return value
    }
}
