import EarshotAPI
import EarshotCore
import EarshotNodes
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Queues of jobs", .timeLimit(.minutes(5)))
struct JobQueueTests {
    private static let here = PlaceID(rawValue: "here")

    private static func queue(
        _ store: any JobStore,
        _ place: PlaceID = here,
        work: NodeWork = NodeWork(),
        clock: MediaClock = .system
    ) -> JobQueue {
        JobQueue(
            "job",
            in: store,
            node: JobQueue.Node(place: place, work: work),
            clock: clock,
            logger: TestService.silentLogger
        )
    }

    private static func store(_ accounts: SQLiteAccountStore) async throws -> MemoryJobStore {
        try await MemoryJobStore(AccountJobArchive(accounts, queues: ["job"]), now: { Date() })
    }

    /// A worker that goes on until its task is canceled.
    private static func endless(_ begun: AsyncStream<String>.Continuation? = nil) -> JobQueue.Worker {
        { job, _ throws(EarshotError) in
            begun?.yield(job.id)
            while !Task.isCancelled { await Task.yield() }
            throw EarshotError(.cancelled, "Stopped.")
        }
    }

    /// Moves a clock on until something is true.
    private static func advance(_ clock: ManualClock, by step: Double = 1, until isTrue: () async throws -> Bool)
        async throws
    {
        while try await !isTrue() {
            clock.advance(by: step)
            for _ in 0..<50 { await Task.yield() }
        }
    }

    // MARK: - On one machine

    @Test("a store of values keeps every rule of jobs", arguments: JobStoreRule.all)
    func rules(rule: JobStoreRule) async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        try await rule.check(
            try await MemoryJobStore(AccountJobArchive(accounts, queues: ["job", "other"]), now: { Date() })
        )
    }

    @Test("jobs that an earlier version kept are read, and done")
    func earlier() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let values = [
            "a": #""state":"running","progress":0.5},"owner":"ann","isFirst":false"#,
            "b": #""state":"waiting","progress":0},"owner":"operator","isFirst":true"#,
            "c":
                #""state":"failed","progress":0.1,"error":{"code":"readFailed","message":"No."},"finished":"2026-01-31T10:00:00Z"},"owner":"ann""#,
        ]
        for (id, rest) in values {
            let json =
                #"{"record":{"id":"\#(id)","kind":"publish","created":"2026-01-31T09:00:00Z",\#(rest),"input":{"id":"\#(id)"}}"#
            try await accounts.setValue(Data(json.utf8), for: "job/\(id)")
        }
        let store = try await Self.store(accounts)
        let failed = try #require(try await store.job("c", in: "job"))
        #expect(failed.state == .failed && failed.failure == Job.Failure(code: "readFailed", message: "No."))
        #expect(failed.finished.map { $0 > failed.created } == true)
        let queue = Self.queue(store)
        let (done, names) = AsyncStream.makeStream(of: String.self)
        await queue.start { job, _ throws(EarshotError) in
            names.yield(job.order.input["id"] ?? "")
            return nil
        }
        var iterator = done.makeAsyncIterator()
        #expect(await iterator.next() == "b")
        #expect(await iterator.next() == "a")
        await queue.stop()
    }

    @Test("a job that a restart interrupts begins again")
    func restart() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let first = Self.queue(try await Self.store(accounts))
        let (begun, names) = AsyncStream.makeStream(of: String.self)
        await first.start(Self.endless(names))
        let job = try await first.submit(kind: "publish", owner: "operator", input: ["id": "a"])
        let waiting = try await first.submit(kind: "publish", owner: "operator", input: ["id": "b"])
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        await first.stop()

        let second = Self.queue(try await Self.store(accounts))
        let order = Mutex<[String]>([])
        await second.start { job, _ throws(EarshotError) in
            order.withLock { $0.append(job.order.input["id"] ?? "") }
            return "done"
        }
        for id in [job.id, waiting.id] {
            for await record in try await second.events(id) where record.state.isFinal {
                #expect(record.state == .done)
            }
        }
        #expect(order.withLock { $0 }.sorted() == ["a", "b"])
        await second.stop()
    }

    @Test("a job that is given up while it waits is never begun")
    func cancelling() async throws {
        let queue = Self.queue(try await Self.store(try SQLiteAccountStore.inMemory()))
        let job = try await queue.submit(kind: "publish", owner: "operator", input: [:])
        try await queue.cancel(job.id)
        let other = try await queue.submit(kind: "check", owner: "operator", input: [:])
        await queue.start { done, _ throws(EarshotError) in
            #expect(done.id == other.id)
            return nil
        }
        for await _ in try await queue.events(other.id) {}
        #expect(try await queue.job(job.id)?.state == .cancelled)
        await queue.stop()
    }

    @Test("a job that is given up while it runs ends, and one that failed tells why")
    func ending() async throws {
        let queue = Self.queue(MemoryJobStore())
        let (begun, names) = AsyncStream.makeStream(of: String.self)
        let endless = Self.endless(names)
        await queue.start { job, progress throws(EarshotError) in
            guard job.order.kind == "publish" else { throw EarshotError(.writeFailed, "There is no room.") }
            return try await endless(job, progress)
        }
        let job = try await queue.submit(kind: "publish", owner: "ann", input: [:])
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        let events = try await queue.events(job.id)
        try await queue.cancel(job.id)
        var last: JobRecord?
        for await record in events { last = record }
        #expect(last?.state == .cancelled)
        let failing = try await queue.submit(kind: "check", owner: "ann", input: [:])
        for await record in try await queue.events(failing.id) { last = record }
        #expect(last?.state == .failed && last?.error?.code == "writeFailed")
        await queue.stop()
    }

    @Test("the operator's job comes first, clients take turns, and none fills the queue")
    func shares() async throws {
        let queue = Self.queue(try await Self.store(try SQLiteAccountStore.inMemory()))
        let limit = JobLimits().ownerWaiting
        for number in 0..<limit {
            _ = try await queue.submit(kind: "addReference", owner: "hog", input: ["id": "hog-\(number)"])
        }
        let error = await #expect(throws: EarshotError.self) {
            try await queue.submit(kind: "addReference", owner: "hog", input: [:])
        }
        #expect(error?.code == .tooManyRequests)
        for number in 0..<2 {
            _ = try await queue.submit(kind: "addReference", owner: "good", input: ["id": "good-\(number)"])
        }
        _ = try await queue.submit(kind: "check", owner: "operator", isOperator: true, input: ["id": "check"])
        let order = Mutex<[String]>([])
        let ended = AsyncStream.makeStream(of: Void.self)
        await queue.start { job, _ throws(EarshotError) in
            let count = order.withLock { names in
                names.append(job.order.input["id"] ?? "")
                return names.count
            }
            if count == limit + 3 { ended.continuation.finish() }
            return nil
        }
        for await _ in ended.stream {}
        #expect(order.withLock { Array($0.prefix(5)) } == ["check", "hog-0", "good-0", "hog-1", "good-1"])
        await queue.stop()
    }

    // MARK: - On several nodes

    @Test("a job that one node was given is done by another, and listeners of the first hear of it")
    func otherNode() async throws {
        let clock = ManualClock()
        let store = MemoryJobStore(clock: clock.clock)
        let (front, back) = (Self.queue(store, clock: clock.clock), Self.queue(store, clock: clock.clock))
        let job = try await front.submit(kind: "addReference", owner: "ann", input: [:])
        let told = Mutex<[JobRecord]>([])
        let events = try await front.events(job.id)
        let listening = Task { for await record in events { told.withLock { $0.append(record) } } }
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        await back.start { _, progress throws(EarshotError) in
            progress(0.5)
            for await _ in gate {}
            return "reference"
        }
        // The store learns of the progress when the lease is prolonged.
        try await Self.advance(clock) { told.withLock { $0.last?.progress } == 0.5 }
        #expect(told.withLock { $0.first?.state } == .waiting)
        #expect(try await front.load == JobLoad(running: 1))
        opening.finish()
        try await Self.advance(clock) { told.withLock { $0.last?.state } == .done }
        await listening.value
        #expect(told.withLock { $0.last?.result } == "reference")
        await back.stop()
        await front.stop()
    }

    @Test("a job is given up from a node that does not do it")
    func cancellingElsewhere() async throws {
        let clock = ManualClock()
        let store = MemoryJobStore(clock: clock.clock)
        let (front, back) = (Self.queue(store, clock: clock.clock), Self.queue(store, clock: clock.clock))
        let job = try await front.submit(kind: "addReference", owner: "ann", input: [:])
        await back.start(Self.endless())
        try await Self.advance(clock) { try await front.job(job.id)?.state == .running }
        try await front.cancel(job.id)
        #expect(try await front.job(job.id)?.state == .running)
        try await Self.advance(clock) { try await front.job(job.id)?.state == .cancelled }
        await back.stop()
    }

    @Test("a job whose node cannot reach the store is done by another, and its end comes too late")
    func cutOff() async throws {
        let clock = ManualClock()
        let store = MemoryJobStore(clock: clock.clock)
        let cut = CutJobStore(store)
        let (lost, other) = (Self.queue(cut, clock: clock.clock), Self.queue(store, clock: clock.clock))
        let job = try await lost.submit(kind: "addReference", owner: "ann", input: [:])
        let isCancelled = Mutex(false)
        await lost.start { _, _ throws(EarshotError) in
            while !Task.isCancelled { await Task.yield() }
            isCancelled.withLock { $0 = true }
            throw EarshotError(.cancelled, "Stopped.")
        }
        try await Self.advance(clock) { try await store.job(job.id, in: "job")?.state == .running }
        cut.isCut.withLock { $0 = true }
        let began = clock.now.seconds
        try await Self.advance(clock) { isCancelled.withLock { $0 } }
        #expect(clock.now.seconds - began <= 15)
        await other.start { _, _ throws(EarshotError) in "by another" }
        try await Self.advance(clock) { try await store.job(job.id, in: "job")?.state == .done }
        #expect(try await store.job(job.id, in: "job")?.result == "by another")
        await other.stop()
        await lost.stop()
    }

    @Test("a node that ends puts its job back, and another begins it at once")
    func stopping() async throws {
        let clock = ManualClock()
        let store = MemoryJobStore(clock: clock.clock)
        let (first, second) = (Self.queue(store, clock: clock.clock), Self.queue(store, clock: clock.clock))
        let (begun, names) = AsyncStream.makeStream(of: String.self)
        await first.start(Self.endless(names))
        let job = try await first.submit(kind: "addReference", owner: "ann", input: [:])
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        await first.stop()
        #expect(try await store.job(job.id, in: "job")?.state == .waiting)
        await second.start { _, _ throws(EarshotError) in "again" }
        while try await store.job(job.id, in: "job")?.state != .done { await Task.yield() }
        #expect(clock.now == .zero)
        await second.stop()
    }

    @Test("a node that is drained ends its job and begins none, and another does the next one")
    func draining() async throws {
        let (clock, work) = (ManualClock(), NodeWork())
        let store = MemoryJobStore(clock: clock.clock)
        let drained = Self.queue(store, work: work, clock: clock.clock)
        let other = Self.queue(store, clock: clock.clock)
        let (begun, names) = AsyncStream.makeStream(of: String.self)
        let mayEnd = Mutex(false)
        await drained.start { job, _ throws(EarshotError) in
            names.yield(job.id)
            while !mayEnd.withLock(\.self), !Task.isCancelled { await Task.yield() }
            return "by the first"
        }
        let first = try await drained.submit(kind: "publish", owner: "ann", input: [:])
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        #expect(work.count == 1)
        work.setDraining(true)
        let second = try await drained.submit(kind: "publish", owner: "ann", input: [:])
        mayEnd.withLock { $0 = true }
        try await Self.advance(clock) { work.count == 0 }
        #expect(try await store.job(first.id, in: "job")?.result == "by the first")
        for _ in 0..<3 {
            clock.advance(by: 1)
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(try await store.job(second.id, in: "job")?.state == .waiting)
        await other.start { _, _ throws(EarshotError) in "by another" }
        try await Self.advance(clock) { try await store.job(second.id, in: "job")?.result == "by another" }
        await drained.stop()
        await other.stop()
    }

    @Test("a queue that is drained for good waits for its job, and puts it back when it may wait no longer")
    func drainingForGood() async throws {
        let store = MemoryJobStore()
        let queue = Self.queue(store)
        let (begun, names) = AsyncStream.makeStream(of: String.self)
        await queue.start(Self.endless(names))
        let job = try await queue.submit(kind: "publish", owner: "ann", input: [:])
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        let ending = Task { await queue.drain() }
        for _ in 0..<200 { await Task.yield() }
        #expect(try await store.job(job.id, in: "job")?.state == .running)
        ending.cancel()
        await ending.value
        #expect(try await store.job(job.id, in: "job")?.state == .waiting)
    }

    @Test("a job that needs a folder is done by the node that has it")
    func places() async throws {
        let clock = ManualClock()
        let store = MemoryJobStore(clock: clock.clock)
        let other = Self.queue(store, PlaceID(rawValue: "there"), clock: clock.clock)
        let own = Self.queue(store, clock: clock.clock)
        await other.start { job, _ throws(EarshotError) in job.order.place == nil ? "any" : "wrong" }
        let local = try await own.submit(kind: "backup", owner: "operator", isLocal: true, input: [:])
        let free = try await own.submit(kind: "addReference", owner: "ann", input: [:])
        try await Self.advance(clock) { try await own.job(free.id)?.result == "any" }
        #expect(try await own.job(local.id)?.state == .waiting)
        await own.start { _, _ throws(EarshotError) in "own" }
        try await Self.advance(clock) { try await own.job(local.id)?.result == "own" }
        await own.stop()
        await other.stop()
    }
}

extension JobQueueTests {
    @Test("a job whose folder no node has had for a day fails, and tells its listeners why")
    func lost() async throws {
        let time = TestTime()
        let store = MemoryJobStore(now: { time.now })
        let queue = Self.queue(store)
        let job = try await queue.submit(kind: "backup", owner: "ann", isLocal: true, input: [:])
        let events = try await queue.events(job.id)
        try await queue.failLost(except: [])
        #expect(try await queue.job(job.id)?.state == .waiting)
        time.advance(86_400)
        try await queue.failLost(except: [Self.here])
        #expect(try await queue.job(job.id)?.state == .waiting)
        try await queue.failLost(except: [PlaceID(rawValue: "there")])
        var last: JobRecord?
        for await record in events { last = record }
        #expect(last?.state == .failed && last?.error?.code == "assetUnavailable")
        #expect(try await queue.load == JobLoad())
        await queue.stop()
    }

    @Test("jobs of a folder that was moved to a shared database are done and listed there, by the node of the folder")
    func moved() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let archive = AccountJobArchive(accounts, queues: ["job"])
        let first = Self.queue(try await MemoryJobStore(archive, now: { Date() }))
        let local = try await first.submit(kind: "backup", owner: "operator", isLocal: true, input: ["a": "b"])
        let free = try await first.submit(kind: "addReference", owner: "ann", input: [:])
        let over = try await first.submit(kind: "addReference", owner: "eve", input: [:])
        try await first.cancel(over.id)
        // An earlier version kept no folder.
        let old =
            #"{"record":{"id":"old","kind":"publish","created":"2026-01-31T09:00:00Z","state":"waiting","progress":0},"#
        try await accounts.setValue(Data((old + #""owner":"ann","input":{}}"#).utf8), for: "job/old")

        let there = PlaceID(rawValue: "there")
        let shared = MemoryJobStore()
        for _ in 0..<2 { try await archive.move(to: shared, at: there) }
        #expect(try await archive.jobs().isEmpty)
        #expect(try await shared.job(over.id, in: "job")?.state == .cancelled)
        #expect(try await shared.job(local.id, in: "job")?.order == local.order)
        #expect(try await shared.job(free.id, in: "job")?.order.place == nil)
        #expect(try await shared.job("old", in: "job")?.order.place == there)
        #expect(try await shared.load(of: "job", owner: nil).waiting == 3)
    }

    @Test("a job that waited in a folder is done though its copy has another name")
    func copied() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let job = try await Self.queue(try await Self.store(accounts)).submit(
            kind: "backup",
            owner: "operator",
            isLocal: true,
            input: [:]
        )
        let store = try await Self.store(accounts)
        let node = NodeID(rawValue: "node-b")
        let there = PlaceID(rawValue: "there")
        #expect(try await store.claim(in: "job", for: node, at: there, seconds: 60)?.id == job.id)
    }
}

/// A store that at times cannot be reached.
private final class CutJobStore: JobStore {
    private let store: any JobStore
    let isCut = Mutex(false)

    init(_ store: any JobStore) { self.store = store }

    private func reached() throws(EarshotError) -> any JobStore {
        if isCut.withLock({ $0 }) { throw EarshotError(.storeUnavailable, "The store is away.") }
        return store
    }

    func submit(_ order: JobOrder, limits: JobLimits) async throws(EarshotError) -> Job {
        try await reached().submit(order, limits: limits)
    }

    func load(of queue: String, owner: String?) async throws(EarshotError) -> JobLoad {
        try await reached().load(of: queue, owner: owner)
    }

    func claim(
        in queue: String,
        for node: NodeID,
        at place: PlaceID,
        seconds: Double
    ) async throws(EarshotError) -> Job? {
        try await reached().claim(in: queue, for: node, at: place, seconds: seconds)
    }

    func prolong(_ job: Job, progress: Double, seconds: Double) async throws(EarshotError) -> Job? {
        try await reached().prolong(job, progress: progress, seconds: seconds)
    }

    func finish(_ job: Job, _ outcome: Job.Outcome) async throws(EarshotError) -> Job? {
        try await reached().finish(job, outcome)
    }

    func release(_ job: Job) async throws(EarshotError) { try await reached().release(job) }

    func cancel(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        try await reached().cancel(id, in: queue)
    }

    func adopt(_ job: Job) async throws(EarshotError) { try await reached().adopt(job) }

    func fail(
        in queue: String,
        exceptAt places: Set<PlaceID>,
        olderThan age: Double,
        _ failure: Job.Failure
    ) async throws(EarshotError) -> [Job] {
        try await reached().fail(in: queue, exceptAt: places, olderThan: age, failure)
    }

    func forget(_ id: String, in queue: String) async throws(EarshotError) { try await reached().forget(id, in: queue) }

    func trim(_ queue: String, owner: String, limits: JobLimits) async throws(EarshotError) {
        try await reached().trim(queue, owner: owner, limits: limits)
    }

    func job(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        try await reached().job(id, in: queue)
    }

    func jobs(in queue: String, of owner: String?) async throws(EarshotError) -> [Job] {
        try await reached().jobs(in: queue, of: owner)
    }
}
