/// The state of a node in following a shared catalog.
package struct SharedCatalogStatus: Hashable, Sendable {
    /// The generation that the node searches.
    package var generation: Int
    package var segmentCount: Int
    /// The number of segments that are here and searched themselves.
    package var heldSegmentCount: Int
    /// The number of generations since the last one of which no segment was missing.
    package var lag: Int
    package var referenceCount: Int
    /// The bytes of all segments of the catalog.
    package var size: Int
    /// The objects of segments that the node is to hold and cannot search, neither themselves nor in their sources.
    package var missing: [String]
    package var missingReferenceCount: Int
    /// The number of segments that other nodes hold, and this one does not.
    package var elsewhereCount: Int
    /// `true` if no segment that this node is to hold has been missing for longer than a new one may take to come.
    package var isComplete: Bool
    /// The messages of failed fetches that are not made up for yet.
    package var failures: [String]
    /// The time since the database last answered, in seconds.
    package var silence: Double
}
