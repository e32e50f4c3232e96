import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

@Suite("The disk of a node that shares a catalog", .timeLimit(.minutes(2)))
struct FullDiskTests {
    /// The room of a disk as a test wants it.
    private final class Disk: Sendable {
        /// The bytes for segments that the node is to hold, and for others; `nil` if they are not known.
        let own = Mutex<Int?>(nil)
        let others = Mutex<Int?>(nil)
        /// Says that what is written lasts.
        let lasts = Mutex(true)

        func room(_ isOwn: Bool) -> Int? { isOwn ? own.withLock { $0 } : others.withLock { $0 } }
    }

    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let manifests = MemoryManifestStore()
    private let clock = ManualClock()
    private let disk = Disk()

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        _ = try await manifests.create("music", limits: .standard)
        // Each reference is in a segment of its own.
        let writer = try await node("writer")
        for number in 0..<4 { try await Self.add(number, to: writer) }
    }

    /// A node of a name, which is that of its folder too.
    private static func record(_ name: String) -> NodeRecord {
        NodeRecord(
            id: NodeID(rawValue: name),
            name: name,
            place: PlaceID(rawValue: name),
            address: "\(name):8081",
            cacheBytes: 1 << 20
        )
    }

    private func node(_ name: String, isPlaced: Bool = false) async throws -> SharedCatalog {
        let disk = disk
        return try await SharedCatalog(
            "music",
            manifests: manifests,
            cache: SegmentCache(
                folder.url.appendingPathComponent(name),
                catalog: "music",
                objects: objects,
                room: { disk.room($0) },
                flush: { _ in disk.lasts.withLock { $0 } }
            ),
            place: isPlaced ? PlaceID(rawValue: name) : nil,
            idle: 0,
            clock: clock.clock
        )
    }

    private static func signature(_ number: Int) -> Signature { .random(seed: UInt64(number), seconds: 20) }

    private static func add(_ number: Int, to catalog: SharedCatalog) async throws {
        try await catalog.change {
            try $0.add(signature(number), representing: [], id: ReferenceID("song-\(number)"))
        }
    }

    private static func found(_ number: Int, in catalog: Catalog) throws -> ReferenceID? {
        let query = signature(number)
            .slice(from: MediaTime(value: 5, timescale: 1), duration: MediaTime(value: 8, timescale: 1)).signature
        return try catalog.match(query)?.references.first?.id
    }

    /// Looks at the database, and waits until nothing is on its way.
    private func look(_ node: SharedCatalog) async throws {
        try await node.refresh()
        while node.isFetching { await Task.yield() }
    }

    private func files(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path)
    }

    @Test("a segment that does not fit is not searched, is told of once, leaves nothing, and comes when there is room")
    func full() async throws {
        let node = try await node("node")
        try await node.load()
        let before = try files("node").count
        objects.isDiskFull.withLock { $0 = true }
        try await Self.add(4, to: try await self.node("writer"))
        for attempt in 1...3 {
            try await look(node)
            #expect(objects.fetched.withLock { $0.count } == 4 + attempt)
            clock.advance(by: 30)
        }
        let object = try #require(node.view.missing.first?.object)
        #expect(node.view.missing.count == 1 && !node.status.isComplete)
        #expect(try Self.found(4, in: node.catalog) == nil)
        #expect(try Self.found(1, in: node.catalog) == "song-1")
        let failure = try #require(node.status.failures.first)
        #expect(node.status.failures.count == 1 && failure.contains(object) && failure.contains("no room"))
        #expect(node.state.withLock { $0.untold.map(\.message) } == [failure])
        #expect(try files("node").count == before)
        objects.isDiskFull.withLock { $0 = false }
        try await look(node)
        try await node.refresh()
        #expect(try Self.found(4, in: node.catalog) == "song-4")
        #expect(node.status.isComplete && node.status.failures.isEmpty)
    }

    @Test("a segment that is larger than the room of the disk is not asked for before there is room")
    func small() async throws {
        let node = try await node("node")
        disk.own.withLock { $0 = 1 }
        try await look(node)
        #expect(objects.fetched.withLock { $0.isEmpty } && node.catalog.isEmpty)
        #expect(node.status.failures.count == 4 && !node.status.isComplete)
        #expect(node.status.failures.allSatisfy { $0.contains("no room") })
        disk.own.withLock { $0 = 1 << 30 }
        clock.advance(by: 30)
        while node.catalog.count < 4 { try await look(node) }
        #expect(node.status.isComplete && node.status.failures.isEmpty)
    }

    @Test("a segment that the disk cannot keep in the end is not searched, leaves nothing, and is fetched again")
    func lost() async throws {
        let node = try await node("node")
        disk.lasts.withLock { $0 = false }
        try await look(node)
        #expect(node.catalog.isEmpty && node.status.failures.count == 4)
        #expect(try files("node").isEmpty)
        disk.lasts.withLock { $0 = true }
        clock.advance(by: 30)
        while node.catalog.count < 4 { try await look(node) }
        #expect(node.status.isComplete && node.status.failures.isEmpty)
        #expect(objects.fetched.withLock { $0.count } == 8)
    }

    @Test("what is fetched for references leaves the reserve of the disk free, and what the node is to hold does not")
    func reserve() async throws {
        try await manifests.setCopies(1, of: "music")
        let node = try await node("node", isPlaced: true)
        disk.others.withLock { $0 = 0 }
        var record = Self.record("node")
        record.cacheBytes = 1
        // It has no room for what is placed on it, so that others hold all.
        node.place(on: [record])
        try await node.load()
        #expect(node.status.elsewhereCount == 4 && node.status.missing.isEmpty)
        let part = await #expect(throws: EarshotError.self) { try await node.part(with: ["song-1"]) }
        let whole = await #expect(throws: EarshotError.self) { try await node.whole() }
        let change = await #expect(throws: EarshotError.self) { try await node.change { try $0.remove("song-1") } }
        for error in [part, whole, change] {
            #expect(error?.code == .writeFailed && error?.message.contains("other nodes hold") == true)
        }
        #expect(objects.fetched.withLock { $0.isEmpty } && node.catalog.isEmpty)
        disk.others.withLock { $0 = 1 << 30 }
        #expect(try await node.part(with: ["song-1"]).contains("song-1"))
        #expect(try await node.whole().count == 4)

        let holder = try await self.node("holder", isPlaced: true)
        disk.others.withLock { $0 = 0 }
        holder.place(on: [Self.record("holder")])
        try await holder.load()
        #expect(holder.status.isComplete && holder.catalog.count == 4)
    }
}
