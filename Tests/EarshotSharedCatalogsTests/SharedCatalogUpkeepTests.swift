import EarshotCore
import EarshotNodes
import EarshotSegments
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotCatalogs
@testable import EarshotSharedCatalogs

@Suite("The bucket and the files of catalogs that nodes share", .timeLimit(.minutes(3)))
struct SharedCatalogUpkeepTests {
    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let manifests = MemoryManifestStore()
    private let keeper = LeaseKeeper(MemoryLeaseStore(), node: NodeID(rawValue: "a"))

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        _ = try await manifests.create("music", limits: .standard)
    }

    private func node(_ name: String, clock: MediaClock = .system) async throws -> SharedCatalog {
        try await SharedCatalog(
            "music",
            manifests: manifests,
            cache: SegmentCache(folder.url.appendingPathComponent(name), catalog: "music", objects: objects),
            policy: MergePolicy(fanIn: 2, smallest: 1 << 30, sealed: 1 << 40),
            clock: clock
        )
    }

    private static func add(_ number: Int, to catalog: SharedCatalog) async throws {
        try await catalog.change { catalog in
            let signature = Signature.random(seed: UInt64(number), seconds: 20)
            try catalog.add(signature, representing: [], id: ReferenceID("song-\(number)"))
        }
    }

    private func files(of node: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(node).path).sorted()
    }

    // MARK: - Outages

    @Test("a bucket that is away is asked once every two seconds, and what is missing comes as soon as it is back")
    func outage() async throws {
        let clock = ManualClock()
        let (a, b) = (try await node("a"), try await node("b", clock: clock.clock))
        for number in 0..<6 { try await Self.add(number, to: a) }
        objects.isAway.withLock { $0 = true }
        func settled() async { while b.isFetching { await Task.yield() } }
        try await b.refresh()
        await settled()
        objects.requestCount.withLock { $0 = 0 }
        for second in 1...60 {
            clock.advance(by: 1)
            // Hints come in between.
            for _ in 0..<3 {
                try await b.refresh()
                await settled()
            }
            #expect(objects.requestCount.withLock { $0 } == second / 2)
        }
        #expect(b.catalog.isEmpty && !b.status.failures.isEmpty)
        objects.isAway.withLock { $0 = false }
        clock.advance(by: 2)
        while b.catalog.count < 6 {
            try await b.refresh()
            await settled()
        }
        #expect(b.status.isComplete && b.status.failures.isEmpty)
    }

    @Test("segments that are on the disk are searched while the bucket is away")
    func outageAtStart() async throws {
        let (clock, a) = (ManualClock(), try await node("a"))
        for number in 0..<4 { try await Self.add(number, to: a) }
        let lost = try #require(try files(of: "a").first)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("a/\(lost)"))
        objects.isAway.withLock { $0 = true }
        let again = try await node("a", clock: clock.clock)
        while again.catalog.count < 3 {
            try await again.refresh()
            await Task.yield()
        }
        #expect(again.status.missing.map { "\($0).earcat" } == [lost])
    }

    // MARK: - Files

    @Test("the sources of a merge are closed and removed as soon as the merged segment is searched")
    func sources() async throws {
        let clock = ManualClock()
        let (a, b) = (try await node("a"), try await node("b", clock: clock.clock))
        for number in 0..<2 { try await Self.add(number, to: a) }
        try await b.load()
        let sources = b.view.manifest.segments.map(\.object)
        let source = WeakBytes(bytes: b.cache.open(sources[0])?.segment.bytes)
        #expect(source.bytes != nil)
        #expect(try await a.merge(keeper) == 1)
        let merged = "\(a.view.manifest.segments[0].object).earcat"
        #expect(try files(of: "a") == [merged])
        // Until it has come they are needed.
        objects.isAway.withLock { $0 = true }
        try await b.refresh()
        #expect(try files(of: "b").count == 2 && b.catalog.count == 2)
        objects.isAway.withLock { $0 = false }
        clock.advance(by: 2)
        while b.view.parts.count > 1 {
            try await b.refresh()
            await Task.yield()
        }
        #expect(try files(of: "b") == [merged])
        #expect(sources.allSatisfy { b.cache.open($0) == nil })
        // Nodes that do not know of the merge ask for them a little longer.
        clock.advance(by: 7)
        try await b.refresh()
        #expect(source.bytes != nil && b.viewWithRetired(at: clock.now.seconds).retired.count == 2)
        clock.advance(by: 1)
        try await b.refresh()
        #expect(source.bytes == nil)
    }

    // MARK: - Orphans

    private func put(_ key: String) async throws {
        let file = folder.url.appendingPathComponent(UUID().uuidString)
        try Data([1]).write(to: file)
        try await objects.keep(file, size: 1, sha256: "", as: key)
    }

    @Test("objects that the database does not know are removed after a day, and no others")
    func orphans() async throws {
        let a = try await node("a")
        for number in 0..<3 { try await Self.add(number, to: a) }
        let known = objects.keys
        objects.pageSize.withLock { $0 = 2 }
        let orphans = (0..<5).map { _ in
            SharedSegment.key(SharedSegment.object(digest: String(repeating: "0f", count: 32)), in: "music")
        }
        // Other catalogs, and what is not of this program, are no business of it.
        let others = ["catalogs/music/README", "catalogs/music2/\(known[0].split(separator: "/")[2])"]
        for key in orphans + others { try await put(key) }
        #expect(try await a.orphanCount() == 0)
        #expect(try await a.announceOrphans(keeper) == 0)
        let tomorrow = Date(timeIntervalSinceNow: SharedCatalog.garbageAge + 60)
        #expect(try await a.orphanCount(at: tomorrow) == 5)
        #expect(try await a.announceOrphans(keeper, at: tomorrow) == 5)
        #expect(try await a.orphanCount(at: tomorrow) == 0)
        // The database has known them for no time.
        #expect(try await a.collectGarbage(keeper) == 0)
        #expect(try await a.collectGarbage(keeper, after: 0) == 5)
        #expect(objects.keys == (known + others).sorted())
        #expect(try await a.faults(in: folder.url).isEmpty)
    }
}

/// Tells whether a file is mapped.
private struct WeakBytes {
    weak var bytes: MappedBytes?
}
