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

    private struct State {
        var view: View
        /// The time since which each missing object is missing, in seconds of the clock.
        var missedSince: [String: Double] = [:]
        /// The last generation of which no segment was missing.
        var wholeGeneration = 0
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
        /// Says that the view is to be made anew though the catalog has not changed.
        var isStale = false
        /// What was dropped from the manifest a moment ago, by objects, with the time until which it is searched for nodes that do not know of it.
        var retired: [String: (part: SegmentPart, end: Double)] = [:]
        /// Segments of the manifest, and those that are searched in the place of others, by their objects.
        var known: [String: SharedSegment] = [:]

        /// Says that all is there. What was just added somewhere may be on its way for a moment; what was known before may not.
        func isComplete(at now: Double) -> Bool {
            view.manifest.generation > 0
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
    private let place: PlaceID?
    /// The time for which files stay that are not needed, in seconds.
    private let idle: Double
    private let state: Mutex<State>
    private let writer = ChangeQueue()
    /// One look at the database at a time: of two the later one would not know that it is.
    private let turnstile = Turnstile()
    /// Wakes whoever follows.
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The time between two looks at the database when nobody tells of a change, in seconds.
    package static let pollInterval = 1.0
    /// The time for which a segment with new references may be missing before answers are said to be incomplete, in seconds.
    package static let grace = 2.0
    /// The time for which a segment is searched for other nodes after it was merged, in seconds: they hear of it a little later.
    private static let retirement = 10.0
    /// Segments that are fetched at the same time, and of them large ones: what was just added finds a way past gigabytes.
    private static let lanes = (all: 4, large: 3)
    /// From this size on a segment is a large one, in bytes.
    private static let largeSize = 16 << 20

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
            State(view: View(manifest: empty, catalog: Self.catalog(name, empty, [])), contact: clock.now.seconds)
        )
    }

    private static func catalog(_ name: String, _ manifest: SharedManifest, _ parts: [SegmentPart]) -> Catalog {
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
                heldSegmentCount: state.view.numbers.count,
                lag: state.view.manifest.generation - state.wholeGeneration,
                referenceCount: state.view.manifest.count,
                size: state.view.manifest.size,
                missing: state.view.missing.map(\.object),
                missingReferenceCount: state.view.missingReferenceCount,
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

    // MARK: - Following

    /// Follows the catalog until the task is cancelled.
    ///
    /// - Parameters:
    ///   - hints: An element for each change that somebody tells of. They may get lost.
    ///   - failed: Told of failures, of one that lasts once.
    package func follow(
        hints: AsyncStream<Void> = AsyncStream { $0.finish() },
        failed: @escaping @Sendable (EarshotError) -> Void = { _ in }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in hints { self.wake.continuation.yield() } }
            group.addTask {
                while !Task.isCancelled {
                    let next = self.clock.now.seconds + Self.pollInterval
                    guard
                        (try? await self.clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000)))
                            != nil
                    else { return }
                    self.wake.continuation.yield()
                }
            }
            group.addTask {
                var told: String?
                for await _ in self.wake.stream {
                    do throws(EarshotError) {
                        try await self.refresh()
                        told = nil
                    } catch {
                        if error.code != .cancelled, error.message != told {
                            told = error.message
                            failed(error)
                        }
                    }
                    let untold = self.state.withLock { state in
                        defer { state.untold = [] }
                        return state.untold
                    }
                    for error in untold { failed(error) }
                }
            }
            await group.waitForAll()
        }
    }

    /// Looks for changes, and has what is new fetched in the background.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached, `catalogAddressInvalid` if the catalog was removed.
    package func refresh() async throws(EarshotError) {
        let needed: Set<String>? = try await turnstile.run { () async throws(EarshotError) in
            let known = view
            let stamp: String?
            do throws(EarshotError) {
                stamp = try await manifests.stamp(of: name)
            } catch {
                // What has come since the last look is searched all the same, and the rest is fetched.
                if !(known.missing.isEmpty && known.replaced.isEmpty) { _ = show(known.manifest, []) }
                throw error
            }
            let isStale = state.withLock { $0.isStale }
            if stamp == known.manifest.stamp, known.missing.isEmpty, known.replaced.isEmpty, !isStale {
                state.withLock { $0.contact = clock.now.seconds }
                return nil
            }
            guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
            let seen = state.withLock { $0.known }
            let isNew = manifest.segments.contains { segment in
                !segment.sources.isEmpty && seen[segment.object] == nil && self.cache.open(segment.object) == nil
            }
            let dropped = isNew ? try await manifests.dropped(of: name) : []
            defer { state.withLock { $0.contact = clock.now.seconds } }
            return show(manifest, dropped)
        }
        guard let needed else { return }
        let (cache, idle) = (cache, idle)
        try await BlockingWork.run { () throws(EarshotError) in cache.evict(keeping: needed, idle: idle) }
    }

    /// Waits until all segments are here.
    ///
    /// - Throws: The reason why one cannot be had; `storeUnavailable` if the database cannot be reached.
    package func load() async throws(EarshotError) {
        while true {
            try await refresh()
            guard let next = view.missing.first else { return }
            _ = try await cache.segment(next.object)
        }
    }

    /// Searches a manifest from now on, as far as its segments are here, and has others fetched.
    ///
    /// - Parameter dropped: Segments that were merged into those of the manifest.
    /// - Returns: The objects that are needed.
    private func show(_ manifest: SharedManifest, _ dropped: [SharedSegment]) -> Set<String> {
        let now = clock.now.seconds
        let (needed, wanted) = state.withLock { state in
            let isFirst = state.view.manifest.generation == 0
            var resolution = Resolution(state.known, cache)
            for segment in dropped where resolution.known[segment.object] == nil {
                resolution.known[segment.object] = segment
            }
            let placement = state.placement(of: manifest)
            let before = state.view
            state.view = view(of: manifest, placement, &resolution)
            if state.view.missing.isEmpty { state.wholeGeneration = manifest.generation }
            state.isStale = false
            state.retired = state.retired.filter { $0.value.end > now && state.view.numbers[$0.key] == nil }
            for (object, number) in before.numbers
            where state.view.numbers[object] == nil && state.retired[object] == nil {
                state.retired[object] = (before.parts[number], now + Self.retirement)
            }
            state.known = resolution.used
            state.missedSince = Dictionary(
                uniqueKeysWithValues: Set(state.view.missing.map(\.object)).map { object in
                    (object, state.missedSince[object] ?? (isFirst ? -.infinity : now))
                }
            )
            state.failures = state.failures.filter { resolution.used[$0.key] != nil }
            let spare = placement.map { self.spare(of: manifest, $0) } ?? []
            return (Set(resolution.used.keys).union(spare), next(&state, at: now))
        }
        for object in wanted { fetch(object) }
        return needed
    }

    /// A manifest as far as it can be searched.
    private func view(
        of manifest: SharedManifest,
        _ placement: SegmentPlacement?,
        _ resolution: inout Resolution
    ) -> View {
        var view = View(manifest: manifest, catalog: Catalog())
        for segment in manifest.segments where segment.count > 0 {
            resolution.known[segment.object] = segment
            if let placement, let place, !placement.holds(place, segment.object) {
                // What is here all the same, from before or because this node has made it, is searched as long as it is.
                if let file = cache.open(segment.object) {
                    view.numbers[segment.object] = view.parts.count
                    view.parts.append(SegmentPart(file, removed: segment.removed))
                } else {
                    view.elsewhere.append(segment)
                }
                continue
            }
            let (parts, isWhole) = resolution.parts(of: segment)
            if !isWhole {
                view.missing.append(segment)
                view.missingReferenceCount +=
                    segment.count - parts.reduce(0) { $0 + $1.file.referenceCount - $1.removed.count }
            } else if parts.first?.file.url != cache.open(segment.object)?.url {
                view.replaced.append(segment)
            } else {
                view.numbers[segment.object] = view.parts.count
            }
            view.parts += parts
        }
        view.catalog = Self.catalog(name, manifest, view.parts)
        return view
    }

    /// Segments that others hold and that stay here as long as there is room: those first that this node holds next.
    private func spare(of manifest: SharedManifest, _ placement: SegmentPlacement) -> [String] {
        guard let place, let node = placement.nodes[place] else { return [] }
        var room = node.cacheBytes ?? 0
        var others: [(segment: SharedSegment, rank: Int)] = []
        for segment in manifest.segments where segment.count > 0 {
            guard let rank = placement.rank(of: place, for: segment.object) else { continue }
            if rank < placement.copies {
                room -= segment.size
            } else if cache.open(segment.object) != nil {
                others.append((segment, rank))
            }
        }
        var spare: [String] = []
        for (segment, _) in others.sorted(by: { ($0.rank, $0.segment.object) < ($1.rank, $1.segment.object) })
        where segment.size <= room {
            room -= segment.size
            spare.append(segment.object)
        }
        return spare
    }

    /// Segments that are fetched next, of which notes are taken.
    private func next(_ state: inout State, at now: Double) -> [String] {
        var wanted = (state.view.missing + state.view.replaced).map { (object: $0.object, size: $0.size) }
        // What is in the folder from before can be searched until the merged segment has come.
        for source in state.view.missing.flatMap(\.sources) where cache.isOnDisk(source.object) {
            wanted.append((source.object, 0))
        }
        var next: [String] = []
        // The smallest first: what was just added is found at once, however much else there is to fetch.
        for (object, size) in wanted.sorted(by: { $0.size < $1.size }) {
            let large = state.fetching.values.count { $0 >= Self.largeSize }
            guard state.fetching.count < Self.lanes.all, size < Self.largeSize || large < Self.lanes.large else {
                break
            }
            guard state.fetching[object] == nil, cache.open(object) == nil,
                (state.failures[object]?.next ?? now) <= now
            else { continue }
            state.fetching[object] = size
            next.append(object)
        }
        return next
    }

    private func fetch(_ object: String) {
        Task { [weak self, cache, clock] in
            var failure: EarshotError?
            do throws(EarshotError) {
                _ = try await cache.segment(object)
            } catch {
                failure = error
            }
            guard let self else { return }
            self.state.withLock { state in
                state.fetching[object] = nil
                if let failure {
                    let known = state.failures[object]
                    if known?.error.message != failure.message { state.untold.append(failure) }
                    let pause = min(30, (known?.pause ?? 0.5) * 2)
                    state.failures[object] = (failure, clock.now.seconds + pause, pause)
                } else {
                    state.failures[object] = nil
                }
            }
            if failure == nil { self.wake.continuation.yield() }
        }
    }

    // MARK: - Changing

    /// Changes the catalog in one step: all of the change or, should it fail or the process end, nothing of it. When this returns it is
    /// kept, and this node searches it; the others do within two seconds.
    ///
    /// - Parameter body: Changes the catalog, and may search it. It runs again if another node changed the same references
    ///   meanwhile, so it must change nothing else.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, `storeUnavailable` if the database or the bucket cannot be reached, `writeFailed`.
    @discardableResult
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout Catalog) throws -> Value
    ) async throws(EarshotError) -> Value {
        try await writer.submit(body) { changes async throws(EarshotError) in try await self.commit(changes) }
    }

    /// The most times that changes which lose races are made.
    private static let attempts = 16

    /// Makes changes as one.
    private func commit(_ changes: [any PendingChange]) async throws(EarshotError) {
        for attempt in 0..<Self.attempts {
            if attempt > 1 {
                let next = clock.now.seconds + Double.random(in: 0.01...0.05) * Double(attempt)
                try? await clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000))
            }
            let view = try await current()
            let difference = try await BlockingWork.run { () throws(EarshotError) in
                var catalog = view.catalog
                for change in changes { change.apply(to: &catalog) }
                return try CatalogDifference(catalog, from: view.parts)
            }
            guard !difference.isEmpty else { return }
            var addition: StoredSegment?
            if difference.addedCount > 0 {
                addition = try await store { url throws(EarshotError) in try difference.write(to: url) }
            }
            defer { if let addition { try? FileManager.default.removeItem(at: addition.file) } }
            let change = SharedChange(
                removed: difference.removed,
                addition: addition?.addition,
                base: view.manifest.generation
            )
            if try await manifests.commit(change, to: name) != nil {
                // It is kept. What fails from here on is tried again by whoever follows.
                if let addition { _ = try? await cache.adopt(addition.file, as: addition.addition.object) }
                try? await refresh()
                return
            }
        }
        throw EarshotError(.storeUnavailable, "The catalog \(name) is being changed by others: try again.")
    }

    /// The catalog as it is now on all nodes: what is decided from it must not rest on what another node has changed.
    private func current() async throws(EarshotError) -> View {
        try await refresh()
        let missing = view.missing + view.elsewhere
        guard !missing.isEmpty else { return view }
        for segment in missing { _ = try await cache.segment(segment.object) }
        state.withLock { $0.isStale = true }
        try await refresh()
        guard view.missing.isEmpty, view.elsewhere.isEmpty else {
            throw EarshotError(.storeUnavailable, "The catalog \(name) is being changed by others: try again.")
        }
        return view
    }

    /// A segment that is in the bucket, and in a file of this node.
    struct StoredSegment {
        let file: URL
        let addition: SharedChange.Addition
    }

    /// Writes a segment and puts it into the bucket.
    func store(_ write: @escaping @Sendable (URL) throws(EarshotError) -> Void) async throws(EarshotError)
        -> StoredSegment
    {
        let place = cache.workplace()
        do throws(EarshotError) {
            let file = try await BlockingWork.run { () throws(EarshotError) in
                try write(place)
                return try SegmentFile(contentsOf: place)
            }
            let digest = try await SegmentCache.digest(of: place)
            let names = try await BlockingWork.run { () throws(EarshotError) in
                try (0..<file.referenceCount).map { number throws(EarshotError) in
                    guard let id = file.id(number) else {
                        throw EarshotError(.catalogInvalid, "A name of a new segment cannot be read.")
                    }
                    return id
                }
            }
            let object = SharedSegment.object(digest: digest)
            try await manifests.announce(object, in: name)
            try await cache.objects.keep(
                place,
                size: file.byteCount,
                sha256: digest,
                as: SharedSegment.key(object, in: name)
            )
            return StoredSegment(
                file: place,
                addition: SharedChange.Addition(
                    object: object,
                    size: file.byteCount,
                    frameCount: file.frameCount,
                    postingCount: file.postingCount,
                    names: names
                )
            )
        } catch {
            try? FileManager.default.removeItem(at: place)
            throw error
        }
    }
}
