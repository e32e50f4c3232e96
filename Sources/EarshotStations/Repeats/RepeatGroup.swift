import EarshotClassification
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// Intervals with the same audio.
struct RepeatGroup: Sendable, Codable {
    enum Status: String, Sendable, Codable { case open, named, dismissed }

    /// An interval of a channel, in steps since 1970.
    struct Place: Hashable, Sendable, Codable {
        var channel: String
        var begin: Int64
        var end: Int64

        var length: Int64 { end - begin }

        func shared(with other: Place) -> Int64 {
            channel == other.channel ? max(0, min(end, other.end) - max(begin, other.begin)) : 0
        }

        /// Returns `true` if both are about the same interval: they share 60 % of their union.
        func isSame(as other: Place) -> Bool {
            let shared = shared(with: other)
            return 10 * shared >= 6 * (length + other.length - shared)
        }

        /// Returns `true` if at least 80 % of it lies in another.
        func isInside(_ other: Place) -> Bool { 10 * shared(with: other) >= 8 * length }
    }

    /// The most places that are kept of a group; beyond it the oldest goes.
    static let placeLimit = 1_000

    let number: Int
    var status = Status.open
    /// The encoded signature of the first place whose start and end were both heard.
    var signature: Data
    var length: Int64
    var kind: AudioKind?
    private(set) var places: [Place]
    /// The number of times that it was heard, including places that were removed.
    private(set) var count: Int

    init(number: Int, signature: Signature, kind: AudioKind?, places: [Place]) {
        self.number = number
        self.signature = signature.data
        length = LiveTime.steps(signature.duration)
        self.kind = kind
        self.places = places
        count = places.count
    }

    /// Adds a place, unless it overlaps or touches a known one.
    ///
    /// - Returns: `true` if it was added.
    mutating func add(_ place: Place) -> Bool {
        // Places that overlap or touch are one occurrence.
        let touch = LiveTime.stepsPerSecond
        let near = Place(channel: place.channel, begin: place.begin - touch, end: place.end + touch)
        guard !places.contains(where: { $0.shared(with: near) > 0 }) else { return false }
        places.append(place)
        count += 1
        if places.count > Self.placeLimit { places.removeFirst(places.count - Self.placeLimit) }
        return true
    }

    /// Removes places that ended before a step.
    mutating func expire(before step: Int64) { places.removeAll { $0.end < step } }

    /// The repeat for users; `nil` if the signature is damaged.
    var audio: RepeatedAudio? {
        guard let signature = try? Signature(data: signature) else { return nil }
        return RepeatedAudio(
            id: "repeat-\(number)",
            signature: signature,
            occurrences: places.map {
                RepeatedAudio.Occurrence(
                    channel: EntityID($0.channel),
                    start: LiveTime.date($0.begin),
                    end: LiveTime.date($0.end)
                )
            }.sorted { $0.start < $1.start },
            count: count,
            kind: kind
        )
    }
}
