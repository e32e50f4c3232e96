import EarshotCore
import Synchronization

/// A collection of signatures with the media items they stand for, in which audio can be found.
///
/// ```swift
/// var catalog = Catalog()
/// try catalog.add(signature, representing: [MediaItem(properties: [.title: "Sirius"])])
/// let match = try catalog.match(query)
/// ```
///
/// A catalog is a value: a copy taken before a change does not see it. A catalog opened from a file stays in the file
/// and is read where it is needed. The index over references that were added since is built by the first match.
public struct Catalog: Sendable {
    /// The shortest and longest query that is taken.
    public var queryLimits: QueryLimits

    /// The identity that matches report as their catalog.
    public var identity: CatalogIdentity
    /// References that are laid out and indexed, in order of adding.
    var targets: [MaskedSegment] = []
    /// References added since, with the place of each name.
    var pending: [Reference] = []
    var pendingNumbers: [ReferenceID: Int] = [:]
    /// Landmarks that they have together.
    var pendingLandmarkCount = 0
    /// The number of pending landmarks, about 24 hours of music, from which they are indexed, which takes less memory.
    var pendingLandmarkLimit = 1 << 22
    /// The laid-out form of `pending`, once a match has asked for it. Every change puts a new one in its place, so copies
    /// never share what differs.
    var pendingSegment = SegmentBox()
    /// The references by content, from the first addition of another catalog on.
    var knownContent: KnownContent?
    /// Threads that searches share; copies of the catalog share them too.
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

    /// Holds a segment that is built when first wanted.
    final class SegmentBox: Sendable {
        let segment = Mutex<Segment?>(nil)
    }
}
