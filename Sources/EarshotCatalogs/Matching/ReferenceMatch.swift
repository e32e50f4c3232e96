public import EarshotCore

/// A reference in which a query was found, and every place in it where it was.
///
/// Members of the best placement are members of the match: `match.offset` is `match.best.offset`.
@dynamicMemberLookup
public struct ReferenceMatch: Hashable, Sendable, Identifiable {
    /// The reference's name in its catalog.
    public let id: ReferenceID
    /// The media items that the reference represents.
    public let items: [MediaItem]
    /// The duration of the reference.
    public let referenceDuration: MediaTime
    /// Every place where the query was found, best first; at least one. More than one when the music repeats itself.
    public let occurrences: [Placement]

    /// The best place.
    public var best: Placement { occurrences[0] }

    /// A member of the best placement.
    public subscript<Value>(dynamicMember path: KeyPath<Placement, Value>) -> Value { best[keyPath: path] }
}
