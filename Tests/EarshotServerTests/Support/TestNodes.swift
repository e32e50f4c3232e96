import EarshotCore
import EarshotNodes
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport

@testable import EarshotServer

/// Two services on one set of stores, each with a folder of its own.
struct TestNodes: Sendable {
    let first: TestService
    let second: TestService
    /// The stores that both have.
    let objects: TestObjectStore
    let pieces: any PieceStore
    let leases: CountingLeaseStore
    /// By what leases end.
    let clock: ManualClock

    /// Runs both for as long as a test needs them. The second one's token of the operator is that of both.
    static func run(
        converter: any StemConverter = InProcessStemConverter(),
        _ body: (TestNodes) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let (objects, pieces) = (TestObjectStore(), try SQLitePieceStore.inMemory())
        let leases = CountingLeaseStore(MemoryLeaseStore(clock: clock.clock))
        let accounts = try SQLiteAccountStore.inMemory()
        try await TestService.run(
            converter: converter,
            partStore: objects,
            accounts: accounts,
            pieces: pieces,
            leases: leases
        ) { first in
            try await TestService.run(
                converter: converter,
                partStore: objects,
                accounts: accounts,
                pieces: pieces,
                leases: leases
            ) { second in
                let nodes = TestNodes(
                    first: first,
                    second: second,
                    objects: objects,
                    pieces: pieces,
                    leases: leases,
                    clock: clock
                )
                try await body(nodes)
            }
        }
    }

    /// A node that held a lease when it died.
    static let dead = NodeID(rawValue: "node-dead")
}

/// A store of leases that knows how often one was refused.
final class CountingLeaseStore: LeaseStore {
    private let store: any LeaseStore
    private let refused = Mutex<[String: Int]>([:])

    init(_ store: any LeaseStore) { self.store = store }

    /// How often a lease was asked for that another node held.
    func refusals(of name: String) -> Int { refused.withLock { $0[name, default: 0] } }

    func take(_ name: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Lease? {
        let lease = try await store.take(name, for: node, seconds: seconds)
        if lease == nil { refused.withLock { $0[name, default: 0] += 1 } }
        return lease
    }

    func release(_ lease: Lease) async throws(EarshotError) { try await store.release(lease) }

    func leases() async throws(EarshotError) -> [Lease] { try await store.leases() }
}
