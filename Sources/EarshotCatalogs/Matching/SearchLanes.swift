import Foundation
import Synchronization

/// The threads that the searches of one catalog share. A search gets more than its own thread only while processors are
/// idle, so that many searches at once do not pay for threads that help none of them.
final class SearchLanes: Sendable {
    private let busy = Mutex(0)
    private let cores: Int

    /// Creates a pool.
    ///
    /// - Parameter cores: The number of processor cores. Default: those that are active.
    init(cores: Int = ProcessInfo.processInfo.activeProcessorCount) { self.cores = cores }

    /// Takes threads for a search and returns their number, at least one. Return them with ``giveBack(_:)``.
    ///
    /// - Parameter targets: The segments of the search. One segment is searched by one thread.
    func take(for targets: [MaskedSegment], _ parameters: MatchingParameters) -> Int {
        let pays = SearchTotals(targets).postingCount >= parameters.leastLanePostings
        let most = pays ? max(1, min(parameters.mostLanes ?? min(4, cores), targets.count)) : 1
        return busy.withLock { busy in
            // A number that is set explicitly is always granted: it serves measurements.
            let count = parameters.mostLanes != nil ? most : min(most, cores - busy)
            busy += max(1, count)
            return max(1, count)
        }
    }

    func giveBack(_ count: Int) { busy.withLock { $0 -= count } }
}
