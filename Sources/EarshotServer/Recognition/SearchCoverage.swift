import EarshotRecognition
import Synchronization

/// Notes for one request which part of the catalog was searched for its answer.
final class SearchCoverage: Sendable {
    private let state = Mutex<SearchedPart?>(nil)

    /// The smallest part that a search of the request went through; `nil` if each went through all.
    var searched: SearchedPart? { state.withLock(\.self) }

    /// Notes a search. A recording may be searched in several slices, and an album in several files: one that went through all says nothing of
    /// the others.
    func note(_ part: SearchedPart?) {
        guard let part else { return }
        state.withLock { known in
            if let least = known, least.references <= part.references { return }
            known = part
        }
    }
}
