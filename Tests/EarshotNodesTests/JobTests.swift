import EarshotCore
import EarshotNodes
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Jobs of a service that is the only node", .timeLimit(.minutes(1)))
struct JobTests {
    private static let node = NodeID(rawValue: "node-a")
    private static let here = PlaceID(rawValue: "here")

    @Test("a store in memory keeps every rule of jobs", arguments: JobStoreRule.all)
    func rules(rule: JobStoreRule) async throws { try await rule.check(MemoryJobStore()) }

    @Test("a store with an archive keeps every rule of jobs", arguments: JobStoreRule.all)
    func archivedRules(rule: JobStoreRule) async throws {
        try await rule.check(try await MemoryJobStore(ListArchive(), now: { Date() }))
    }

    @Test("jobs that ran when the service ended begin again, in the order in which they were submitted")
    func restart() async throws {
        let archive = ListArchive()
        let time = Mutex(0.0)
        let now: @Sendable () -> Date = {
            Date(
                timeIntervalSince1970: time.withLock { time in
                    time += 1
                    return time
                }
            )
        }
        let first = try await MemoryJobStore(archive, now: now)
        for (id, owner) in [("z", "ann"), ("y", "ann"), ("x", "bob"), ("done", "eve")] {
            let order = JobOrder(queue: "job", id: id, kind: "add", owner: owner, input: ["id": id])
            _ = try await first.submit(order, limits: JobLimits())
        }
        let begun = try await Self.claim(first)
        #expect(begun?.id == "z")
        while let job = try await Self.claim(first), try await first.finish(job, .done("r"))?.id != "done" {}
        let done = try await first.job("done", in: "job")

        let second = try await MemoryJobStore(archive, now: now)
        #expect(try await second.job("done", in: "job") == done)
        #expect(try await second.job("z", in: "job")?.state == .waiting)
        #expect(try await Self.claim(second)?.id == "z")
        #expect(try await second.jobs(in: "job", of: nil).map(\.id) == ["done", "x", "y", "z"])
        try await second.forget("done", in: "job")
        #expect(try await MemoryJobStore(archive, now: now).job("done", in: "job") == nil)
    }

    @Test("a job that cannot be kept is refused, and one whose end cannot be kept is over")
    func failing() async throws {
        let archive = ListArchive()
        let store = try await MemoryJobStore(archive, now: { Date() })
        let order = JobOrder(queue: "job", id: "a", kind: "add", owner: "ann")
        archive.isFull.withLock { $0 = true }
        await #expect(throws: EarshotError.self) { _ = try await store.submit(order, limits: JobLimits()) }
        #expect(try await store.jobs(in: "job", of: nil).isEmpty)
        archive.isFull.withLock { $0 = false }
        _ = try await store.submit(order, limits: JobLimits())
        let job = try #require(try await Self.claim(store))
        archive.isFull.withLock { $0 = true }
        await #expect(throws: EarshotError.self) { _ = try await store.finish(job, .done(nil)) }
        #expect(try await store.job("a", in: "job")?.state == .done)
        #expect(try await Self.claim(store) == nil)
    }

    @Test("a folder has one name, which stays")
    func place() throws {
        try withTemporaryFolder { folder in
            let place = try PlaceID.kept(in: folder)
            #expect(try PlaceID.kept(in: folder) == place)
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            #expect(try PlaceID.kept(in: other) != place)
            try Data("x".utf8).write(to: other.appendingPathComponent(PlaceID.fileName))
            let error = #expect(throws: EarshotError.self) { try PlaceID.kept(in: other) }
            #expect(error?.code == .storeDamaged)
        }
    }

    private static func claim(_ store: MemoryJobStore) async throws -> Job? {
        try await store.claim(in: "job", for: node, at: here, seconds: 60)
    }
}

/// Jobs in a list.
private final class ListArchive: JobArchive {
    private let kept = Mutex<[String: Job]>([:])
    /// Nothing more is kept.
    let isFull = Mutex(false)

    func jobs() async throws(EarshotError) -> [Job] { kept.withLock { Array($0.values) } }

    func keep(_ job: Job) async throws(EarshotError) {
        await Task.yield()
        guard !isFull.withLock({ $0 }) else { throw EarshotError(.writeFailed, "The disk is full.") }
        kept.withLock { $0["\(job.order.queue)/\(job.id)"] = job }
    }

    func remove(_ id: String, in queue: String) async throws(EarshotError) {
        _ = kept.withLock { $0.removeValue(forKey: "\(queue)/\(id)") }
    }
}
