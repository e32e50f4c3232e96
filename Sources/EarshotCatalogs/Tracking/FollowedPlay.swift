public import EarshotCore

/// A reference that a stream plays, or has played.
public struct FollowedPlay: Hashable, Sendable {
    /// Counts the plays of a stream, from 1: what is said later about a play has the same number.
    public let number: Int
    /// The reference's name in its catalog.
    public internal(set) var id: ReferenceID
    /// All items of the reference, whatever part is heard.
    package internal(set) var referenceItems: [MediaItem]
    /// How long the reference is.
    public internal(set) var referenceDuration: MediaTime
    /// When it is heard, on the stream's timeline; of a play that goes on, as far as is known.
    public internal(set) var range: Range<MediaTime>
    /// The part of the reference that is heard.
    public internal(set) var referenceRange: Range<MediaTime>
    /// How much of ``range`` the stream was lost.
    public internal(set) var lost: MediaTime
    /// How much faster than the reference it plays: 0.05 is 5 % fast.
    public internal(set) var speedSkew: Double
    /// How much higher than the reference it sounds: 0.05 is 105 Hz for 100 Hz.
    public internal(set) var pitchSkew: Double
    /// Evidence against chance, in nats: the best of what was seen at once.
    public internal(set) var score: Double
    /// How sure the play is, from 0 to 1.
    public internal(set) var confidence: Double
    /// References that the same audio is too: the recording is in the catalog more than once.
    public internal(set) var duplicates: [ReferenceID]

    /// The media items that apply to the part that is heard, in the order of ``Play/items``.
    public var items: [MediaItem] { referenceItems.applying(to: referenceRange, pitchSkew: pitchSkew) }

    /// A play, such as one that was kept when a program ended, for ``PlayTracker/resume(_:)``.
    public init(
        number: Int,
        id: ReferenceID,
        items: [MediaItem] = [],
        referenceDuration: MediaTime,
        range: Range<MediaTime>,
        referenceRange: Range<MediaTime>,
        lost: MediaTime = .zero,
        speedSkew: Double = 0,
        pitchSkew: Double = 0,
        score: Double = 0,
        confidence: Double = 0,
        duplicates: [ReferenceID] = []
    ) {
        self.number = number
        self.id = id
        referenceItems = items
        self.referenceDuration = referenceDuration
        self.range = range
        self.referenceRange = referenceRange
        self.lost = lost
        self.speedSkew = speedSkew
        self.pitchSkew = pitchSkew
        self.score = score
        self.confidence = confidence
        self.duplicates = duplicates
    }

    /// How long it was heard, without the time during which the stream was lost.
    public var playedDuration: MediaTime { max(.zero, range.upperBound - range.lowerBound - lost) }
}
