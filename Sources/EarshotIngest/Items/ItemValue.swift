package import Earshot
import Foundation

/// Values of a table of media items: the same whether they were written as text in CSV, or with types in JSON and property
/// lists.
package enum ItemValue {
    /// Predefined keys of text.
    package static let textKeys: Set<MediaItemKey> = [
        .title, .subtitle, .artist, .album, .artworkURL, .videoURL, .webURL, .isrc, .storeID, .storeURL, .serviceID,
    ]

    private enum Kind {
        case text, texts, boolean, date, ranges, timeline, free

        init(_ key: MediaItemKey) {
            switch key {
            case _ where ItemValue.textKeys.contains(key): self = .text
            case .genres: self = .texts
            case .explicitContent: self = .boolean
            case .creationDate: self = .date
            case .timeRanges, .frequencySkewRanges: self = .ranges
            case .timeline: self = .timeline
            default: self = .free
            }
        }
    }

    /// The value of a field of text.
    package static func value(_ text: String, for key: MediaItemKey) throws(ItemTable.Fault) -> PropertyValue {
        let bare = text.trimmingCharacters(in: .whitespaces)
        switch Kind(key) {
        case .text: return .string(text)
        case .texts:
            let parts = bare.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            return .array(parts.filter { !$0.isEmpty }.map { .string($0) })
        case .boolean:
            guard let value = truth[bare.lowercased()] else { throw fault(text, "neither true nor false") }
            return .boolean(value)
        case .date:
            guard let date = date(bare) else {
                throw fault(text, "not a date: write 2024-05-01 or 2024-05-01T12:00:00Z")
            }
            return .date(date)
        case .ranges:
            var ranges: [PropertyValue] = []
            for part in bare.split(separator: ";") where !part.allSatisfy(\.isWhitespace) {
                guard let range = range(part) else {
                    throw fault(text, "not a list of ranges: write for example 0-24;30-40")
                }
                ranges.append(range)
            }
            return .array(ranges)
        case .timeline:
            guard let root = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
                let value = try? PropertyValue(propertyList: root)
            else { throw fault(text, "not a timeline in JSON: write one with `earshot timed export`") }
            return value
        case .free:
            if let number = Int64(bare) { return .integer(number) }
            if let number = Double(bare), number.isFinite { return whole(number) }
            if bare == "true" || bare == "false" { return .boolean(bare == "true") }
            return instant(text)
        }
    }

    /// The value of a member with a type.
    package static func value(_ value: PropertyValue, for key: MediaItemKey) throws(ItemTable.Fault) -> PropertyValue {
        switch (Kind(key), value) {
        // What is a number to JSON may be a name to people.
        case (.text, .integer(let number)): return .string(String(number))
        case (.texts, .string(let text)), (.boolean, .string(let text)), (.date, .string(let text)),
            (.ranges, .string(let text)):
            return try self.value(text, for: key)
        case (.boolean, .integer(let number)) where number == 0 || number == 1: return .boolean(number == 1)
        case (.ranges, .array(let ranges)):
            return .array(
                ranges.map { range in
                    guard let pair = range.array else { return range }
                    return .array(pair.map { $0.real.map { .real($0) } ?? $0 })
                }
            )
        case (.free, _): return plain(value)
        // What has a wrong type is told when the item is made.
        default: return value
        }
    }

    // MARK: - Parts

    private static let truth = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

    private static func fault(_ text: String, _ what: String) -> ItemTable.Fault {
        ItemTable.Fault(sentence: "\"\(text.prefix(40))\" is \(what).")
    }

    /// CSV cannot tell 5.0 from 5, nor JSON a date from text: these are the same in every form.
    private static func plain(_ value: PropertyValue) -> PropertyValue {
        switch value {
        case .real(let number): whole(number)
        case .string(let text): instant(text)
        case .array(let values): .array(values.map(plain))
        case .dictionary(let members): .dictionary(members.mapValues(plain))
        default: value
        }
    }

    private static func whole(_ number: Double) -> PropertyValue {
        guard number == number.rounded(), abs(number) < 1e15 else { return .real(number) }
        return .integer(Int64(number))
    }

    /// Text that is a date with a time and a zone, as a date.
    private static func instant(_ text: String) -> PropertyValue {
        guard text.count >= 17, text.contains("T"), let date = date(text) else { return .string(text) }
        return .date(date)
    }

    private static func date(_ text: String) -> Date? {
        if text.count == 10 { return try? Date(text + "T00:00:00Z", strategy: .iso8601) }
        return (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// `0-24`, `1:30-2:00`, `-0.05-0.05`.
    private static func range(_ text: Substring) -> PropertyValue? {
        let text = text.trimmingCharacters(in: .whitespaces).replacing("–", with: "-")
        // The dash between them, not that of a number below zero.
        guard let dash = text.dropFirst().firstIndex(of: "-"), let low = number(text[..<dash]),
            let high = number(text[text.index(after: dash)...])
        else { return nil }
        return .array([.real(low), .real(high)])
    }

    private static func number(_ text: Substring) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let number = Double(text) { return number.isFinite ? number : nil }
        return WrittenTime(text)?.time.seconds
    }
}
