import EarshotCore
import Foundation

extension PropertyValue {
    /// Takes a value from a Foundation property list or a decoded JSON document.
    ///
    /// - Throws: `mediaItemInvalid` for anything that a property list cannot hold, such as null or an object of an app;
    ///   the message gives the path to it, for example `teacher.photos[2]`.
    public init(propertyList value: Any) throws {
        self = try Self.value(value, path: "")
    }

    static func value(_ value: Any, path: String) throws(EarshotError) -> PropertyValue {
        // Boolean and number share one class where values come from Foundation, so the exact Swift types come first.
        switch value {
        case let value as PropertyValue: return value
        case let value as String: return .string(value)
        case let value as Bool where type(of: value) == Bool.self || isBoolean(value): return .boolean(value)
        case let value as any BinaryInteger:
            guard let narrow = Int64(exactly: value) else { throw invalid(path, "is a number beyond 64 bits") }
            return .integer(narrow)
        case let value as Double: return .real(value)
        case let value as Float: return .real(Double(value))
        case let value as NSNumber:
            return CFNumberLike.isReal(value) ? .real(value.doubleValue) : .integer(value.int64Value)
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as [Any]:
            var elements: [PropertyValue] = []
            for (index, element) in value.enumerated() {
                elements.append(try Self.value(element, path: "\(path)[\(index)]"))
            }
            return .array(elements)
        case let value as [String: Any]:
            var members: [String: PropertyValue] = [:]
            // Sorted, so that of several bad values the same one is named each time.
            for (name, member) in value.sorted(by: { $0.key < $1.key }) {
                members[name] = try Self.value(member, path: path.isEmpty ? name : "\(path).\(name)")
            }
            return .dictionary(members)
        default:
            throw invalid(path, "is of the type \(type(of: value)), which a property list cannot hold")
        }
    }

    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return true }
        return CFNumberLike.isBoolean(number)
    }

    static func invalid(_ path: String, _ what: String) -> EarshotError {
        EarshotError(
            .mediaItemInvalid,
            "The value at \(path.isEmpty ? "the top" : path) \(what): use text, a number, a boolean, a date, data, "
                + "or arrays and dictionaries of them."
        )
    }
}

/// What a number object was made from, told by its type encoding.
private enum CFNumberLike {
    static func encoding(_ number: NSNumber) -> UInt8 { UInt8(bitPattern: number.objCType.pointee) }
    static func isReal(_ number: NSNumber) -> Bool { encoding(number) == 0x64 || encoding(number) == 0x66 }
    static func isBoolean(_ number: NSNumber) -> Bool { encoding(number) == 0x42 || encoding(number) == 0x63 }
}
