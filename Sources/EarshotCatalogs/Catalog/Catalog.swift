public import EarshotCore
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
    /// The shortest and longest query that a catalog takes.
    public struct QueryLimits: Hashable, Sendable {
        let minimumMilliseconds: Int
        let maximumMilliseconds: Int

        init(minimumMilliseconds: Int, maximumMilliseconds: Int) {
            self.minimumMilliseconds = min(max(minimumMilliseconds, 0), Self.longest)
            // A query that is shorter than this has nothing in it; a limit of zero would admit no slice at all.
            self.maximumMilliseconds = min(max(maximumMilliseconds, self.minimumMilliseconds, 200), Self.longest)
        }

        /// The longest query that a catalog can be set to take: one hour, in milliseconds.
        private static let longest = 3_600_000

        private static func milliseconds(_ time: MediaTime) -> Int {
            guard time.isNumeric else { return time == .positiveInfinity ? longest : 0 }
            return Int(clamping: time.converted(toTimescale: 1000).value)
        }

        /// Limits, kept in milliseconds. What lies beyond zero or one hour is brought there, a longest query of less than
        /// 0.2 s to that.
        public init(minimum: MediaTime, maximum: MediaTime) {
            self.init(
                minimumMilliseconds: Self.milliseconds(minimum),
                maximumMilliseconds: Self.milliseconds(maximum)
            )
        }

        /// One second to fifteen.
        public static let standard = QueryLimits(minimumMilliseconds: 1_000, maximumMilliseconds: 15_000)

        /// The shortest query.
        public var minimum: MediaTime { MediaTime(value: Int64(minimumMilliseconds), timescale: 1000) }
        /// The longest query.
        public var maximum: MediaTime { MediaTime(value: Int64(maximumMilliseconds), timescale: 1000) }
    }

    /// The shortest and longest query that is taken.
    public var queryLimits: QueryLimits

    /// What matches name as the catalog that they come from.
    public var identity: Identity
    /// References that are laid out and indexed, in order of adding.
    var targets: [Matcher.Target] = []
    /// References added since, with the place of each name.
    var pending: [Reference] = []
    var pendingNumbers: [ReferenceID: Int] = [:]
    /// Landmarks that they have together.
    var pendingLandmarkCount = 0
    /// From so many on they are laid out, which takes less memory: some 24 hours of music.
    var pendingLandmarkLimit = 1 << 22
    /// The laid-out form of `pending`, once a match has asked for it. Every change puts a new one in its place, so copies
    /// never share what differs.
    var pendingSegment = SegmentBox()
    /// Which references have which content, from the first addition of another catalog on.
    var knownContent: KnownContent?
    /// What to call the catalog in errors.
    let name: String

    /// An empty catalog.
    public init(queryLimits: QueryLimits = .standard) {
        self.queryLimits = queryLimits
        name = "The catalog"
        identity = Identity(id: "memory", version: "0")
    }

    init(segment: Segment, name: String) {
        queryLimits = segment.limits
        targets = [Matcher.Target(segment: segment, removed: [])]
        self.name = name
        identity = Identity(id: "memory", version: segment.version)
    }

    init(targets: [Matcher.Target], queryLimits: QueryLimits, name: String) {
        self.queryLimits = queryLimits
        self.targets = targets
        self.name = name
        identity = Identity(id: "memory", version: "0")
    }

    /// Holds a segment that is built when first wanted.
    final class SegmentBox: Sendable {
        let segment = Mutex<Segment?>(nil)
    }
}
