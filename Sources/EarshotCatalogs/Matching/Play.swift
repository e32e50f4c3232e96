public import EarshotCore

/// An interval of a recording in which a reference is heard.
///
/// The members of ``placement`` are members of the play: `play.queryRange` is the interval of the recording,
/// `play.referenceRange` the part of the reference that is heard. Plays may overlap: music under speech, a song faded
/// into the next, or two songs at once.
@dynamicMemberLookup
public struct Play: Hashable, Sendable {
    /// The reference's name in its catalog.
    public let id: ReferenceID
    /// The media items that apply to the part that is heard. Items whose time ranges overlap it come first, the latest
    /// start first; then items without time ranges. Items limited to other times or other frequency skews are left out.
    /// If this leaves none, one item without properties.
    public let items: [MediaItem]
    /// All items of the reference.
    package let referenceItems: [MediaItem]
    /// The duration of the reference.
    public let referenceDuration: MediaTime
    /// The position of the recording on the reference. The score is that of the whole play: it grows with length and
    /// clarity.
    public let placement: Placement
    /// Further offsets at which the same interval fits because the reference repeats itself, best first.
    public let alternatives: [MediaTime]
    /// The reference of a more certain play that explains the same audio: the catalog has the recording twice, or on an
    /// album and in a mix. `nil` for a play with audio of its own.
    public internal(set) var duplicateOf: ReferenceID?

    /// Creates a play.
    ///
    /// - Parameter items: All items of the reference; ``items`` has those that apply.
    package init(
        id: ReferenceID,
        items: [MediaItem],
        referenceDuration: MediaTime,
        placement: Placement,
        alternatives: [MediaTime] = [],
        duplicateOf: ReferenceID? = nil
    ) {
        self.id = id
        referenceItems = items
        self.items = items.applying(to: placement.referenceRange, pitchSkew: placement.pitchSkew)
        self.referenceDuration = referenceDuration
        self.placement = placement
        self.alternatives = alternatives
        self.duplicateOf = duplicateOf
    }

    /// Returns a member of the placement.
    public subscript<Value>(dynamicMember path: KeyPath<Placement, Value>) -> Value { placement[keyPath: path] }
}
