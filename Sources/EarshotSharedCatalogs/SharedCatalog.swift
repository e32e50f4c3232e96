package import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import EarshotSegments
import Foundation
import Synchronization

/// A catalog that many nodes serve and change: the manifest is in a database, the segments are in a bucket, and each node keeps all of
/// them as files, or those that are placed on it.
///
/// A node follows the manifest. It searches what it has, as one value that is replaced when all that is new has come, was checked and
/// read through; no query waits for a download.
package final class SharedCatalog: Sendable {
    /// The form of the catalog in which this node searches it.
    struct View: Sendable {
        var manifest: SharedManifest
        var parts: [SegmentPart] = []
        /// Segments that have not come, and not all of whose sources are here.
        var missing: [SharedSegment] = []
        /// The number of references that cannot be searched for that.
        var missingReferenceCount = 0
        /// Segments that have not come and are searched in their sources.
        var replaced: [SharedSegment] = []
        /// Segments that other nodes hold.
        var elsewhere: [SharedSegment] = []
        /// The places in ``parts`` of segments that are searched themselves, not in their sources, by objects.
        var numbers: [String: Int] = [:]
        var catalog: Catalog
    }

    /// The catalog of a view, with what may be said of it.
    package struct Snapshot: Sendable {
        package let catalog: Catalog
        /// Says that all is there: then what is not found is not in the catalog.
        package let isComplete: Bool
        /// The number of references that cannot be searched at the moment, and of all.
        package let missing: (count: Int, all: Int)
    }

    struct State {
        var view: View
        /// The time since which each missing object is missing, in seconds of the clock.
        var missedSince: [String: Double] = [:]
        /// The time at which the database was last seen, in seconds of the clock.
        var contact: Double
        /// The reasons why segments could not be had, by their objects, and the times to try again.
        var failures: [String: (error: EarshotError, next: Double, pause: Double)] = [:]
        /// Failures of which nobody was told.
        var untold: [EarshotError] = []
        /// Objects that are on their way, with their sizes.
        var fetching: [String: Int] = [:]
        /// The nodes among which segments are placed.
        var nodes: [NodeRecord] = []
        /// Says that this node holds what is placed on it only.
        let isPlaced: Bool
        /// Says that the view is to be made anew though the catalog has not changed.
        var isStale = false
        /// What was dropped from the manifest a moment ago, by objects, with the time until which it is searched for nodes that do not know of it.
        var retired: [String: (part: SegmentPart, end: Double)] = [:]
        /// Segments of the manifest, and those that are searched in the place of others, by their objects.
        var known: [String: SharedSegment] = [:]

        /// Says that all is there. What was just added somewhere may be on its way for a moment; what was known before may not.
        func isComplete(at now: Double) -> Bool {
            // Who holds what is not known before the other nodes are.
            view.manifest.generation > 0 && !(isPlaced && view.manifest.copies != nil && nodes.isEmpty)
                && view.missing.allSatisfy { segment in
                    segment.sources.isEmpty
                        && now - (missedSince[segment.object] ?? -.infinity) < SharedCatalog.grace
                }
        }

        func placement(of manifest: SharedManifest) -> SegmentPlacement? {
            manifest.copies.map { SegmentPlacement(nodes, copies: $0) }
        }
    }

    package let name: String
    let manifests: any ManifestStore
    let cache: SegmentCache
    let clock: MediaClock
    let policy: MergePolicy
    /// The folder of this node's data, on which segments are placed; `nil` for a node that holds all.
    let place: PlaceID?
    /// The time for which files stay that are not needed, in seconds.
    let idle: Double
    let state: Mutex<State>
    let writer = ChangeQueue()
    /// One look at the database at a time: of two the later one would not know that it is.
    let turnstile = Turnstile()
    /// Wakes whoever follows.
    let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The time between two looks at the database when nobody tells of a change, in seconds.
    package static let pollInterval = 1.0
    /// The time for which a segment with new references may be missing before answers are said to be incomplete, in seconds.
    package static let grace = 2.0
    /// The time for which a segment is searched for other nodes after it was merged, in seconds: they hear of it a little later.
    static let retirement = 10.0
    /// Segments that are fetched at the same time, and of them large ones: what was just added finds a way past gigabytes.
    static let lanes = (all: 4, large: 3)
    /// From this size on a segment is a large one, in bytes.
    static let largeSize = 16 << 20

    /// Opens a catalog. Nothing is fetched yet: ``refresh()`` does.
    ///
    /// - Parameters:
    ///   - name: The name of the catalog.
    ///   - manifests: The database.
    ///   - cache: The segments of this node.
    ///   - place: The folder of this node's data, on which segments are placed; `nil` to hold all.
    ///   - idle: The time for which files stay that are not needed, in seconds.
    ///   - policy: Which segments are merged.
    /// - Throws: `catalogAddressInvalid` if the database has no catalog of this name, `storeUnavailable`.
    package init(
        _ name: String,
        manifests: any ManifestStore,
        cache: SegmentCache,
        place: PlaceID? = nil,
        idle: Double = 600,
        policy: MergePolicy = MergePolicy(),
        clock: MediaClock = .system
    ) async throws(EarshotError) {
        guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
        (self.name, self.manifests, self.cache, self.idle) = (name, manifests, cache, idle)
        self.place = place
        (self.policy, self.clock) = (policy, clock)
        var empty = manifest
        (empty.generation, empty.stamp, empty.segments) = (0, "", [])
        state = Mutex(
            State(
                view: View(manifest: empty, catalog: Self.catalog(name, empty, [])),
                contact: clock.now.seconds,
                isPlaced: place != nil
            )
        )
    }

    static func catalog(_ name: String, _ manifest: SharedManifest, _ parts: [SegmentPart]) -> Catalog {
        Catalog(
            parts,
            limits: manifest.limits,
            identity: CatalogIdentity(id: name, version: "\(manifest.generation)")
        )
    }

    var view: View { state.withLock { $0.view } }

    /// The view, and what was dropped from it a moment ago.
    func viewWithRetired(at now: Double) -> (view: View, retired: [String: SegmentPart]) {
        state.withLock { state in (state.view, state.retired.filter { $0.value.end > now }.mapValues(\.part)) }
    }

    /// Has whoever follows look at the database soon.
    func follow() { wake.continuation.yield() }

    /// The catalog as this node has it now.
    package var catalog: Catalog { view.catalog }

    /// The catalog as this node has it now, with what may be said of it.
    package var snapshot: Snapshot {
        let now = clock.now.seconds
        return state.withLock { state in
            Snapshot(
                catalog: state.view.catalog,
                isComplete: state.isComplete(at: now) && state.view.elsewhere.isEmpty,
                missing: (
                    state.view.missingReferenceCount + state.view.elsewhere.reduce(0) { $0 + $1.count },
                    state.view.manifest.count
                )
            )
        }
    }

    /// The generation that this node searches.
    package var generation: Int { view.manifest.generation }

    /// The state of this node.
    package var status: SharedCatalogStatus {
        let now = clock.now.seconds
        return state.withLock { state in
            SharedCatalogStatus(
                generation: state.view.manifest.generation,
                segmentCount: state.view.manifest.segments.count,
                referenceCount: state.view.manifest.count,
                size: state.view.manifest.size,
                missing: state.view.missing.map(\.object),
                missingReferenceCount: state.view.missingReferenceCount,
                elsewhereCount: state.view.elsewhere.count,
                isComplete: state.isComplete(at: now),
                failures: state.failures.sorted { $0.key < $1.key }.map(\.value.error.message),
                silence: now - state.contact
            )
        }
    }

    // MARK: - Placement

    /// Says which nodes live: segments are placed among them where not all hold all. Before it is known, this node holds none of those.
    ///
    /// Nodes without this one are not taken for the truth: it lives, and would throw away what it is to hold.
    package func place(on nodes: [NodeRecord]) {
        guard place == nil || nodes.contains(where: { $0.place == place }) else { return }
        let isNew = state.withLock { state in
            // What nodes tell of themselves besides changes all the time.
            func facts(_ nodes: [NodeRecord]) -> Set<[String]> {
                Set(
                    nodes.map { [$0.id.rawValue, $0.place?.rawValue ?? "", $0.address ?? "", "\($0.cacheBytes ?? 0)"] }
                )
            }
            guard facts(state.nodes) != facts(nodes) else { return false }
            (state.nodes, state.isStale) = (nodes, true)
            return true
        }
        if isNew { wake.continuation.yield() }
    }

    /// Who holds what; `nil` if each node holds all.
    package var placement: SegmentPlacement? { state.withLock { $0.placement(of: $0.view.manifest) } }
}
