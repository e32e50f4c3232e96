import EarshotCatalogs
import EarshotCore
import Foundation

// The form of the files, described in `Docs/formats/timed-content.md`. JSON has neither dates nor data, and does not tell
// 2.0 from 2: these are objects of one member, `{"$date": 0}` in seconds from 2001 on, `{"$data": "Base64"}` and
// `{"$real": 2}`. A dictionary that could be taken for one of these stands in `{"$dictionary": …}`.

private let dictionaryTag = "$dictionary"
private let tags: Set<String> = ["$date", "$data", "$real", dictionaryTag]

extension JSONValue {
    /// Creates JSON from which ``PropertyValue/init(tagged:path:)`` gets the same value.
    init(tagging value: PropertyValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .integer(let value): self = .integer(value)
        case .boolean(let value): self = .boolean(value)
        case .real(let value) where value == value.rounded(): self = ["$real": .number(value)]
        case .real(let value): self = .number(value)
        case .date(let value): self = ["$date": .number(value.timeIntervalSinceReferenceDate)]
        case .data(let value): self = ["$data": .string(value.base64EncodedString())]
        case .array(let values): self = .array(values.map(JSONValue.init(tagging:)))
        case .dictionary(let members):
            let object = JSONValue.object(members.mapValues(JSONValue.init(tagging:)))
            let isLikeTag = members.count == 1 && members.keys.allSatisfy { tags.contains($0) }
            self = isLikeTag ? [dictionaryTag: object] : object
        }
    }

    /// Creates the JSON of a document: payloads and metadata without loss, everything else plainly.
    init(document value: PropertyValue) {
        switch value {
        case .real(let value): self = .number(value)
        case .array(let values): self = .array(values.map(JSONValue.init(document:)))
        case .dictionary(let members):
            let pairs = members.map { name, value in
                let isFree = name == "payload" || name == "metadata"
                return (name, isFree ? JSONValue(tagging: value) : JSONValue(document: value))
            }
            self = .object(Dictionary(uniqueKeysWithValues: pairs))
        default: self = JSONValue(tagging: value)
        }
    }

    /// The text with sorted members, so that equal values give equal bytes.
    func text(isPretty: Bool = false) throws -> String { try JSONEncoder.sorted(isPretty: isPretty).text(self) }
}

extension PropertyValue {
    /// Reads a JSON document.
    init(json text: String) throws(TimedContentFault) {
        let json: JSONValue
        do {
            json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw Self.fault(error)
        }
        do throws(PropertyReader.Fault) {
            try self.init(tagged: json)
        } catch {
            throw TimedContentFault(error.sentence)
        }
    }

    private static func fault(_ error: any Error) -> TimedContentFault {
        let context: DecodingError.Context
        switch error {
        case DecodingError.dataCorrupted(let found), DecodingError.typeMismatch(_, let found): context = found
        default: return TimedContentFault("This is not JSON: is it the right file?")
        }
        // Foundation says there which character it did not expect, and on which line.
        let cause = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
        let reason = (cause ?? context.debugDescription).trimmed
        return TimedContentFault("This is not JSON: \(reason.last == "." ? String(reason.dropLast()) : reason).")
    }

    /// Creates the value that ``JSONValue/init(tagging:)`` wrote. Members that are `null` are left out.
    ///
    /// - Parameter path: The way to the value, for the fault.
    init(tagged json: JSONValue, path: [PropertyReader.Step] = []) throws(PropertyReader.Fault) {
        switch json {
        case .null:
            throw PropertyReader(value: .array([]), path: path).fault("must not be null: leave it out")
        case .string(let value): self = .string(value)
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .real(value)
        case .array(let values):
            var list: [PropertyValue] = []
            for (index, value) in values.enumerated() {
                list.append(try PropertyValue(tagged: value, path: path + [.index(index)]))
            }
            self = .array(list)
        case .object(let members):
            // Inside this mark a dictionary is one, whatever its names are.
            if members.count == 1, case .object(let inner)? = members[dictionaryTag] {
                self = .dictionary(try Self.members(inner, path + [.name(dictionaryTag)]))
            } else {
                self = Self.untagged(try Self.members(members, path))
            }
        }
    }

    private static func members(
        _ object: [String: JSONValue],
        _ path: [PropertyReader.Step]
    ) throws(PropertyReader.Fault) -> [String: PropertyValue] {
        var members: [String: PropertyValue] = [:]
        for (name, value) in object where value != .null {
            members[name] = try PropertyValue(tagged: value, path: path + [.name(name)])
        }
        return members
    }

    /// The value that the members of an object stand for.
    private static func untagged(_ members: [String: PropertyValue]) -> PropertyValue {
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
