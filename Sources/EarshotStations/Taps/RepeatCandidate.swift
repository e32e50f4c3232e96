public import EarshotBroadcast
import EarshotClassification
import EarshotCore
public import EarshotMusic
public import Foundation

/// Unknown audio that stations repeat, offered for naming.
public struct RepeatCandidate: Hashable, Sendable, Codable {
    /// Its name: `repeat-12`.
    public var id: String
    /// Its duration, in seconds.
    public var length: Double
    /// The number of occurrences.
    public var count: Int
    /// The channels on which it was heard, in order of identifiers.
    public var channels: [EntityID<BroadcastChannel>]
    /// The time of the first occurrence.
    public var firstHeard: Date
    /// The time of the last occurrence.
    public var lastHeard: Date
    /// The kind that most of it is, from the classifier: `music`, `speech` or `noise`.
    public var kind: String?
    /// Its recording, relative to the folder of repeats: `clips/repeat-12.wav`. `nil` while there is none.
    public var clip: String?

    init(_ audio: RepeatedAudio, clip: String?) {
        (id, length, count, channels) = (audio.id, audio.length.seconds, audio.count, audio.channels)
        (firstHeard, lastHeard) = (audio.firstHeard, audio.lastHeard)
        (kind, self.clip) = (audio.kind?.rawValue, clip)
    }
}

/// An operation on a repeat.
public struct RepeatOrder: Hashable, Sendable, Codable {
    /// Its name: `repeat-12`.
    public var id: String
    /// `true` if it is of no interest.
    public var isDismissed: Bool
    /// The title.
    public var title: String?
    /// The artist or owner.
    public var artist: String?
    /// The kind: a word such as `song`, `jingle` or `advertisement`.
    public var kind: String?

    /// An order to name it.
    public init(name id: String, title: String, artist: String? = nil, kind: String? = nil) {
        (self.id, isDismissed) = (id, false)
        (self.title, self.artist, self.kind) = (title, artist, kind)
    }

    /// An order to offer it no more.
    public init(dismiss id: String) { (self.id, isDismissed) = (id, true) }
}
