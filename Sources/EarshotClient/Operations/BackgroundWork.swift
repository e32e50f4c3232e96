import EarshotCore
import Synchronization

/// Work in the background that sends events, has one outcome, and can be canceled.
///
/// It runs to its end whether anyone listens or not. `Progress` is the state machine that decides about the events; it
/// changes under a lock, together with them.
final class BackgroundWork<Event: Sendable, Value: Sendable, Progress: Sendable>: Sendable {
    private struct State {
        var progress: Progress
        var outcome: Result<Value, EarshotError>?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let broadcast = EventBroadcast<Event>(replay: .all, buffering: .unbounded)

    init(_ progress: Progress) {
        state = Mutex(State(progress: progress))
    }

    // MARK: - For who wants the value

    /// All events from the start. Each access returns an independent stream.
    var events: AsyncStream<Event> { broadcast.events }

    /// The progress now.
    var progress: Progress { state.withLock { $0.progress } }

    /// The outcome; `nil` before the end.
    var outcome: Result<Value, EarshotError>? { state.withLock { $0.outcome } }

    /// Waits for the end.
    ///
    /// - Parameter onCancel: Called when the waiting task is canceled.
    /// - Returns: The outcome; `nil` if the work was never started.
    func wait(onCancel: @escaping @Sendable () -> Void) async -> Result<Value, EarshotError>? {
        let task = state.withLock { $0.task }
        await withTaskCancellationHandler {
            await task?.value
        } onCancel: {
            onCancel()
        }
        return outcome
    }

    /// Cancels the task of the work if the progress says so.
    func cancel(if isWanted: (inout Progress) -> Bool) {
        let task = state.withLock { state in isWanted(&state.progress) ? state.task : nil }
        task?.cancel()
    }

    // MARK: - For who does the work

    /// Starts the work in a task of its own.
    func start(_ work: @escaping @Sendable () async -> Void) {
        // Under the lock, so that nothing is over before the task is known.
        state.withLock { state in state.task = Task.detached { await work() } }
    }

    /// Changes the progress and sends the events that follow from it, in one step.
    func update<Answer: Sendable>(_ body: (inout Progress, _ send: (Event) -> Void) -> Answer) -> Answer {
        state.withLock { state in body(&state.progress) { broadcast.send($0) } }
    }

    /// Sets the outcome, sends the last events and ends their streams.
    func finish(_ body: (inout Progress, _ send: (Event) -> Void) -> Result<Value, EarshotError>) {
        state.withLock { state in state.outcome = body(&state.progress) { broadcast.send($0) } }
        broadcast.finish()
    }
}
