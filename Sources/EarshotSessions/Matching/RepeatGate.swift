import EarshotCatalogs

/// Decides which events of a stream are passed on.
struct RepeatGate: Sendable {
    let filter: RepeatFilter

    /// Whether an event says something that the ones passed on before did not.
    func passes(_ event: SessionEvent) -> Bool {
        guard case .matched(_, let changes) = event, filter != .all else { return true }
        return changes.contains { change in
            switch change {
            // Who was told that it is lost is told that it is back.
            case .appeared, .returned, .items: true
            case .entries: filter == .entryChanges
            case .moved, .corrected, .confirmed: false
            }
        }
    }
}
