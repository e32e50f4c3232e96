import EarshotRecognition
import Synchronization

/// Notes for one request which part of the catalog was searched for its answer.
final class SearchCoverage: Sendable {
    private let state = Mutex<SearchedPart?>(nil)

    /// The part that the last search went through; `nil` if it was all.
    var searched: SearchedPart? { state.withLock(\.self) }

    func note(_ part: SearchedPart?) { state.withLock { $0 = part } }
}
