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
        /// When it began.
        public let start: Date
        /// When it ended.
        public let end: Date
    }

    /// Its name, such as `repeat-12`; never used again.
    public let id: String
    /// What was heard at the first occurrence that was told from its surroundings.
    public let signature: Signature
    /// When and where it was heard, in order of time; the last thousand at most.
    public let occurrences: [Occurrence]
    /// How often it was heard.
    public let count: Int
    /// What it mostly is, where that was told.
    public let kind: AudioKind?

    /// Its duration.
    public var length: MediaTime { signature.duration }
    /// Where it was heard, in order of ids.
    public var channels: [EntityID<BroadcastChannel>] { Set(occurrences.map(\.channel)).sorted() }
    /// When it was heard first.
    public var firstHeard: Date { occurrences.map(\.start).min() ?? .distantPast }
    /// When it was heard last.
    public var lastHeard: Date { occurrences.map(\.start).max() ?? .distantPast }
    /// Seconds of broadcasts that it explains: what comes first is worth most to name.
    public var weight: Double { Double(count) * length.seconds }
}
