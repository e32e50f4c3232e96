public import EarshotCore

/// A reference that a stream plays or has played.
///
/// The members of the ``placement`` are members of the play: `play.queryRange` is the interval in which it is heard, on
/// the stream's timeline.
@dynamicMemberLookup
public struct TrackedPlay: Hashable, Sendable {
    /// The number of the play in its stream, from 1. All changes of a play have the same number.
    public let number: Int
    /// The reference's name in its catalog.
    public internal(set) var id: ReferenceID
    /// All items of the reference.
    package internal(set) var referenceItems: [MediaItem]
    /// The duration of the reference.
    public internal(set) var referenceDuration: MediaTime
    /// The alignment of the stream with the reference; so far, for a running play. The score is the highest of a single
    /// analysis.
    public internal(set) var placement: Placement
    /// The total duration of interruptions of the stream during the play.
    public internal(set) var lost: MediaTime
    /// Other references with the same audio: the catalog has the recording more than once.
    public internal(set) var duplicates: [ReferenceID]

    /// The media items that apply to the part that is heard, in the order of ``Play/items``.
    public var items: [MediaItem] {
        referenceItems.applying(to: placement.referenceRange, pitchSkew: placement.pitchSkew)
    }

    /// Creates a play, for example from one that was saved, for ``PlayTracker/resume(_:)``.
    public init(
        number: Int,
        id: ReferenceID,
        items: [MediaItem] = [],
        referenceDuration: MediaTime,
        placement: Placement,
        lost: MediaTime = .zero,
        duplicates: [ReferenceID] = []
    ) {
        self.number = number
        self.id = id
        referenceItems = items
        self.referenceDuration = referenceDuration
        self.placement = placement
        self.lost = lost
        self.duplicates = duplicates
    }

    /// A member of the placement.
    public internal(set) subscript<Value>(dynamicMember path: WritableKeyPath<Placement, Value>) -> Value {
        get { placement[keyPath: path] }
        set { placement[keyPath: path] = newValue }
    }

    /// The duration for which the reference was heard, without the time during which the stream was lost.
    public var playedDuration: MediaTime {
        max(.zero, placement.queryRange.upperBound - placement.queryRange.lowerBound - lost)
    }
}
