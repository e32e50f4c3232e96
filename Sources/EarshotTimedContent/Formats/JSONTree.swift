import EarshotCatalogs
import Foundation

/// A property-list value in JSON, without loss: dates, data and reals that look like whole numbers are objects of one
/// member, `{"$date": 0}` in seconds from 2001 on, `{"$data": "Base64"}` and `{"$real": 2}`. A dictionary that could be
/// taken for one of these stands in `{"$dictionary": …}`.
struct JSONTree: Codable, Sendable {
    let value: PropertyValue

    init(_ value: PropertyValue) { self.value = value }

    private static let tags: Set<String> = ["$date", "$data", "$real", "$dictionary"]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    // MARK: - Writing

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .string(let value): try value.encode(to: encoder)
        case .integer(let value): try value.encode(to: encoder)
        case .boolean(let value): try value.encode(to: encoder)
        case .real(let value) where value == value.rounded(): try ["$real": value].encode(to: encoder)
        case .real(let value): try value.encode(to: encoder)
        case .date(let value): try ["$date": value.timeIntervalSinceReferenceDate].encode(to: encoder)
        case .data(let value): try ["$data": value.base64EncodedString()].encode(to: encoder)
        case .array(let values): try values.map(JSONTree.init).encode(to: encoder)
        case .dictionary(let members):
            let trees = members.mapValues(JSONTree.init)
            if members.count == 1, let name = members.keys.first, Self.tags.contains(name) {
                try ["$dictionary": trees].encode(to: encoder)
            } else {
                try trees.encode(to: encoder)
            }
        }
    }

    /// The text: sorted members, so that equal values give equal bytes.
    static func text(_ value: some Encodable, isPretty: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    // MARK: - Reading

    /// How deep arrays and objects may be nested.
    private static let maximumDepth = 64

    /// What a document holds.
    static func read(_ text: String) throws(TimedContentFault) -> PropertyValue {
        do {
            return try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)).value
        } catch {
            throw fault(error)
        }
    }

    private static func fault(_ error: any Error) -> TimedContentFault {
        let context: DecodingError.Context
        switch error {
        case DecodingError.valueNotFound(_, let found):
            let path = found.codingPath.map { key in
                key.intValue.map(PropertyReader.Step.index) ?? .name(key.stringValue)
            }
            let reader = PropertyReader(value: .array([]), path: path)
            return TimedContentFault(reader.fault("must not be null: leave it out").sentence)
        case DecodingError.dataCorrupted(let found), DecodingError.typeMismatch(_, let found): context = found
        default: return TimedContentFault("This is not JSON: is it the right file?")
        }
        // Foundation says there which character it did not expect, and on which line.
        let cause = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
        let reason = (cause ?? context.debugDescription).trimmed
        return TimedContentFault("This is not JSON: \(reason.last == "." ? String(reason.dropLast()) : reason).")
    }

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The value is nested deeper than 64 levels.")
            )
        }
        if let container = try? decoder.container(keyedBy: Name.self) {
            // Inside this mark a dictionary is one, whatever its names are.
            let mark = Name(stringValue: "$dictionary")
            if container.allKeys.count == 1, container.contains(mark),
                let inner = try? container.nestedContainer(keyedBy: Name.self, forKey: mark)
            {
                value = .dictionary(try Self.members(inner))
            } else {
                value = Self.untagged(try Self.members(container))
            }
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [PropertyValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONTree.self).value) }
            value = .array(values)
        } else {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                value = .string(text)
            } else if let flag = try? container.decode(Bool.self) {
                value = .boolean(flag)
            } else if let number = try? container.decode(Int64.self) {
                value = .integer(number)
            } else {
                value = .real(try container.decode(Double.self))
            }
        }
    }

    private static func members(_ container: KeyedDecodingContainer<Name>) throws -> [String: PropertyValue] {
        var members: [String: PropertyValue] = [:]
        for name in container.allKeys where try !container.decodeNil(forKey: name) {
            members[name.stringValue] = try container.decode(JSONTree.self, forKey: name).value
        }
        return members
    }

    /// What the members of an object stand for.
    static func untagged(_ members: [String: PropertyValue]) -> PropertyValue {
        guard members.count == 1, let (name, value) = members.first else { return .dictionary(members) }
        switch (name, value) {
        case ("$real", _):
            if let number = value.real { return .real(number) }
        case ("$date", _):
            if let seconds = value.real { return .date(Date(timeIntervalSinceReferenceDate: seconds)) }
        case ("$data", .string(let text)):
            if let data = Data(base64Encoded: text) { return .data(data) }
        default: break
        }
        return .dictionary(members)
    }
}
