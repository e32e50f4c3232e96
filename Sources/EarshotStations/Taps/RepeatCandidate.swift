public import EarshotBroadcast
import EarshotClassification
import EarshotCore
public import EarshotMusic
public import Foundation

/// Unknown audio that stations repeat, as it is offered for naming.
public struct RepeatCandidate: Hashable, Sendable, Codable {
    /// Its name: `repeat-12`.
    public var id: String
    /// Its duration, in seconds.
    public var length: Double
    /// How often it was heard.
    public var count: Int
    /// Where it was heard, in the order of identifiers.
    public var channels: [EntityID<BroadcastChannel>]
    /// When it was heard first.
    public var firstHeard: Date
    /// When it was heard last.
    public var lastHeard: Date
    /// What it mostly is, as the classifier tells it: `music`, `speech` or `noise`.
    public var kind: String?
    /// Its recording, from the folder of repeats on: `clips/repeat-12.wav`. Nothing while there is none.
    public var clip: String?

    init(_ audio: RepeatedAudio, clip: String?) {
        (id, length, count, channels) = (audio.id, audio.length.seconds, audio.count, audio.channels)
        (firstHeard, lastHeard) = (audio.firstHeard, audio.lastHeard)
        (kind, self.clip) = (audio.kind?.rawValue, clip)
    }
}

/// What is to be done with repeated audio.
public struct RepeatOrder: Hashable, Sendable, Codable {
    /// Its name: `repeat-12`.
    public var id: String
    /// `true` if it is of no interest.
    public var isDismissed: Bool
    /// What it is called.
    public var title: String?
    /// Who plays, or whose it is.
    public var artist: String?
    /// What it is: a word such as `song`, `jingle` or `advertisement`.
    public var kind: String?

    /// An order to name it.
    public init(name id: String, title: String, artist: String? = nil, kind: String? = nil) {
        (self.id, isDismissed) = (id, false)
        (self.title, self.artist, self.kind) = (title, artist, kind)
    }

    /// An order to offer it no more.
    public init(dismiss id: String) { (self.id, isDismissed) = (id, true) }
}
