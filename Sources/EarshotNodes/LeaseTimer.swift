package import EarshotCore

/// Does work for as long as a lease can be prolonged. The lease is prolonged each time a third of it is over.
package struct LeaseTimer: Sendable {
    /// The time for which a lease lasts unless it is prolonged, in seconds.
    package let seconds: Double
    private let clock: MediaClock

    /// A timer.
    package init(seconds: Double, clock: MediaClock) { (self.seconds, self.clock) = (seconds, clock) }

    /// Works. When the lease is lost, or cannot be prolonged in time, the task of the work is canceled.
    ///
    /// - Parameters:
    ///   - asked: The time at which the lease was asked for, in seconds of the clock. The lease lasts from then on at least.
    ///   - prolong: Prolongs the lease. `false` ends the work.
    ///   - work: The work.
    /// - Returns: The outcome of the work, and `false` if the lease ended before it.
    package func run<Value: Sendable>(
        since asked: Double,
        prolong: @escaping @Sendable () async throws(EarshotError) -> Bool,
        _ work: @escaping @Sendable () async throws(EarshotError) -> Value
    ) async -> (result: Result<Value, EarshotError>, isHeld: Bool) {
        await withTaskGroup(of: Result<Value, EarshotError>?.self) { group in
            group.addTask {
                do throws(EarshotError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                await keep(since: asked, prolong)
                return nil
            }
            // Whichever ends first cancels the other. A result that the work returns counts, even if the lease was lost meanwhile.
            var result: Result<Value, EarshotError>?
            var isHeld = true
            for await outcome in group {
                if let outcome {
                    result = outcome
                } else if result == nil, !Task.isCancelled {
                    isHeld = false
                }
                group.cancelAll()
            }
            return (
                result
                    ?? .failure(
                        EarshotError(
                            .cancelled,
                            "The lease of this node was lost, so its work was stopped: another node takes it over."
                        )
                    ), isHeld
            )
        }
    }

    /// Prolongs a lease until it is lost or the task is canceled.
    private func keep(since asked: Double, _ prolong: () async throws(EarshotError) -> Bool) async {
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
                guard try await prolong() else { return }
                end = asked + seconds
            } catch {
                // The store may be away for a moment: the next attempt still comes before the lease ends.
                guard clock.now.seconds + seconds / 3 < end else { return }
            }
        }
    }
}
