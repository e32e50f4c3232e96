/// The state of a node in following a shared catalog.
package struct SharedCatalogStatus: Hashable, Sendable {
    /// The generation that it searches.
    package var generation: Int
    package var segmentCount: Int
    package var referenceCount: Int
    /// Bytes of all segments.
    package var size: Int
    /// Objects of segments that it searches neither themselves nor in their sources.
    package var missing: [String]
    package var missingReferenceCount: Int
    /// The number of segments that other nodes hold, and this one does not.
    package var elsewhereCount: Int
    /// Says that nothing is missing that it is to hold: no segment has been for longer than new ones may take, and it is known which those are.
    package var isComplete: Bool
    /// The reasons why segments could not be had.
    package var failures: [String]
    /// For how long the database has not answered, in seconds.
    package var silence: Double
}
