import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSegments
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

@Suite("Catalogs that nodes share", .timeLimit(.minutes(3)))
struct SharedCatalogTests {
    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let manifests = MemoryManifestStore()
    private let leases = MemoryLeaseStore()

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        _ = try await manifests.create("music", limits: .standard)
    }

    /// A node that follows by ``SharedCatalog/load()`` alone.
    private func node(
        _ name: String,
        policy: MergePolicy = MergePolicy(),
        idle: Double = 600,
        clock: MediaClock = .system
    ) async throws -> SharedCatalog {
        try await SharedCatalog(
            "music",
            manifests: manifests,
            cache: SegmentCache(folder.url.appendingPathComponent(name), catalog: "music", objects: objects),
            idle: idle,
            policy: policy,
            clock: clock
        )
    }

    private func keeper(_ name: String) -> LeaseKeeper { LeaseKeeper(leases, node: NodeID(rawValue: name)) }

    private static func signature(_ number: Int) -> Signature { .random(seed: UInt64(number), seconds: 20) }

    private static func query(_ number: Int) -> Signature {
        signature(number).slice(from: MediaTime(value: 5, timescale: 1), duration: MediaTime(value: 8, timescale: 1))
            .signature
    }

    private static func add(_ numbers: Range<Int>, to catalog: SharedCatalog) async throws {
        try await catalog.change { catalog in
            for number in numbers {
                try catalog.add(signature(number), representing: [], id: ReferenceID("song-\(number)"))
            }
        }
    }

    private static func found(_ number: Int, in catalog: Catalog) throws -> ReferenceID? {
        try catalog.match(query(number))?.references.first?.id
    }

    // MARK: - Following

    @Test("a reference that one node adds is found by another, and not after one has removed it")
    func adding() async throws {
        let (a, b) = (try await node("a"), try await node("b"))
        try await Self.add(0..<3, to: a)
        #expect(try Self.found(1, in: a.catalog) == "song-1")
        try await b.load()
        #expect(try Self.found(1, in: b.catalog) == "song-1")
        #expect(b.status.with(silence: 0) == a.status.with(silence: 0))
        try await b.change { try $0.remove("song-1") }
        try await a.load()
        #expect(try Self.found(1, in: a.catalog) == nil)
        #expect(try Self.found(2, in: a.catalog) == "song-2")
        #expect(a.catalog.identity == CatalogIdentity(id: "music", version: "3"))
    }

    @Test("a node that begins anew reads what it has from its disk, and fetches nothing")
    func restarting() async throws {
        let a = try await node("a")
        try await Self.add(0..<2, to: a)
        let again = try await node("a")
        try await again.load()
        #expect(again.catalog.count == 2)
        #expect(objects.fetched.withLock { $0.isEmpty })
    }

    @Test("whoever follows sees changes without being told")
    func polling() async throws {
        let (a, b) = (try await node("a"), try await node("b"))
        let following = Task { await b.follow() }
        try await Self.add(0..<1, to: a)
        while b.catalog.isEmpty { await Task.yield() }
        try await a.change { try $0.remove("song-0") }
        while !b.catalog.isEmpty { await Task.yield() }
        following.cancel()
        await following.value
    }

    @Test("a hint is followed at once")
    func hints() async throws {
        let clock = ManualClock()
        let (a, b) = (try await node("a"), try await node("b", clock: clock.clock))
        let hints = AsyncStream.makeStream(of: Void.self)
        let following = Task { await b.follow(hints: hints.stream) }
        try await Self.add(0..<1, to: a)
        while clock.sleeperCount == 0 { await Task.yield() }
        hints.continuation.yield()
        while b.catalog.isEmpty { await Task.yield() }
        following.cancel()
        await following.value
    }

    @Test("a segment that comes while the database is away is searched")
    func comingLate() async throws {
        let clock = ManualClock()
        let a = try await node("a")
        let store = AbsentManifestStore(manifests)
        let b = try await SharedCatalog(
            "music",
            manifests: store,
            cache: SegmentCache(folder.url.appendingPathComponent("b"), catalog: "music", objects: objects),
            clock: clock.clock
        )
        try await Self.add(0..<1, to: a)
        objects.isAway.withLock { $0 = true }
        try await b.refresh()
        #expect(b.view.missing.count == 1 && b.catalog.isEmpty)
        while b.status.failures.isEmpty { await Task.yield() }
        store.isAway.withLock { $0 = true }
        objects.isAway.withLock { $0 = false }
        clock.advance(by: 60)
        while b.catalog.isEmpty {
            let error = await #expect(throws: EarshotError.self) { try await b.refresh() }
            #expect(error?.code == .storeUnavailable)
            await Task.yield()
        }
        #expect(try Self.found(0, in: b.catalog) == "song-0")
        #expect(b.status.isComplete && b.status.failures.isEmpty && b.status.silence >= 60)
    }

    // MARK: - Changing

    @Test("nodes that add at the same time lose nothing, and two that add the same name do not both")
    func racing() async throws {
        let nodes = [try await node("a"), try await node("b"), try await node("c")]
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, node) in nodes.enumerated() {
                for number in 0..<8 {
                    group.addTask {
                        try await Self.add(index * 8 + number..<index * 8 + number + 1, to: node)
                        return false
                    }
                }
                group.addTask {
                    do {
                        try await node.change { catalog in
                            try catalog.add(Self.signature(900 + index), representing: [], id: "same")
                        }
                        return false
                    } catch let error as EarshotError where error.code == .referenceExists {
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 2)
        for node in nodes {
            try await node.load()
            #expect(node.catalog.count == 25)
            #expect(Set(node.catalog.referenceIDs).count == 25)
            for number in [0, 9, 23] {
                #expect(try Self.found(number, in: node.catalog) == ReferenceID("song-\(number)"))
            }
        }
    }

    @Test("a change that fails leaves others that came with it alone")
    func failing() async throws {
        let a = try await node("a")
        async let first: Void = Self.add(0..<1, to: a)
        let error = await #expect(throws: EarshotError.self) {
            try await a.change { catalog in
                try catalog.add(Self.signature(7), representing: [], id: "other")
                try catalog.remove("nobody")
            }
        }
        try await first
        #expect(error?.code == .referenceNotFound)
        #expect(a.catalog.referenceIDs == ["song-0"])
    }

    @Test("without the bucket nothing is added and everything is found, and nothing needs to be repaired afterwards")
    func bucketAway() async throws {
        let (a, b) = (try await node("a"), try await node("b"))
        try await Self.add(0..<2, to: a)
        try await b.load()
        objects.isAway.withLock { $0 = true }
        let error = await #expect(throws: EarshotError.self) { try await Self.add(2..<3, to: b) }
        #expect(error?.code == .storeUnavailable)
        #expect(try Self.found(1, in: b.catalog) == "song-1")
        // What is removed needs no bucket.
        try await b.change { try $0.remove("song-0") }
        objects.isAway.withLock { $0 = false }
        try await Self.add(2..<3, to: b)
        try await a.load()
        #expect(a.catalog.referenceIDs == ["song-1", "song-2"])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("b").path)
        #expect(files.allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test("a change that another node made meanwhile is not lost")
    func staleReplacement() async throws {
        let (a, b) = (try await node("a"), try await node("b"))
        try await Self.add(0..<1, to: a)
        try await b.load()
        func title(_ title: String, _ node: SharedCatalog) async throws -> [String] {
            try await node.change { catalog in
                let reference = try #require(try catalog.reference("song-0"))
                let item = try MediaItem(properties: [.title: .string(title)])
                try catalog.replace("song-0", with: reference.signature, representing: reference.items + [item])
                return (reference.items + [item]).compactMap(\.title)
            }
        }
        #expect(try await title("first", a) == ["first"])
        // Node b has not followed.
        #expect(try await title("second", b) == ["first", "second"])
    }

    @Test("what one node has removed is added again by another, and what one has added is removed by another")
    func staleDecision() async throws {
        let (a, b) = (try await node("a"), try await node("b"))
        try await Self.add(0..<1, to: a)
        try await b.load()
        try await a.change { try $0.remove("song-0") }
        let isThere = try await b.change { $0.contains("song-0") }
        #expect(!isThere)
        try await Self.add(1..<2, to: a)
        try await b.change { try $0.remove("song-1") }
        try await a.load()
        #expect(a.catalog.isEmpty)
    }

    @Test("the same content again is another object")
    func sameContent() async throws {
        let a = try await node("a")
        for _ in 0..<3 {
            try await Self.add(0..<1, to: a)
            try await a.change { try $0.remove("song-0") }
        }
        try await Self.add(0..<1, to: a)
        #expect(objects.keys.count == 4 && a.view.parts.count == 1)
        let generation = a.generation
        try await a.change { _ in }
        #expect(a.generation == generation)
    }

    // MARK: - Damage

    @Test(
        "a damaged or short object is never searched; the others are, and it heals without a restart",
        arguments: [FolderObjectStore.Damage.byte, .end]
    )
    func damage(kind: FolderObjectStore.Damage) async throws {
        let clock = ManualClock()
        let (a, b) = (try await node("a"), try await node("b", clock: clock.clock))
        try await Self.add(0..<1, to: a)
        try await Self.add(1..<2, to: a)
        let key = try #require(objects.keys.first)
        let isFirst = key == SharedSegment.key(a.view.manifest.segments[0].object, in: "music")
        objects.damage.withLock { $0[key] = kind }
        let error = await #expect(throws: EarshotError.self) { try await b.load() }
        #expect(error?.code == .storeDamaged)
        #expect(error?.message.contains(key) == true)
        while b.catalog.count < 1 {
            try await b.refresh()
            await Task.yield()
        }
        #expect(try Self.found(isFirst ? 1 : 0, in: b.catalog) == (isFirst ? "song-1" : "song-0"))
        #expect(try Self.found(isFirst ? 0 : 1, in: b.catalog) == nil)
        #expect(b.status.missing.count == 1 && b.status.missingReferenceCount == 1)
        #expect(!b.status.isComplete && !b.snapshot.isComplete)
        #expect(b.status.failures.first?.contains(key) == true)
        #expect(b.status.heldSegmentCount == 1 && b.status.lag == b.status.generation)
        objects.damage.withLock { $0 = [:] }
        clock.advance(by: 60)
        while b.catalog.count < 2 {
            try await b.refresh()
            await Task.yield()
        }
        #expect(b.status.isComplete && b.status.failures.isEmpty)
        #expect(b.status.heldSegmentCount == 2 && b.status.lag == 0)
        #expect(try await b.cacheSize() == b.status.size)
    }

    @Test("a file that changed on the disk is fetched again")
    func damagedFile() async throws {
        let a = try await node("a")
        try await Self.add(0..<1, to: a)
        let file = folder.url.appendingPathComponent("a/\(a.view.manifest.segments[0].object).earcat")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: file, options: .atomic)
        let again = try await node("a")
        try await again.load()
        #expect(try Self.found(0, in: again.catalog) == "song-0")
        #expect(objects.fetched.withLock { $0.count } == 1)
    }

    // MARK: - Merging

    /// Merges two neighbors of any size.
    private static let eager = MergePolicy(fanIn: 2, smallest: 1 << 30, sealed: 1 << 40)

    @Test("segments are merged, and found the same on every node")
    func merging() async throws {
        let (a, b) = (try await node("a", policy: Self.eager), try await node("b"))
        for number in 0..<5 { try await Self.add(number..<number + 1, to: a) }
        try await b.load()
        try await a.change { try $0.remove("song-2") }
        #expect(try await a.merge(keeper("a")) ?? 0 > 0)
        #expect(a.view.manifest.segments.count == 1)
        for node in [a, b] {
            try await node.load()
            #expect(node.catalog.referenceIDs == ["song-0", "song-1", "song-3", "song-4"])
            for number in [0, 1, 3, 4] {
                #expect(try Self.found(number, in: node.catalog) == ReferenceID("song-\(number)"))
            }
            #expect(try Self.found(2, in: node.catalog) == nil)
        }
    }

    @Test("until a merged segment has come, its sources are searched, without what was removed since")
    func sources() async throws {
        let (a, b) = (try await node("a", policy: Self.eager), try await node("b"))
        for number in 0..<2 { try await Self.add(number * 3..<number * 3 + 3, to: a) }
        try await a.change { try $0.remove("song-1") }
        try await b.load()
        #expect(try await a.merge(keeper("a")) == 1)
        try await a.change { try $0.remove("song-4") }
        objects.isAway.withLock { $0 = true }
        try await b.refresh()
        #expect(b.view.replaced.count == 1 && b.view.missing.isEmpty)
        #expect(b.catalog.referenceIDs == ["song-0", "song-2", "song-3", "song-5"])
        #expect(try Self.found(4, in: b.catalog) == nil)
        #expect(try Self.found(5, in: b.catalog) == "song-5")
        // A removal by a node that has not got the merged segment is one like any other.
        try await b.change { try $0.remove("song-5") }
        #expect(b.catalog.referenceIDs == ["song-0", "song-2", "song-3"])
        objects.isAway.withLock { $0 = false }
        try await a.load()
        #expect(a.catalog.referenceIDs == ["song-0", "song-2", "song-3"])
    }

    @Test("sources of sources are searched until what was merged twice has come")
    func sourcesOfSources() async throws {
        let (a, b) = (try await node("a", policy: Self.eager), try await node("b"))
        for number in 0..<2 { try await Self.add(number * 2..<number * 2 + 2, to: a) }
        try await b.load()
        let keeper = keeper("a")
        #expect(try await a.merge(keeper) == 1)
        objects.isAway.withLock { $0 = true }
        try await b.refresh()
        objects.isAway.withLock { $0 = false }
        try await a.change { try $0.remove("song-3") }
        try await Self.add(4..<5, to: a)
        #expect(try await a.merge(keeper) == 1)
        try await a.change { try $0.remove("song-0") }
        objects.isAway.withLock { $0 = true }
        try await b.refresh()
        // What b never had is missing; the rest of the merged segment is searched.
        #expect(b.view.replaced.isEmpty && b.view.missing.count == 1 && !b.status.isComplete)
        #expect(b.catalog.referenceIDs == ["song-1", "song-2"])
        #expect(b.status.missingReferenceCount == 1 && b.snapshot.missing.count == 1)
        objects.isAway.withLock { $0 = false }
        try await b.load()
        #expect(b.catalog.referenceIDs == ["song-1", "song-2", "song-4"])
        // Without a new one all is found in what it has.
        let c = try await node("c")
        try await c.load()
        try await Self.add(5..<6, to: a)
        try await c.load()
        let before = a.view.manifest.segments.count
        #expect(try await a.merge(keeper) == 1)
        try await a.change { try $0.remove("song-1") }
        #expect(try await a.merge(keeper, compacting: true) ?? 0 >= 0)
        objects.isAway.withLock { $0 = true }
        try await c.refresh()
        #expect(before == 2 && c.view.missing.isEmpty && c.status.isComplete)
        #expect(c.catalog.referenceIDs == ["song-2", "song-4", "song-5"])
    }

    @Test("references that are removed while segments are merged never come back", arguments: 0..<6)
    func removing(seed: Int) async throws {
        let (a, b) = (try await node("a", policy: Self.eager), try await node("b"))
        for number in 0..<6 { try await Self.add(number * 4..<number * 4 + 4, to: a) }
        try await b.load()
        var generator = SeededGenerator(seed: UInt64(seed))
        let order = (0..<24).shuffled(using: &generator)
        let gone = order.prefix(16).map { ReferenceID("song-\($0)") }
        let keeper = keeper("a")
        async let merges = a.merge(keeper)
        for id in gone { try await b.change { try $0.remove(id) } }
        _ = try await merges
        _ = try await a.merge(keeper)
        for node in [a, b] {
            try await node.load()
            #expect(
                node.catalog.referenceIDs.sorted() == order.dropFirst(16).map { ReferenceID("song-\($0)") }.sorted()
            )
        }
    }

    @Test("of nodes that want to merge one does")
    func leases() async throws {
        let (a, b) = (try await node("a", policy: Self.eager), try await node("b", policy: Self.eager))
        for number in 0..<2 { try await Self.add(number..<number + 1, to: a) }
        try await b.load()
        let lease = try await leases.take("merge/music", for: NodeID(rawValue: "b"), seconds: 60)
        #expect(try await a.merge(keeper("a")) == nil)
        #expect(try await b.merge(keeper("b")) == 1)
        try await leases.release(try #require(lease))
        #expect(try await a.merge(keeper("a")) == 0)
    }

    @Test("objects that nothing has needed for a day are removed, and no other")
    func garbage() async throws {
        let a = try await node("a", policy: Self.eager)
        for number in 0..<2 { try await Self.add(number..<number + 1, to: a) }
        _ = try await a.merge(keeper("a"))
        #expect(objects.keys.count == 3)
        #expect(try await a.collectGarbage(keeper("a")) == 0)
        #expect(try await a.collectGarbage(keeper("a"), after: 0) == 2)
        #expect(objects.keys == [SharedSegment.key(a.view.manifest.segments[0].object, in: "music")])
        #expect(try await a.faults(in: folder.url).isEmpty)
        // The same content again has the same name.
        try await a.change { try $0.remove("song-0") }
        try await Self.add(0..<1, to: a)
        #expect(try Self.found(0, in: a.catalog) == "song-0")
        #expect(try await a.faults(in: folder.url).isEmpty)
    }

    @Test("files that are not needed go when there is no room")
    func eviction() async throws {
        let a = try await node("a", policy: Self.eager, idle: 0)
        for number in 0..<4 { try await Self.add(number..<number + 1, to: a) }
        _ = try await a.merge(keeper("a"))
        try await a.refresh()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("a").path)
        #expect(names == ["\(a.view.manifest.segments[0].object).earcat"])
    }

    @Test("what the bucket lost or damaged is named")
    func faults() async throws {
        let a = try await node("a")
        for number in 0..<3 { try await Self.add(number..<number + 1, to: a) }
        let keys = a.view.manifest.segments.map { SharedSegment.key($0.object, in: "music") }
        try await objects.remove(keys[0])
        objects.damage.withLock { $0[keys[2]] = .byte }
        #expect(try await a.faults(in: folder.url) == ["\(keys[0]) is missing.", "\(keys[2]) is damaged."])
    }
}

extension SharedCatalogStatus {
    fileprivate func with(silence: Double) -> Self {
        var status = self
        status.silence = silence
        return status
    }
}
