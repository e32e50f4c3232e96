public import EarshotBroadcast
public import EarshotClassification
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// Audio that no reference explains and that was heard more than once: an advertisement, a jingle, a missing song.
public struct RepeatedAudio: Hashable, Sendable, Identifiable {
    /// One occurrence of the audio.
    public struct Occurrence: Hashable, Sendable, Codable {
        /// The channel.
        public let channel: EntityID<BroadcastChannel>
        /// The start.
        public let start: Date
        /// The end.
        public let end: Date
    }

    /// The identifier, such as `repeat-12`; it is not used again.
    public let id: String
    /// The signature of the first occurrence that differed from its surroundings.
    public let signature: Signature
    /// The occurrences, by time; at most the last thousand.
    public let occurrences: [Occurrence]
    /// The number of occurrences, including those no longer listed.
    public let count: Int
    /// The kind of most of the audio; `nil` if unknown.
    public let kind: AudioKind?

    /// The duration of the audio.
    public var length: MediaTime { signature.duration }
    /// The channels of its occurrences, in order of their identifiers.
    public var channels: [EntityID<BroadcastChannel>] { Set(occurrences.map(\.channel)).sorted() }
    /// The time of the first occurrence.
    public var firstHeard: Date { occurrences.map(\.start).min() ?? .distantPast }
    /// The time of the last occurrence.
    public var lastHeard: Date { occurrences.map(\.start).max() ?? .distantPast }
    /// The total duration of the occurrences, in seconds. Repeats with the highest weight are worth most to name.
    public var weight: Double { Double(count) * length.seconds }
}
