import EarshotCatalogs

/// Decides which events of a stream are passed on.
struct RepeatGate: Sendable {
    let filter: RepeatFilter

    /// Whether an event says something that the ones passed on before did not.
    func passes(_ event: SessionEvent) -> Bool {
        guard case .matched(_, let change) = event, filter != .all else { return true }
        return switch change {
        case .appeared: true
        // A seek leads to other content, or back to some: the entries then change too, and are reported as such.
        case .items: true
        case .entries: filter == .entryChanges
        case .returned, .moved, .corrected, .confirmed: false
        }
    }
}
