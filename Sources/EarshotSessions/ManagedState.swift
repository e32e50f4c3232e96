/// What a managed session is doing, and what has to be done when that changes.
struct ManagedState: Sendable {
    /// What a change asks for.
    enum Action: Hashable, Sendable {
        case record, stopRecording
    }

    private(set) var state: ManagedSession.State = .idle

    /// Recording is wanted, a question not yet.
    mutating func prepare() -> Action? {
        guard state == .idle else { return nil }
        state = .prerecording
        return .record
    }

    /// A question is asked.
    mutating func match() -> Action? {
        defer { state = .matching }
        return state == .idle ? .record : nil
    }

    /// The question is answered, or nothing is wanted any more.
    mutating func stop() -> Action? {
        defer { state = .idle }
        return state == .idle ? nil : .stopRecording
    }
}
