package import EarshotCore
import Synchronization

/// Keeps the leases of a service that is the only node in memory.
package final class MemoryLeaseStore: LeaseStore {
    private struct Holding {
        var holder: NodeID
        var fence: Int
        /// The end of the lease, in seconds of the clock.
        var end: Double
    }

    /// The time for which the fence of a lease is remembered after its end, in seconds.
    private static let memory = 86_400.0

    private let holdings = Mutex<(all: [String: Holding], nextCleanup: Double)>(([:], 0))
    private let clock: MediaClock

    /// A store.
    ///
    /// - Parameter clock: The clock of leases.
    package init(clock: MediaClock = .system) { self.clock = clock }

    package func take(_ name: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Lease? {
        let now = clock.now.seconds
        return holdings.withLock { holdings in
            if now >= holdings.nextCleanup {
                holdings.all = holdings.all.filter { $0.value.end + Self.memory > now }
                holdings.nextCleanup = now + Self.memory / 24
            }
            let old = holdings.all[name]
            let isHeld = old.map { $0.end > now } ?? false
            guard !isHeld || old?.holder == node else { return nil }
            let fence = (old?.fence ?? 0) + (isHeld ? 0 : 1)
            holdings.all[name] = Holding(holder: node, fence: fence, end: now + seconds)
            return Lease(name: name, holder: node, fence: fence, seconds: seconds)
        }
    }

    package func release(_ lease: Lease) async throws(EarshotError) {
        let now = clock.now.seconds
        holdings.withLock { holdings in
            // The entry stays, so that the next holder has a greater fence.
            guard let holding = holdings.all[lease.name], holding.holder == lease.holder, holding.fence == lease.fence
            else {
                return
            }
            holdings.all[lease.name]?.end = now
        }
    }

    package func leases() async throws(EarshotError) -> [Lease] {
        let now = clock.now.seconds
        return holdings.withLock { holdings in
            holdings.all.filter { $0.value.end > now }.sorted { $0.key < $1.key }
                .map { Lease(name: $0, holder: $1.holder, fence: $1.fence, seconds: $1.end - now) }
        }
    }
}
