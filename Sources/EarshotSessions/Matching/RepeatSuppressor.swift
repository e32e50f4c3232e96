import EarshotCatalogs
import EarshotCore

/// Decides which events of a stream are passed on.
struct RepeatSuppressor: Sendable {
    let filter: RepeatFilter
    /// The surest reference of the last match passed on, while it is not lost.
    private var leading: ReferenceID?

    init(filter: RepeatFilter) { self.filter = filter }

    /// Returns `true` if an event says something that the ones passed on before did not.
    mutating func passes(_ event: SessionEvent) -> Bool {
        switch event {
        case .matched(let match, let changes):
            let first = match.references.first?.id
            // Of two that were heard at once the first may have ended: what is left has not led before.
            guard filter == .all || first != leading || changes.contains(where: isNews) else { return false }
            leading = first
        case .lost(let match):
            if match.references.contains(where: { $0.id == leading }) { leading = nil }
        case .notMatched, .failed: break
        }
        return true
    }

    private func isNews(_ change: MatchChange) -> Bool {
        switch change {
        // Who was told that it is lost is told that it is back.
        case .appeared, .returned, .items: true
        case .entries: filter == .entryChanges
        case .moved, .corrected, .confirmed: false
        }
    }
}
