import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

@Suite("Workers that make references of files", .timeLimit(.minutes(3)))
struct IngestWorkerTests {
    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let clock = ManualClock()
    private let store: MemoryManifestStore
    private let ids = (0..<7).map { ReferenceID("song-\($0)") }

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        store = MemoryManifestStore(clock: clock.clock)
        _ = try await store.create("music", limits: .standard)
    }

    private static func addition(_ file: IngestFile) throws(EarshotError) -> Catalog.Addition {
        let number = UInt64(file.id.rawValue.split(separator: "-").last ?? "0") ?? 0
        return Catalog.Addition(id: file.id, signature: .random(seed: number, seconds: 10), items: file.items)
    }

    private func worker(
        _ name: String,
        _ store: (any IngestStore)? = nil,
        clock: ManualClock? = nil,
        read: @escaping @Sendable (IngestFile) async throws(EarshotError) -> Catalog.Addition = {
            file
                async throws(EarshotError) in try Self.addition(file)
        },
        observe: @escaping @Sendable (IngestWorker.Event) -> Void = { _ in }
    ) async throws -> IngestWorker {
        var worker = try await IngestWorker(
            "music",
            store: store ?? self.store,
            cache: SegmentCache(folder.url.appendingPathComponent(name), catalog: "music", objects: objects),
            node: NodeID(rawValue: name),
            clock: (clock ?? self.clock).clock,
            read: read,
            observe: observe
        )
        worker.limits.count = 3
        worker.jobs = 2
        return worker
    }

    /// The references of the catalog, as a node that fetches all of it finds them.
    private func references() async throws -> [ReferenceID] {
        let cache = try SegmentCache(folder.url.appendingPathComponent("reader"), catalog: "music", objects: objects)
        let catalog = try await SharedCatalog("music", manifests: store, cache: cache)
        try await catalog.load()
        #expect(catalog.status.referenceCount == catalog.catalog.referenceIDs.count)
        return catalog.catalog.referenceIDs.sorted()
    }

    @Test("files become references in segments of many, each file one")
    func files() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        try await worker("a").run()
        #expect(try await references() == ids)
        // Three each, or more if they were read while the segment before was brought.
        let manifest = try #require(try await store.manifest(of: "music"))
        #expect(manifest.segments.count <= 3)
        #expect(try await store.progress(of: "music").added == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/a").isEmpty)
        // Nothing is left for another one.
        try await worker("b").run()
        #expect(try await store.manifest(of: "music")?.count == 7)
    }

    @Test("several workers share the files")
    func sharing() async throws {
        let many = (0..<40).map { ReferenceID("song-\($0)") }
        try await store.enter(IngestStoreRule.files(many), in: "music")
        // The leases last: the clock of the store stands still.
        let moving = ManualClock()
        let mover = Task {
            while !Task.isCancelled {
                moving.advance(by: 1)
                await Task.yield()
            }
        }
        var workers: [IngestWorker] = []
        for name in ["a", "b", "c"] { workers.append(try await worker(name, clock: moving)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            try await group.waitForAll()
        }
        mover.cancel()
        #expect(try await references() == many.sorted())
    }

    @Test("a worker that dies at any step leaves each file for one reference", arguments: 0..<32, [false, true])
    func dying(step: Int, isDone: Bool) async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        let dying = DyingIngestStore(store, after: step, isDone: isDone)
        do {
            try await worker("a", dying).run()
            // The last call puts back what it holds.
            #expect(try await store.progress(of: "music").left == 0)
        } catch {
            #expect(dying.isDead)
        }
        // Its leases end.
        clock.advance(by: 15)
        try await worker("b").run()
        #expect(try await references() == ids)
        let progress = try await store.progress(of: "music")
        #expect(progress.added == 7 && progress.left == 0 && progress.failed == 0)
        #expect(step < 31 || !dying.isDead)
    }

    @Test("a worker that was taken for dead adds no file a second time")
    func late() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        let gate = Gate()
        let late = try await worker("a") { file async throws(EarshotError) in
            await gate.wait()
            return try Self.addition(file)
        }
        let running = Task { try await late.run() }
        while gate.waitingCount < 2 { await Task.yield() }
        // Its files are given to another one: the database has not heard of it.
        try await store.release(in: "music", for: NodeID(rawValue: "a"))
        try await worker("b").run()
        #expect(try await references() == ids)
        gate.open()
        try await running.value
        #expect(try await references() == ids)
        #expect(try await store.manifest(of: "music")?.count == 7)
    }

    @Test("a file that cannot be read is kept with the reason, and the others become references")
    func failing() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        try await worker("a") { file async throws(EarshotError) in
            if file.id == "song-2" { throw EarshotError(.assetUnreadable, "It is damaged.") }
            // Nothing to recognize: the catalog refuses it.
            if file.id == "song-4" {
                return Catalog.Addition(id: file.id, signature: .random(seed: 1, seconds: 0), items: [])
            }
            return try Self.addition(file)
        }.run()
        #expect(try await references() == ids.filter { $0 != "song-2" && $0 != "song-4" })
        let failed = try await store.failures(of: "music")
        #expect(failed.map(\.path) == ["/music/song-2", "/music/song-4"])
        #expect(failed.map(\.failure.code) == ["assetUnreadable", "signatureInvalid"])
    }

    @Test("a folder that goes ends the worker, which fails none of its files and keeps what it has read")
    func missingFolder() async throws {
        let music = folder.url.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        let files = ids.map { IngestFile(id: $0, path: music.appendingPathComponent($0.rawValue).path) }
        for file in files { try Data().write(to: URL(fileURLWithPath: file.path)) }
        try await store.enter(files, in: "music")
        let read: @Sendable (IngestFile) async throws(EarshotError) -> Catalog.Addition = {
            file
                async throws(EarshotError) in
            if file.id == "song-3" { try? FileManager.default.removeItem(at: music) }
            if let failure = MissingFile.failure(at: file.path) { throw failure }
            return try Self.addition(file)
        }
        var worker = try await worker("a", read: read)
        worker.jobs = 1
        let error = await #expect(throws: EarshotError.self) { try await worker.run() }
        #expect(error?.code == .assetNotFound && error?.message.contains(music.path) == true)
        let progress = try await store.progress(of: "music")
        #expect(progress.failed == 0 && progress.added == 3 && progress.left == 4)
        #expect(try await store.claim(9, in: "music", for: NodeID(rawValue: "x"), seconds: 60).count == 4)
    }

    @Test("files that are gone fail one by one while their folder is there, though it be all files")
    func missingFiles() async throws {
        let music = folder.url.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        // More than are claimed at first, so that the worker does not know that these are all.
        let many = (0..<40).map { ReferenceID("song-\($0)") }
        let files = many.map { IngestFile(id: $0, path: music.appendingPathComponent($0.rawValue).path) }
        try Data().write(to: URL(fileURLWithPath: files[39].path))
        try await store.enter(files, in: "music")
        try await worker("a") { file async throws(EarshotError) in
            if let failure = MissingFile.failure(at: file.path) { throw failure }
            return try Self.addition(file)
        }.run()
        let progress = try await store.progress(of: "music")
        #expect(progress.failed == 39 && progress.added == 1 && progress.left == 0)
    }

    @Test("a file that is there has no failure of one that is missing")
    func present() {
        #expect(MissingFile.failure(at: folder.url.path) == nil)
        let gone = MissingFile.failure(at: folder.url.path + "/a")
        #expect(gone?.cause as? MissingFile == .file)
        let unmounted = MissingFile.failure(at: folder.url.path + "/a/b/c")
        #expect(unmounted?.cause as? MissingFile == .folder(folder.url.path + "/a/b"))
    }

    @Test("a worker that waits for others says so, and settles each reference that it has read")
    func counting() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        let other = NodeID(rawValue: "x")
        #expect(try await store.claim(2, in: "music", for: other, seconds: 1e9).count == 2)
        let counts = Mutex((read: 0, settled: 0, others: [Int]()))
        let worker = try await worker(
            "a",
            // The answers to commits get lost.
            UnsettledIngestStore(store, .made),
            observe: { event in
                counts.withLock { counts in
                    switch event {
                    case .read: counts.read += 1
                    case .settled(let count): counts.settled += count
                    case .waitingForOthers(let count): counts.others.append(count)
                    case .failed, .waiting: break
                    }
                }
            }
        )
        let running = Task { try await worker.run() }
        while counts.withLock({ $0.others.isEmpty }) {
            if clock.sleeperCount >= 2 { clock.advance(by: 0.5) }
            await Task.yield()
        }
        #expect(counts.withLock { $0.others.first } == 2)
        #expect(counts.withLock { $0.read } == 5 && counts.withLock { $0.settled } == 5)
        try await store.release(in: "music", for: other)
        while try await store.progress(of: "music").left > 0 {
            if clock.sleeperCount >= 2 { clock.advance(by: 0.5) }
            await Task.yield()
        }
        let moving = Task { [clock] in
            while !Task.isCancelled {
                if clock.sleeperCount >= 2 { clock.advance(by: 0.5) }
                await Task.yield()
            }
        }
        try await running.value
        moving.cancel()
        #expect(counts.withLock { $0.read } == 7 && counts.withLock { $0.settled } == 7)
        #expect(try await references() == ids)
    }

    @Test("a worker that is interrupted keeps what it has read, and holds nothing")
    func interrupting() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        let gate = Gate()
        let worker = try await worker("a") { file async throws(EarshotError) in
            if file.id != "song-0" { await gate.wait() }
            return try Self.addition(file)
        }
        let running = Task { try await worker.run() }
        // One was read; two wait.
        while gate.waitingCount < 2 { await Task.yield() }
        running.cancel()
        gate.open()
        let error = await #expect(throws: EarshotError.self) { try await running.value }
        #expect(error?.code == .cancelled)
        #expect(try await references().contains("song-0"))
        let left = try await store.progress(of: "music").left
        #expect(try await store.claim(9, in: "music", for: NodeID(rawValue: "x"), seconds: 60).count == left)
        try await store.release(in: "music", for: NodeID(rawValue: "x"))
        try await self.worker("b").run()
        #expect(try await references() == ids)
    }

    @Test("a worker waits for a bucket that is away")
    func waiting() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        objects.isAway.withLock { $0 = true }
        let waits = Mutex(0)
        let worker = try await worker(
            "a",
            observe: { event in
                if case .waiting = event { waits.withLock { $0 += 1 } }
            }
        )
        let running = Task { try await worker.run() }
        // Time passes only while the worker waits, beside the keeper of its lease: otherwise its patience would end on a busy machine.
        while waits.withLock({ $0 }) < 3 {
            if clock.sleeperCount >= 2 { clock.advance(by: 1) }
            await Task.yield()
        }
        objects.isAway.withLock { $0 = false }
        let moving = Task { [clock] in
            while !Task.isCancelled {
                if clock.sleeperCount >= 2 { clock.advance(by: 1) }
                await Task.yield()
            }
        }
        try await running.value
        moving.cancel()
        #expect(try await references() == ids)
    }

    @Test("a lease is prolonged while a file is read for long")
    func prolonging() async throws {
        try await store.enter(IngestStoreRule.files(ids), in: "music")
        let gate = Gate()
        let worker = try await worker("a") { file async throws(EarshotError) in
            await gate.wait()
            return try Self.addition(file)
        }
        let running = Task { try await worker.run() }
        while gate.waitingCount < 2 { await Task.yield() }
        let other = NodeID(rawValue: "x")
        #expect(try await store.claim(9, in: "music", for: other, seconds: 1e9).count == 3)
        for _ in 0..<12 {
            while clock.sleeperCount < 1 { await Task.yield() }
            clock.advance(by: 5)
        }
        while clock.sleeperCount < 1 { await Task.yield() }
        #expect(try await store.claim(9, in: "music", for: other, seconds: 1e9).isEmpty)
        try await store.release(in: "music", for: other)
        gate.open()
        try await running.value
        #expect(try await references() == ids)
    }
}

/// Holds tasks until it is opened.
private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
