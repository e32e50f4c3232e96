import EarshotCore
import Foundation

extension PropertyValue {
    /// Creates a value from a Foundation property list or a decoded JSON document.
    ///
    /// - Throws: `mediaItemInvalid` with the path to a value that a property list cannot hold, such as null or an
    ///   object of an app; for example `teacher.photos[2]`.
    public init(propertyList value: Any) throws {
        self = try Self.value(value, path: "")
    }

    static func value(_ value: Any, path: String, depth: Int = 1) throws(EarshotError) -> PropertyValue {
        guard depth <= maximumDepth else { throw invalid(path, "is nested deeper than 32 levels") }
        // Number objects come first. An `NSNumber`, as JSON and property list readers create it, would also cast to
        // `Bool` and `Double` if its value allows it.
        if type(of: value) is AnyClass, let number = value as? NSNumber { return try self.value(number, path: path) }
        switch value {
        case let value as PropertyValue: return value
        case let value as String: return .string(value)
        case let value as Bool: return .boolean(value)
        case let value as any BinaryInteger:
            guard let narrow = Int64(exactly: value) else { throw invalid(path, "is a number beyond 64 bits") }
            return .integer(narrow)
        case let value as Double: return .real(value)
        case let value as Float: return .real(Double(value))
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as [Any]:
            var elements: [PropertyValue] = []
            for (index, element) in value.enumerated() {
                elements.append(try Self.value(element, path: "\(path)[\(index)]", depth: depth + 1))
            }
            return .array(elements)
        case let value as [String: Any]:
            var members: [String: PropertyValue] = [:]
            // Sorted, so that the error always names the same one of several invalid values.
            for (name, member) in value.sorted(by: { $0.key < $1.key }) {
                let inner = path.isEmpty ? name : "\(path).\(name)"
                members[name] = try Self.value(member, path: inner, depth: depth + 1)
            }
            return .dictionary(members)
        default:
            throw invalid(path, "is of the type \(type(of: value)), which a property list cannot hold")
        }
    }

    /// Converts a number object by its type encoding.
    private static func value(_ number: NSNumber, path: String) throws(EarshotError) -> PropertyValue {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return .real(number.doubleValue)
        case UInt8(ascii: "B"):
            return .boolean(number.boolValue)
        case UInt8(ascii: "c") where number.int64Value == 0 || number.int64Value == 1:
            // `NSNumber` encodes a boolean as a small integer.
            return .boolean(number.boolValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            throw invalid(path, "is a number beyond 64 bits")
        default:
            return .integer(number.int64Value)
        }
    }

    static func invalid(_ path: String, _ what: String) -> EarshotError {
        EarshotError(
            .mediaItemInvalid,
            "The value at \(path.isEmpty ? "the top" : path) \(what): use text, a number, a boolean, a date, data, "
                + "or arrays and dictionaries of them."
        )
    }
}
