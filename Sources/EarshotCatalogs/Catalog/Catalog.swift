import EarshotCore
import Synchronization

/// A collection of signatures with the media items they stand for. Queries are matched against it.
///
/// ```swift
/// var catalog = Catalog()
/// try catalog.add(signature, representing: [MediaItem(properties: [.title: "Sirius"])])
/// let match = try catalog.match(query)
/// ```
///
/// A catalog is a value: a change does not affect copies taken before. A catalog opened from a file is not loaded but
/// read from the file where needed. The first match after an addition builds the index over the added references.
public struct Catalog: Sendable {
    /// The shortest and the longest duration of a query.
    public var queryLimits: QueryLimits

    /// The identity that matches report as their catalog.
    public var identity: CatalogIdentity
    /// References that are laid out and indexed, in order of adding.
    var targets: [MaskedSegment] = []
    /// References added since and not yet moved to ``targets``, and the index of each by its name.
    var pending: [Reference] = []
    var pendingNumbers: [ReferenceID: Int] = [:]
    /// The number of landmarks of ``pending``.
    var pendingLandmarkCount = 0
    /// The number of pending landmarks at which they are indexed: about 24 hours of music. The indexed form takes less
    /// memory.
    var pendingLandmarkLimit = 1 << 22
    /// The indexed form of ``pending``, built by the first match. Every change assigns a new box, so that a copy of the
    /// catalog never sees a segment of other references.
    var pendingSegment = SegmentBox()
    /// The names of all references by digest of their content; `nil` until another catalog is added.
    var knownContent: KnownContent?
    /// The threads of searches, shared with copies of the catalog.
    var lanes = SearchLanes()
    /// The name of the catalog in errors.
    let name: String

    /// An empty catalog.
    public init(queryLimits: QueryLimits = .standard) {
        self.queryLimits = queryLimits
        name = "The catalog"
        identity = CatalogIdentity(id: "memory", version: "0")
    }

    init(segment: Segment, name: String) {
        queryLimits = segment.limits
        targets = [MaskedSegment(segment: segment, removed: [])]
        self.name = name
        identity = CatalogIdentity(id: "memory", version: segment.version)
    }

    init(targets: [MaskedSegment], queryLimits: QueryLimits, name: String) {
        self.queryLimits = queryLimits
        self.targets = targets
        self.name = name
        identity = CatalogIdentity(id: "memory", version: "0")
    }

    /// Holds a segment that is built on first use.
    final class SegmentBox: Sendable {
        let segment = Mutex<Segment?>(nil)
    }
}
