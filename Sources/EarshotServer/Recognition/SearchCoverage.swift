import EarshotRecognition
import Synchronization

/// Collects for one request the part of the catalog that was searched.
final class SearchCoverage: Sendable {
    private let state = Mutex<SearchedPart?>(nil)

    /// The smallest part of the catalog that a search of the request covered; `nil` if each covered all.
    var searched: SearchedPart? { state.withLock(\.self) }

    /// Notes a search, with `nil` if it covered the whole catalog. A request may search several slices or files: a complete search says nothing
    /// about the others.
    func note(_ part: SearchedPart?) {
        guard let part else { return }
        state.withLock { known in
            if let least = known, least.references <= part.references { return }
            known = part
        }
    }
}
