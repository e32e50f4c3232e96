import Foundation
import Synchronization

/// The threads that searches of one catalog share. A search gets more than its own only while processors are idle, so that many
/// searches at once do not pay for threads that none of them gains from.
final class SearchLanes: Sendable {
    private let busy = Mutex(0)
    private let cores: Int

    /// - Parameter cores: Of the machine.
    init(cores: Int = ProcessInfo.processInfo.activeProcessorCount) { self.cores = cores }

    /// Takes the threads for a search, at least one; they are to be given back.
    ///
    /// - Parameter targets: Of the search: a segment is the work of one thread.
    func take(for targets: [MaskedSegment], _ parameters: MatchingParameters) -> Int {
        let pays = SearchTotals(targets).postingCount >= parameters.leastLanePostings
        let most = pays ? max(1, min(parameters.mostLanes ?? min(4, cores), targets.count)) : 1
        return busy.withLock { busy in
            // Who asks for a number gets it: it is for measuring.
            let count = parameters.mostLanes != nil ? most : min(most, cores - busy)
            busy += max(1, count)
            return max(1, count)
        }
    }

    func giveBack(_ count: Int) { busy.withLock { $0 -= count } }
}
