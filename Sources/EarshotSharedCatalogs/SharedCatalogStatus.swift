/// The state of a node in following a shared catalog.
package struct SharedCatalogStatus: Hashable, Sendable {
    /// The generation that it searches.
    package var generation: Int
    package var segmentCount: Int
    /// The number of segments that are here and searched themselves.
    package var heldSegmentCount: Int
    /// The number of generations since the last one that was searched whole: of which no segment was missing.
    package var lag: Int
    package var referenceCount: Int
    /// Bytes of all segments.
    package var size: Int
    /// Objects of segments that it searches neither themselves nor in their sources.
    package var missing: [String]
    package var missingReferenceCount: Int
    /// The number of segments that other nodes hold, and this one does not.
    package var elsewhereCount: Int
    /// `true` if no segment that this node is to hold has been missing for longer than a new one may take to come.
    package var isComplete: Bool
    /// The reasons why segments could not be had.
    package var failures: [String]
    /// For how long the database has not answered, in seconds.
    package var silence: Double
}
