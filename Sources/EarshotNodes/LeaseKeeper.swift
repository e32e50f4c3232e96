package import EarshotCore

/// Does what only one node may do at a time, for as long as this node holds the lease.
package struct LeaseKeeper: Sendable {
    package let store: any LeaseStore
    package let node: NodeID
    /// How long a lease lasts unless it is prolonged, in seconds. It is prolonged each time a third of it is over.
    package let seconds: Double
    private let clock: MediaClock

    /// A keeper.
    package init(_ store: any LeaseStore, node: NodeID, seconds: Double = 15, clock: MediaClock = .system) {
        (self.store, self.node, self.seconds, self.clock) = (store, node, seconds, clock)
    }

    /// Works if no other node does. When the lease cannot be prolonged in time, the task of the work is cancelled.
    ///
    /// - Parameters:
    ///   - name: What may be done: `merge/music`.
    ///   - work: Does it. It is given the lease, whose ``Lease/fence`` what it changes may compare.
    /// - Returns: What the work returns; `nil` while another node holds the lease.
    /// - Throws: What the work throws, `storeUnavailable`; `cancelled` if the lease was lost.
    package func run<Value: Sendable>(
        _ name: String,
        _ work: @escaping @Sendable (Lease) async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value? {
        let asked = clock.now.seconds
        guard let lease = try await store.take(name, for: node, seconds: seconds) else { return nil }
        let result = await withTaskGroup(of: Result<Value, EarshotError>?.self) { group in
            group.addTask {
                do throws(EarshotError) { return .success(try await work(lease)) } catch { return .failure(error) }
            }
            group.addTask {
                await keep(lease, since: asked)
                return nil
            }
            // Whichever ends first ends the other; what the work came to counts.
            var result: Result<Value, EarshotError>?
            for await outcome in group {
                if let outcome { result = outcome }
                group.cancelAll()
            }
            return result ?? .failure(EarshotError(.cancelled, "The lease \(name) was lost."))
        }
        // Another node may begin at once; without this it would when the lease ends. A cancelled task would not reach the store.
        await Task { [store] in try? await store.release(lease) }.value
        return try result.get()
    }

    /// Prolongs a lease. Returns when it is lost, or the task is cancelled.
    ///
    /// - Parameter asked: When it was asked for: it lasts at least so many seconds from then on.
    private func keep(_ lease: Lease, since asked: Double) async {
        var end = asked + seconds
        while !Task.isCancelled {
            let asked = clock.now.seconds
            do {
                try await clock.sleep(until: MediaTime(seconds: asked + seconds / 3, preferredTimescale: 1_000_000_000))
            } catch {
                return
            }
            do throws(EarshotError) {
                let asked = clock.now.seconds
                let kept = try await store.take(lease.name, for: node, seconds: seconds)
                guard kept?.fence == lease.fence else { return }
                end = asked + seconds
            } catch {
                // The next attempt may succeed while there is time for one.
                guard clock.now.seconds + seconds / 3 < end else { return }
            }
        }
    }
}
