public import EarshotCore
import Synchronization

/// An operation under way: says how far it is, gives its result once, and can be cancelled.
///
/// ```swift
/// let operation = client.recognizeFromMicrophone(configuration)
/// for await event in operation.events {
///     switch event {
///     case .status(let status): show(status.percent)
///     case .finished(.success(let result)): show(result.best)
///     case .finished(.failure(let error)): show(error.failureKind.text())
///     }
/// }
/// ```
///
/// It runs to its end whether anybody looks or not.
public final class ServiceOperation<Value: Sendable>: Sendable {
    /// What an operation tells.
    public enum Event: Sendable {
        /// It has come so far.
        case status(OperationStatus)
        /// It has come to its end: the last event, and the only one of its kind.
        case finished(Result<Value, EarshotError>)
    }

    private struct State {
        var progress: OperationProgress
        var past: [Event] = []
        var outcome: Result<Value, EarshotError>?
        var task: Task<Void, Never>?
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var count = 0

        mutating func tell(_ event: Event) {
            past.append(event)
            for listener in listeners.values { listener.yield(event) }
        }
    }

    /// What it does.
    public let kind: OperationKind
    private let state: Mutex<State>

    init(_ kind: OperationKind) {
        self.kind = kind
        state = Mutex(State(progress: OperationProgress(kind)))
    }

    // MARK: - For who wants the result

    /// Everything that it tells, from its beginning on, for each who asks.
    public var events: AsyncStream<Event> {
        AsyncStream { continuation in
            let number = state.withLock { state -> Int? in
                for event in state.past { continuation.yield(event) }
                guard state.outcome == nil else { return nil }
                state.count += 1
                state.listeners[state.count] = continuation
                return state.count
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
            }
        }
    }

    /// The result, when it is there. Where the task that waits for it is cancelled, the operation is.
    ///
    /// - Throws: Why there is none; `cancelled` after ``cancel()``.
    public var value: Value {
        get async throws(EarshotError) { try await outcome.get() }
    }

    /// The result or why there is none, as ``value``.
    public var outcome: Result<Value, EarshotError> {
        get async {
            await withTaskCancellationHandler {
                for await event in events {
                    if case .finished(let outcome) = event { return outcome }
                }
                // The stream of a cancelled task ends early; the operation does so as soon as it can.
                await task?.value
                return finished ?? .failure(EarshotError(.cancelled, "The operation was cancelled."))
            } onCancel: {
                self.cancel()
            }
        }
    }

    /// Wants no more of it. Returns at once; the operation stops as soon as it can, and its outcome is then `cancelled`.
    /// It tells nothing before that. Does nothing to one that has come to its end.
    public func cancel() {
        let task = state.withLock { state in state.progress.cancel() ? state.task : nil }
        task?.cancel()
    }

    /// Whether it was cancelled and has not stopped yet.
    public var isCancelling: Bool { state.withLock { $0.progress.isCancelling && $0.outcome == nil } }
    /// Whether it has come to its end.
    public var isFinished: Bool { finished != nil }

    // MARK: - For who does the work

    private var task: Task<Void, Never>? { state.withLock { $0.task } }
    private var finished: Result<Value, EarshotError>? { state.withLock { $0.outcome } }

    /// Begins, on a thread of its own.
    func start(_ work: @escaping @Sendable (ServiceOperation) async -> Result<Value, EarshotError>) {
        state.withLock { state in
            state.task = Task.detached { self.finish(await work(self)) }
        }
    }

    /// A phase begins.
    func enter(_ phase: OperationPhase) {
        state.withLock { state in
            if let status = state.progress.enter(phase) { state.tell(.status(status)) }
        }
    }

    /// So much is recorded.
    func record(_ share: Double) {
        state.withLock { state in
            for status in state.progress.record(share) { state.tell(.status(status)) }
        }
    }

    private func finish(_ outcome: Result<Value, EarshotError>) {
        let listeners = state.withLock { state in
            var outcome = outcome
            // Whatever came of it, nobody wants it any more.
            if state.progress.isCancelling {
                outcome = .failure(EarshotError(.cancelled, "The operation was cancelled."))
            }
            var isSuccess = false
            if case .success = outcome { isSuccess = true }
            if let status = state.progress.finish(isSuccess: isSuccess) { state.tell(.status(status)) }
            state.outcome = outcome
            state.tell(.finished(outcome))
            state.task = nil
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        // Outside of the lock, which a listener that goes away takes.
        for listener in listeners { listener.finish() }
    }
}
