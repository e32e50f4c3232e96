package import Earshot
import Foundation

/// Media items as JSON that is read back as the same items.
///
/// A value is written as anybody would write it where that is read as the same value, as ``ItemValue`` reads it. Any other, such as a
/// real number without a fraction, is written under `$exact`, with the types that JSON does not have.
package enum ItemJSON {
    private static let exactKey = "$exact"

    // MARK: - Writing

    package static func object(_ item: MediaItem) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (key, value) in item.properties {
            let plain = JSONValue(value)
            let isSame = (try? read(plain, for: key)) == value
            members[key.rawValue] = isSame ? plain : JSONValue([exactKey: exact(value)])
        }
        return members
    }

    /// The type as which a value would be read.
    private static func read(_ value: JSONValue, for key: MediaItemKey) throws -> PropertyValue? {
        let text = try JSON.line([value])
        let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
        return try list?.first.map { try self.value($0, for: key) }
    }

    private static func exact(_ value: PropertyValue) -> PropertyValue {
        switch value {
        case .string, .integer, .boolean: value
        case .real(let number): ["real": .string("\(number)")]
        case .date(let date): ["date": .string("\(date.timeIntervalSinceReferenceDate)")]
        case .data(let data): ["data": .string(data.base64EncodedString())]
        case .array(let values): .array(values.map(exact))
        case .dictionary(let members): ["dictionary": .dictionary(members.mapValues(exact))]
        }
    }

    // MARK: - Reading

    /// Reads an item.
    ///
    /// - Parameter members: As `JSONSerialization` reads them.
    /// - Throws: `ItemTable.Fault`, naming the key; `mediaItemInvalid`.
    package static func item(_ members: [String: Any]) throws -> MediaItem {
        var properties: [MediaItemKey: PropertyValue] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !(value is NSNull) {
            do {
                properties[MediaItemKey(name)] = try self.value(value, for: MediaItemKey(name))
            } catch let fault as ItemTable.Fault {
                throw ItemTable.Fault(sentence: "key \(name): \(fault.sentence)")
            } catch let error as EarshotError {
                throw ItemTable.Fault(sentence: "key \(name): \(error.message)")
            }
        }
        return try MediaItem(properties: properties)
    }

    private static func value(_ value: Any, for key: MediaItemKey) throws -> PropertyValue {
        let value = try PropertyValue(propertyList: value)
        guard case .dictionary(let members) = value, members.count == 1, let exact = members[exactKey] else {
            return try ItemValue.value(value, for: key)
        }
        return try inexact(exact)
    }

    /// The value that ``exact(_:)`` wrote.
    private static func inexact(_ value: PropertyValue) throws(ItemTable.Fault) -> PropertyValue {
        switch value {
        case .array(let values):
            var list: [PropertyValue] = []
            for value in values { list.append(try inexact(value)) }
            return .array(list)
        case .dictionary(let members):
            guard let member = members.first, members.count == 1, let value = typed(member.key, member.value) else {
                throw ItemTable.Fault(sentence: "what stands under \(exactKey) has no type that there is.")
            }
            guard case .dictionary(let members) = value else { return value }
            var exact: [String: PropertyValue] = [:]
            for (name, value) in members { exact[name] = try inexact(value) }
            return .dictionary(exact)
        default: return value
        }
    }

    private static func typed(_ type: String, _ value: PropertyValue) -> PropertyValue? {
        switch type {
        case "real": value.string.flatMap { Double($0) }.map { .real($0) }
        case "date": value.string.flatMap { Double($0) }.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case "data": value.string.flatMap { Data(base64Encoded: $0) }.map { .data($0) }
        case "dictionary": value.dictionary.map { .dictionary($0) }
        default: nil
        }
    }
}
