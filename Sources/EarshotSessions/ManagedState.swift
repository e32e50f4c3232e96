/// The state of a managed session, and the actions that its changes require.
struct ManagedState: Sendable {
    /// An action that a change requires.
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
