package import EarshotCatalogs
package import EarshotCore
import EarshotNodes
package import EarshotSegments
import Foundation
import Synchronization

/// A catalog that many nodes serve and change: the manifest is in a database, the segments are in a bucket, and each node keeps all of
/// them as files.
///
/// A node follows the manifest. It searches what it has, as one value that is replaced when all that is new has come, was checked and
/// read through; no query waits for a download.
package final class SharedCatalog: Sendable {
    /// The form of the catalog in which this node searches it.
    struct View: Sendable {
        var manifest: SharedManifest
        var parts: [SegmentPart] = []
        /// Segments that have not come, and whose sources are not here either.
        var missing: [SharedSegment] = []
        /// Segments that have not come and are searched in their sources.
        var replaced: [SharedSegment] = []
        var catalog: Catalog
    }

    private struct State {
        var view: View
        /// The time since which something is missing, in seconds of the clock; `nil` if nothing is.
        var missedSince: Double?
        /// The time at which the database was last seen, in seconds of the clock.
        var contact: Double
        /// The reasons why segments could not be had, by their objects, and the times to try again.
        var failures: [String: (error: EarshotError, next: Double, pause: Double)] = [:]
        var fetching: Set<String> = []
        /// The objects that the view needs.
        var needed: Set<String> = []
    }

    package let name: String
    let manifests: any ManifestStore
    let cache: SegmentCache
    let clock: MediaClock
    let policy: MergePolicy
    /// Bytes that the files of the cache may take.
    private let cacheLimit: Int
    private let state: Mutex<State>
    private let writer = ChangeQueue()
    /// Wakes whoever follows.
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The time between two looks at the database when nobody tells of a change, in seconds.
    package static let pollInterval = 1.0
    /// The time for which a segment may be missing before answers are said to be incomplete, in seconds: until then it counts as not yet there.
    package static let grace = 2.0

    /// Opens a catalog. Nothing is fetched yet: ``refresh()`` does.
    ///
    /// - Parameters:
    ///   - name: The name of the catalog.
    ///   - manifests: The database.
    ///   - cache: The segments of this node.
    ///   - cacheLimit: Bytes that files may take beyond those that are needed.
    ///   - policy: Which segments are merged.
    /// - Throws: `catalogAddressInvalid` if the database has no catalog of this name, `storeUnavailable`.
    package init(
        _ name: String,
        manifests: any ManifestStore,
        cache: SegmentCache,
        cacheLimit: Int = .max,
        policy: MergePolicy = MergePolicy(),
        clock: MediaClock = .system
    ) async throws(EarshotError) {
        guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
        (self.name, self.manifests, self.cache, self.cacheLimit) = (name, manifests, cache, cacheLimit)
        (self.policy, self.clock) = (policy, clock)
        var empty = manifest
        (empty.generation, empty.segments) = (0, [])
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

    /// The catalog as this node has it now.
    package var catalog: Catalog { view.catalog }

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
                missingReferenceCount: state.view.missing.reduce(0) { $0 + $1.referenceCount - $1.removed.count },
                isComplete: state.missedSince.map { now - $0 < Self.grace } ?? true,
                failures: state.failures.sorted { $0.key < $1.key }.map(\.value.error.message),
                silence: now - state.contact
            )
        }
    }

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
                        guard error.code != .cancelled, error.message != told else { continue }
                        told = error.message
                        failed(error)
                    }
                }
            }
            await group.waitForAll()
        }
    }

    /// Looks for changes, and has what is new fetched in the background.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached, `catalogAddressInvalid` if the catalog was removed.
    package func refresh() async throws(EarshotError) {
        let known = view
        let generation = try await manifests.generation(of: name)
        if generation == known.manifest.generation, known.missing.isEmpty, known.replaced.isEmpty {
            state.withLock { $0.contact = clock.now.seconds }
            return
        }
        guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
        state.withLock { $0.contact = clock.now.seconds }
        try await show(manifest)
    }

    /// Waits until all segments are here, or one could not be had.
    ///
    /// - Throws: Why a segment could not be had; `storeUnavailable` if the database cannot be reached.
    package func load() async throws(EarshotError) {
        while true {
            try await refresh()
            let (missing, failure) = state.withLock { ($0.view.missing, $0.failures.values.first?.error) }
            if let failure { throw failure }
            guard let next = missing.first else { return }
            _ = try await cache.segment(next.object, size: next.size)
        }
    }

    /// Searches a manifest from now on, as far as its segments are here, and has the others fetched.
    private func show(_ manifest: SharedManifest) async throws(EarshotError) {
        let now = clock.now.seconds
        let known = state.withLock { $0.needed }
        // Under the lock from the first look at the cache on: of two at the same time the later one has all that the other has.
        let shown: (needed: Set<String>, wanted: [SharedSegment])? = state.withLock { state in
            guard manifest.generation >= state.view.manifest.generation else { return nil }
            let (view, needed) = self.view(of: manifest)
            state.view = view
            state.needed = needed
            state.missedSince = view.missing.isEmpty ? nil : state.missedSince ?? now
            state.failures = state.failures.filter { needed.contains($0.key) }
            let wanted = (view.missing + view.replaced).filter { segment in
                !state.fetching.contains(segment.object) && (state.failures[segment.object]?.next ?? now) <= now
            }
            state.fetching.formUnion(wanted.map(\.object))
            return (needed, wanted)
        }
        guard let shown else { return }
        // The smallest first: what was just added is found at once, however much else there is to fetch.
        for segment in shown.wanted.sorted(by: { $0.size < $1.size }) { fetch(segment) }
        guard shown.needed != known else { return }
        let (cache, limit) = (cache, cacheLimit)
        try await BlockingWork.run { () throws(EarshotError) in cache.evict(keeping: shown.needed, limit: limit) }
    }

    /// A manifest as far as it can be searched, and the objects that it needs.
    private func view(of manifest: SharedManifest) -> (view: View, needed: Set<String>) {
        var view = View(manifest: manifest, catalog: Catalog())
        var needed: Set<String> = []
        for segment in manifest.segments {
            needed.insert(segment.object)
            if let file = cache.open(segment.object) {
                view.parts.append(SegmentPart(file, removed: segment.removed))
            } else if let parts = sources(of: segment) {
                view.parts += parts
                view.replaced.append(segment)
                needed.formUnion(segment.sources.map(\.object))
            } else {
                view.missing.append(segment)
            }
        }
        view.catalog = Self.catalog(name, manifest, view.parts)
        return (view, needed)
    }

    /// A segment's sources in its place; `nil` if one of them is not open.
    private func sources(of segment: SharedSegment) -> [SegmentPart]? {
        var parts: [SegmentPart] = []
        var next = 0
        for source in segment.sources {
            guard let file = cache.open(source.object) else { return nil }
            var part = SegmentPart(file, removed: source.removed)
            for number in 0..<file.referenceCount where !source.removed.contains(number) {
                if segment.removed.contains(next) { part.removed.insert(number) }
                next += 1
            }
            parts.append(part)
        }
        return next == segment.referenceCount && !parts.isEmpty ? parts : nil
    }

    private func fetch(_ segment: SharedSegment) {
        Task { [weak self, cache, clock] in
            var failure: EarshotError?
            do throws(EarshotError) {
                _ = try await cache.segment(segment.object, size: segment.size)
            } catch {
                failure = error
            }
            guard let self else { return }
            self.state.withLock { state in
                state.fetching.remove(segment.object)
                if let failure {
                    let pause = min(30, (state.failures[segment.object]?.pause ?? 0.5) * 2)
                    state.failures[segment.object] = (failure, clock.now.seconds + pause, pause)
                } else {
                    state.failures[segment.object] = nil
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
            let view = view
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
            let change = SharedChange(removed: difference.removed, addition: addition?.addition)
            if try await manifests.commit(change, to: name) != nil {
                // It is kept. What fails from here on is tried again by whoever follows.
                if let addition { _ = try? await cache.adopt(addition.file, as: addition.addition.object) }
                try? await refresh()
                return
            }
            if attempt > 0 {
                let next = clock.now.seconds + Double.random(in: 0.01...0.05) * Double(attempt)
                try? await clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000))
            }
            try await refresh()
            // What another node added may still be on its way.
            for segment in self.view.missing { _ = try await cache.segment(segment.object, size: segment.size) }
            try await refresh()
        }
        throw EarshotError(.storeUnavailable, "The catalog \(name) is being changed by others: try again.")
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
            let object = try await SegmentCache.digest(of: place)
            let names = try await BlockingWork.run { () throws(EarshotError) in
                try (0..<file.referenceCount).map { number throws(EarshotError) in
                    guard let id = file.id(number) else {
                        throw EarshotError(.catalogInvalid, "A name of a new segment cannot be read.")
                    }
                    return id
                }
            }
            // Somebody may be removing what is the same by chance: an object that was dropped a day ago.
            var tries = 0
            while try await !manifests.announce(object, in: name) {
                tries += 1
                guard tries < 600 else {
                    throw EarshotError(
                        .storeUnavailable,
                        "An object of the catalog \(name) is being removed: try again."
                    )
                }
                let next = clock.now.seconds + 0.1
                try? await clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000))
            }
            try await cache.objects.keep(
                place,
                size: file.byteCount,
                sha256: object,
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
