import EarshotNodes
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Conclusions of several nodes")
struct ConclusionHistoryTests {
    private static let name = PieceAnalysisJob.conclusionLease

    /// Takes the lease of conclusions, and gives it back.
    private func take(_ store: MemoryLeaseStore, _ node: String) async throws -> Lease {
        let lease = try #require(try await store.take(Self.name, for: NodeID(rawValue: node), seconds: 15))
        try await store.release(lease)
        return lease
    }

    @Test("a node reads what others have concluded where one may have, and else not")
    func others() async throws {
        let clock = ManualClock()
        let store = MemoryLeaseStore(clock: clock.clock)
        var history = ConclusionHistory()
        let first = try await take(store, "a")
        #expect(history.mayLack(first, at: 0))
        history.concluded(first, at: 0)
        let second = try await take(store, "a")
        #expect(!history.mayLack(second, at: 1))
        history.concluded(second, at: 1)
        _ = try await take(store, "b")
        let third = try await take(store, "a")
        #expect(history.mayLack(third, at: 2))
        history.concluded(third, at: 2)
        // One that failed was no conclusion, and this node knows what it left out.
        _ = try await take(store, "a")
        #expect(history.mayLack(try await take(store, "a"), at: 3))
        // Numbers of leases begin again.
        clock.advance(by: 2 * 86_400)
        _ = try await take(store, "b")
        history.concluded(Lease(name: Self.name, holder: NodeID(rawValue: "a"), fence: 1, seconds: 15), at: 3)
        #expect(history.mayLack(try await take(store, "a"), at: 2 * 86_400))
    }
}
