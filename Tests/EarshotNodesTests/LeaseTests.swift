import EarshotCore
import EarshotNodes
import Synchronization
import TestSupport
import Testing

@Suite("Leases", .timeLimit(.minutes(1)))
struct LeaseTests {
    private static let a = NodeID(rawValue: "node-a")
    private static let b = NodeID(rawValue: "node-b")

    @Test("a store in memory keeps every rule of leases", arguments: LeaseStoreRule.all)
    func rules(rule: LeaseStoreRule) async throws { try await rule.check(MemoryLeaseStore()) }

    @Test("a lease is prolonged while its holder works, and free when it is done")
    func keeping() async throws {
        let clock = ManualClock()
        let store = MemoryLeaseStore(clock: clock.clock)
        let keeper = LeaseKeeper(store, node: Self.a, seconds: 15, clock: clock.clock)
        let other = LeaseKeeper(store, node: Self.b, seconds: 15, clock: clock.clock)
        let end = AsyncStream.makeStream(of: Void.self)
        async let outcome = keeper.run("merge") { lease throws(EarshotError) in
            for await _ in end.stream { break }
            return lease.fence
        }
        for _ in 0..<12 {
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 5)
            while try await store.leases().first.map({ $0.seconds < 15 }) ?? true { await Task.yield() }
            #expect(try await other.run("merge") { _ throws(EarshotError) in 0 } == nil)
        }
        end.continuation.finish()
        #expect(try await outcome == 1)
        #expect(try await other.run("merge") { lease throws(EarshotError) in lease.fence } == 2)
    }

    @Test("work whose lease cannot be prolonged is canceled before another node can have it")
    func losing() async throws {
        let clock = ManualClock()
        let store = FailingLeaseStore(MemoryLeaseStore(clock: clock.clock))
        let keeper = LeaseKeeper(store, node: Self.a, seconds: 15, clock: clock.clock)
        let work = Task { () async throws(EarshotError) -> Bool? in
            try await keeper.run("merge") { _ throws(EarshotError) in
                while !Task.isCancelled { await Task.yield() }
                return true
            }
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        store.isAway.withLock { $0 = true }
        clock.advance(by: 5)
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 5)
        #expect(try await work.value == true)
        #expect(clock.now.seconds < 15)
    }

    @Test("a node that is drained takes no lease, except for what it has begun")
    func draining() async throws {
        let (store, work) = (MemoryLeaseStore(), NodeWork())
        let keeper = LeaseKeeper(store, node: Self.a, work: work)
        let outcome = try await keeper.run("piece") { _ throws(EarshotError) in
            work.setDraining(true)
            #expect(work.count == 1)
            #expect(work.leaseCount == 1)
            #expect(try await keeper.run("merge") { _ throws(EarshotError) in true } == nil)
            return try await keeper.run("conclusion", continuing: true) { _ throws(EarshotError) in work.count }
        }
        #expect(outcome == 2)
        #expect(work.count == 0)
        #expect(work.leaseCount == 0)
        #expect(try await keeper.run("piece") { _ throws(EarshotError) in true } == nil)
        work.setDraining(false)
        #expect(try await keeper.run("piece") { _ throws(EarshotError) in true } == true)
    }

    @Test("what the work throws is thrown, and the lease is free")
    func failing() async throws {
        let store = MemoryLeaseStore()
        let keeper = LeaseKeeper(store, node: Self.a)
        let error = await #expect(throws: EarshotError.self) {
            try await keeper.run("merge") { _ throws(EarshotError) in throw EarshotError(.writeFailed, "No room.") }
        }
        #expect(error?.code == .writeFailed)
        #expect(try await store.leases().isEmpty)
    }
}

/// A store that at times cannot be reached.
private final class FailingLeaseStore: LeaseStore {
    private let store: any LeaseStore
    let isAway = Mutex(false)

    init(_ store: any LeaseStore) { self.store = store }

    private func check() throws(EarshotError) {
        if isAway.withLock({ $0 }) { throw EarshotError(.storeUnavailable, "The store is away.") }
    }

    func take(_ name: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Lease? {
        try check()
        return try await store.take(name, for: node, seconds: seconds)
    }

    func release(_ lease: Lease) async throws(EarshotError) {
        try check()
        try await store.release(lease)
    }

    func leases() async throws(EarshotError) -> [Lease] { try await store.leases() }
}
