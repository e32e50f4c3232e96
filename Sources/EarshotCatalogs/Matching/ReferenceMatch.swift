public import EarshotCore

/// A reference in which a query was found, with every place of the query in it.
///
/// The members of the best placement are members of the match: `match.offset` is `match.best.offset`.
@dynamicMemberLookup
public struct ReferenceMatch: Hashable, Sendable, Identifiable {
    /// The reference's name in its catalog.
    public let id: ReferenceID
    /// The media items that the reference represents.
    public let items: [MediaItem]
    /// The duration of the reference.
    public let referenceDuration: MediaTime
    /// The placements of the query, best first; at least one, and more if the music repeats itself.
    public let occurrences: [Placement]

    /// The best placement.
    public var best: Placement { occurrences[0] }

    /// Returns a member of the best placement.
    public subscript<Value>(dynamicMember path: KeyPath<Placement, Value>) -> Value { best[keyPath: path] }
}
