import EarshotCore
import Foundation

extension MediaItem {
    static func validate(_ properties: [MediaItemKey: PropertyValue]) throws(EarshotError) {
        for (key, value) in properties.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let path = key.rawValue
            try validate(name: path, path: path)
            guard !MediaItemKey.writtenByMatch.contains(key) else {
                throw EarshotError(
                    .mediaItemInvalid,
                    "The key \(path) is reserved for matches: leave it out of the item."
                )
            }
            try validate(value, path: path, depth: 1)
            if let kind = kinds[key], !kind.accepts(value) {
                throw EarshotError(.mediaItemInvalid, "The value at \(path) must be \(kind.name).")
            }
        }
        var writer = ByteWriter()
        PropertyValue.encode(
            Dictionary(uniqueKeysWithValues: properties.map { ($0.key.rawValue, $0.value) }),
            to: &writer
        )
        guard writer.bytes.count <= maximumSize else {
            throw EarshotError(
                .mediaItemInvalid,
                "The item takes \(writer.bytes.count) bytes, and 1,048,576 are allowed: keep large data elsewhere "
                    + "and store its address."
            )
        }
    }

    private static func validate(_ value: PropertyValue, path: String, depth: Int) throws(EarshotError) {
        guard depth <= PropertyValue.maximumDepth else {
            throw PropertyValue.invalid(path, "is nested deeper than 32 levels")
        }
        switch value {
        case .real(let number) where !number.isFinite:
            throw PropertyValue.invalid(path, "is not a finite number")
        case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite:
            throw PropertyValue.invalid(path, "is not a finite date")
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try validate(element, path: "\(path)[\(index)]", depth: depth + 1)
            }
        case .dictionary(let members):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                try validate(member, path: "\(path).\(name)", depth: depth + 1)
            }
        default: break
        }
    }

    private static func validate(name: String, path: String) throws(EarshotError) {
        guard (1...128).contains(name.count) else {
            throw EarshotError(
                .mediaItemInvalid,
                "A key has \(name.count) characters, and 1 to 128 are allowed: rename \"\(name.prefix(40))\"."
            )
        }
    }

    // MARK: - Types of the predefined keys

    private enum Kind: Sendable {
        case text, texts, boolean, date, pairs, timeline

        var name: String {
            switch self {
            case .text: "text"
            case .texts: "an array of text"
            case .boolean: "a boolean"
            case .date: "a date"
            case .pairs: "an array of pairs of numbers, the first of each less than the second"
            case .timeline: "a timeline: a dictionary with an array of entries, each with its start in seconds"
            }
        }

        func accepts(_ value: PropertyValue) -> Bool {
            switch self {
            case .text: return value.string != nil
            case .texts: return value.array?.allSatisfy { $0.string != nil } ?? false
            case .boolean: return value.boolean != nil
            case .date: return value.date != nil
            case .pairs:
                return value.array?.allSatisfy { pair in
                    guard let pair = pair.array, pair.count == 2, let low = pair[0].real, let high = pair[1].real else {
                        return false
                    }
                    return low < high
                } ?? false
            case .timeline:
                // The rest of a timeline is checked where it is read, in the layer that defines it.
                return value.dictionary?["entries"]?.array?.allSatisfy { entry in
                    entry.dictionary?["start"]?.real.map { $0 >= 0 } ?? false
                } ?? false
            }
        }
    }

    private static let kinds: [MediaItemKey: Kind] = [
        .title: .text, .subtitle: .text, .artist: .text, .album: .text, .genres: .texts, .artworkURL: .text,
        .videoURL: .text, .webURL: .text, .isrc: .text, .explicitContent: .boolean, .storeID: .text,
        .storeURL: .text, .serviceID: .text, .creationDate: .date, .timeRanges: .pairs, .frequencySkewRanges: .pairs,
        .timeline: .timeline,
    ]
}
