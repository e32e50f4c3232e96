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
        /// Segments that this node is to hold, that were not fetched yet, and whose sources are not all here.
        var missing: [SharedSegment] = []
        /// The number of references in ``missing`` that cannot be searched, in sources either.
        var missingReferenceCount = 0
        /// Segments that were not fetched yet and are searched in their sources.
        var replaced: [SharedSegment] = []
        /// Segments that other nodes hold.
        var elsewhere: [SharedSegment] = []
        /// The indexes in ``parts`` of segments that are searched themselves, not in their sources, by objects.
        var numbers: [String: Int] = [:]
        var catalog: Catalog

        /// The objects of segments that other nodes hold.
        var foreign: Set<String> { Set(elsewhere.map(\.object)) }
    }

    /// The catalog of a view, with what may be said of it.
    package struct Snapshot: Sendable {
        package let catalog: Catalog
        /// `true` if all segments can be searched: then what is not found is not in the catalog.
        package let isComplete: Bool
        /// The number of references that cannot be searched at the moment, and the number of all references.
        package let missing: (count: Int, all: Int)
    }

    struct State {
        var view: View
        /// The times since which objects are missing, in seconds of the clock; −infinity for those that were missing at the start.
        var missedSince: [String: Double] = [:]
        /// The last generation of which no segment was missing.
        var wholeGeneration = 0
        /// The time at which the database last answered, in seconds of the clock.
        var contact: Double
        /// The reasons why segments could not be fetched, and the times to try again.
        var pacing = FetchPacing()
        /// Failures that the follower has not reported yet.
        var untold: [EarshotError] = []
        /// Objects that are being fetched: their bytes, and `true` if they are read from the disk.
        var fetching: [String: (size: Int, isLocal: Bool)] = [:]
        /// The nodes among which segments are placed.
        var nodes: [NodeRecord] = []
        /// `true` if this node holds only the segments that are placed on it.
        let isPlaced: Bool
        /// `true` if the view is to be made anew at the next refresh, though the catalog has not changed.
        var isStale = false
        /// Segments that were dropped from the manifest in the last seconds, by objects, with the time until which they are still searched for
        /// nodes that have not learned of the drop.
        var retired: [String: (part: SegmentPart, end: Double)] = [:]
        /// Objects whose files are not evicted.
        var needed: Set<String> = []
        /// The time of the next eviction of files if nothing changes before, in seconds of the clock.
        var nextEviction = 0.0
        /// Segments of the manifest, and those that are searched in the place of others, by their objects.
        var known: [String: SharedSegment] = [:]

        /// Returns `true` if all references that this node is to hold can be searched. A segment with new references may be missing for
        /// ``SharedCatalog/grace``; a merged one, whose references could be searched before, may not.
        func isComplete(at now: Double) -> Bool {
            // Until the other nodes are known, nothing is placed, and "complete" would be said of an empty view.
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
    /// The identifier of this node's data folder, by which segments are placed; `nil` for a node that holds all.
    let place: PlaceID?
    /// The time for which files that are not needed stay, in seconds.
    let idle: Double
    let state: Mutex<State>
    let writer = ChangeQueue()
    /// Lets one refresh run at a time: of two at once, the one with the older manifest might be shown last.
    let turnstile = Turnstile()
    /// Wakes the follower.
    let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The time between two refreshes when no node announces a change, in seconds.
    package static let pollInterval = 1.0
    /// The time for which a segment with new references may be missing before answers are said to be incomplete, in seconds.
    package static let grace = 2.0
    /// The time for which a segment is still searched for other nodes after it was merged, in seconds: they learn of the merge later.
    static let retirement = 10.0
    /// The time between two evictions of old files while the catalog does not change, in seconds.
    static let evictionInterval = 60.0
    /// The most segments that are fetched at the same time, and the most large ones among them. The rest is for small segments, so that new
    /// references do not wait behind gigabytes.
    static let lanes = (all: 4, large: 3)
    /// The least size of a large segment, in bytes.
    static let largeSize = 16 << 20

    /// Opens a catalog. Nothing is fetched yet: ``refresh()`` does.
    ///
    /// - Parameters:
    ///   - name: The name of the catalog.
    ///   - manifests: The database.
    ///   - cache: The segments of this node.
    ///   - place: The folder of this node's data, on which segments are placed; `nil` to hold all.
    ///   - idle: The time for which files stay that are not needed, in seconds.
    ///   - policy: Chooses the segments that are merged.
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

    /// Returns the view, and the parts that were dropped from it less than ``retirement`` ago, by objects.
    func viewWithRetired(at now: Double) -> (view: View, retired: [String: SegmentPart]) {
        state.withLock { state in (state.view, state.retired.filter { $0.value.end > now }.mapValues(\.part)) }
    }

    /// Makes the next refresh build the view anew, even if the catalog has not changed.
    func expire() { state.withLock { $0.isStale = true } }

    /// Wakes the follower, which then refreshes.
    func follow() { wake.continuation.yield() }

    /// `true` while segments are being fetched.
    var isFetching: Bool { state.withLock { !$0.fetching.isEmpty } }

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
                heldSegmentCount: state.view.numbers.count,
                lag: state.view.manifest.generation - state.wholeGeneration,
                referenceCount: state.view.manifest.count,
                size: state.view.manifest.size,
                missing: state.view.missing.map(\.object),
                missingReferenceCount: state.view.missingReferenceCount,
                elsewhereCount: state.view.elsewhere.count,
                isComplete: state.isComplete(at: now),
                failures: state.pacing.messages,
                silence: now - state.contact
            )
        }
    }

    // MARK: - Placement

    /// Sets the nodes that live. If not every node holds all segments, they are placed among these nodes; before the first call, this node holds
    /// none.
    ///
    /// A list without this node is ignored: by it, this node would remove what it is to hold.
    package func place(on nodes: [NodeRecord]) {
        guard place == nil || nodes.contains(where: { $0.place == place }) else { return }
        let isNew = state.withLock { state in
            // The other values of a record, such as its work, change all the time and move no segment.
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

    /// The nodes that hold each segment; `nil` if each node holds all.
    package var placement: SegmentPlacement? { state.withLock { $0.placement(of: $0.view.manifest) } }
}
