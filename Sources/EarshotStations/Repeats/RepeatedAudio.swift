public import EarshotBroadcast
public import EarshotClassification
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// Audio that no reference explains and that was heard more than once: an advert, a jingle, a song that is missing.
public struct RepeatedAudio: Hashable, Sendable, Identifiable {
    /// One time at which it was heard.
    public struct Occurrence: Hashable, Sendable, Codable {
        /// The channel.
        public let channel: EntityID<BroadcastChannel>
        /// The start.
        public let start: Date
        /// The end.
        public let end: Date
    }

    /// Its name, such as `repeat-12`; never used again.
    public let id: String
    /// The signature of the first occurrence that differed from its surroundings.
    public let signature: Signature
    /// The occurrences with channels, by time; at most the last thousand.
    public let occurrences: [Occurrence]
    /// The number of occurrences.
    public let count: Int
    /// The kind that most of it is, if known.
    public let kind: AudioKind?

    /// Its duration.
    public var length: MediaTime { signature.duration }
    /// The channels of its occurrences, in order of identifiers.
    public var channels: [EntityID<BroadcastChannel>] { Set(occurrences.map(\.channel)).sorted() }
    /// The time of the first occurrence.
    public var firstHeard: Date { occurrences.map(\.start).min() ?? .distantPast }
    /// The time of the last occurrence.
    public var lastHeard: Date { occurrences.map(\.start).max() ?? .distantPast }
    /// The seconds of broadcasts that it explains. Repeats with the highest weight are worth most to name.
    public var weight: Double { Double(count) * length.seconds }
}
