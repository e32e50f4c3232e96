public import Foundation

/// A value that a property list can hold.
public indirect enum PropertyValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A finite real number.
    case real(Double)
    /// True or false.
    case boolean(Bool)
    /// An instant.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([PropertyValue])
    /// Values under names.
    case dictionary([String: PropertyValue])
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A real number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Values in order.
    public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }
    /// Values under names; of equal names the last one counts.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}

extension PropertyValue {
    /// The text, when it is text.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number, when it is a whole one.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number, when it is a real or whole one.
    public var real: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The truth value, when it is one.
    public var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The instant, when it is one.
    public var date: Date? {
        guard case .date(let value) = self else { return nil }
        return value
    }

    /// The bytes, when it is bytes.
    public var data: Data? {
        guard case .data(let value) = self else { return nil }
        return value
    }

    /// The values, when it is an array.
    public var array: [PropertyValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The values, when it is a dictionary.
    public var dictionary: [String: PropertyValue]? {
        guard case .dictionary(let value) = self else { return nil }
        return value
    }
}
