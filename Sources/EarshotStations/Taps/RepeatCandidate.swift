public import EarshotBroadcast
import EarshotClassification
import EarshotCore
public import EarshotMusic
public import Foundation

/// Unknown audio that stations repeat, offered for naming.
public struct RepeatCandidate: Hashable, Sendable, Codable {
    /// The identifier, such as `repeat-12`.
    public var id: String
    /// The duration, in seconds.
    public var length: Double
    /// The number of occurrences.
    public var count: Int
    /// The channels on which it was heard, in order of their identifiers.
    public var channels: [EntityID<BroadcastChannel>]
    /// The time of the first occurrence.
    public var firstHeard: Date
    /// The time of the last occurrence.
    public var lastHeard: Date
    /// The kind of most of the audio, from the classifier: `music`, `speech` or `noise`; `nil` if unknown.
    public var kind: String?
    /// The path of its recording, relative to the folder of repeats: `clips/repeat-12.wav`; `nil` without one.
    public var clip: String?

    init(_ audio: RepeatedAudio, clip: String?) {
        (id, length, count, channels) = (audio.id, audio.length.seconds, audio.count, audio.channels)
        (firstHeard, lastHeard) = (audio.firstHeard, audio.lastHeard)
        (kind, self.clip) = (audio.kind?.rawValue, clip)
    }
}

/// An instruction to name or dismiss a repeat.
public struct RepeatOrder: Hashable, Sendable, Codable {
    /// The identifier of the repeat, such as `repeat-12`.
    public var id: String
    /// `true` to dismiss it.
    public var isDismissed: Bool
    /// The title.
    public var title: String?
    /// The artist or owner.
    public var artist: String?
    /// The kind: a word such as `song`, `jingle` or `advertisement`.
    public var kind: String?

    /// Creates an instruction to name a repeat.
    public init(name id: String, title: String, artist: String? = nil, kind: String? = nil) {
        (self.id, isDismissed) = (id, false)
        (self.title, self.artist, self.kind) = (title, artist, kind)
    }

    /// Creates an instruction to dismiss a repeat.
    public init(dismiss id: String) { (self.id, isDismissed) = (id, true) }
}
