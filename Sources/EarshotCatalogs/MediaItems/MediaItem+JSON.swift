package import EarshotCore
import Foundation

// JSON has neither dates nor data, and does not distinguish 2.0 from 2. They are objects of one member, as in timed
// content: `{"$date": 0}` in seconds since 2001, `{"$data": "Base64"}`, `{"$real": 2}`. A dictionary that looks like
// one of them is wrapped in `{"$dictionary": …}`.

extension MediaItem {
    /// The properties as a JSON object, from which ``init(json:)`` creates an equal item.
    package var json: JSONValue {
        .object(Dictionary(uniqueKeysWithValues: properties.map { ($0.key.rawValue, $0.value.json) }))
    }

    /// Creates an item from a JSON object. Members that are `null` are ignored.
    ///
    /// - Throws: `mediaItemInvalid` with the path to a value that is not allowed.
    package init(json: JSONValue) throws(EarshotError) {
        guard case .object(let members) = json else {
            throw EarshotError(
                .mediaItemInvalid,
                "This is no media item: give a JSON object with a member for each property."
            )
        }
        var properties: [MediaItemKey: PropertyValue] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
            properties[MediaItemKey(name)] = try PropertyValue(json: value, path: name)
        }
        try self.init(properties: properties)
    }
}

extension PropertyValue {
    private static let dictionaryTag = "$dictionary"
    private static let tags: Set<String> = ["$date", "$data", "$real", dictionaryTag]

    fileprivate var json: JSONValue {
        switch self {
        case .string(let value): return .string(value)
        case .integer(let value): return .integer(value)
        case .boolean(let value): return .boolean(value)
        case .real(let value) where value == value.rounded(): return ["$real": .number(value)]
        case .real(let value): return .number(value)
        case .date(let value): return ["$date": .number(value.timeIntervalSinceReferenceDate)]
        case .data(let value): return ["$data": .string(value.base64EncodedString())]
        case .array(let values): return .array(values.map(\.json))
        case .dictionary(let members):
            let object = JSONValue.object(members.mapValues(\.json))
            let isLikeTag = members.count == 1 && members.keys.allSatisfy(Self.tags.contains)
            return isLikeTag ? [Self.dictionaryTag: object] : object
        }
    }

    fileprivate init(json: JSONValue, path: String, depth: Int = 1) throws(EarshotError) {
        guard depth <= Self.maximumDepth else { throw Self.invalid(path, "is nested deeper than 32 levels") }
        switch json {
        case .null: throw Self.invalid(path, "is null")
        case .string(let value): self = .string(value)
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .real(value)
        case .array(let values):
            var list: [PropertyValue] = []
            for (index, value) in values.enumerated() {
                list.append(try PropertyValue(json: value, path: "\(path)[\(index)]", depth: depth + 1))
            }
            self = .array(list)
        case .object(let members):
            if let value = Self.untagged(members) {
                self = value
                return
            }
            // The content of `$dictionary` is a dictionary, even if its only name is one of the tags.
            var inner = members
            if members.count == 1, case .object(let object)? = members[Self.dictionaryTag] { inner = object }
            var dictionary: [String: PropertyValue] = [:]
            for (name, value) in inner.sorted(by: { $0.key < $1.key }) where value != .null {
                dictionary[name] = try PropertyValue(json: value, path: "\(path).\(name)", depth: depth + 1)
            }
            self = .dictionary(dictionary)
        }
    }

    /// Returns the value of an object with one tagged member; `nil` for other objects.
    private static func untagged(_ members: [String: JSONValue]) -> PropertyValue? {
        guard members.count == 1, let (name, value) = members.first else { return nil }
        switch (name, value) {
        case ("$real", _): return value.number.map { .real($0) }
        case ("$date", _): return value.number.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case ("$data", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
        default: return nil
        }
    }
}
