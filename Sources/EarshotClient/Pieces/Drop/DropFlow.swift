import EarshotCore
public import EarshotPieces
import Synchronization

/// The drop of a piece under way: tells how far it is, gives the piece, and can be cancelled.
///
/// ```swift
/// let flow = client.dropFlow(draft, providers)
/// for await event in flow {
///     if case .uploading(let part, let fraction) = event { show(part, fraction) }
/// }
/// let piece = try await flow.piece
/// ```
///
/// It runs to its end whether anybody looks or not. Each who looks is told everything, from its beginning on.
public final class DropFlow: AsyncSequence, Sendable {
    /// What a drop tells.
    public typealias Element = DropEvent
    /// Nothing goes wrong with telling.
    public typealias Failure = Never

    private struct State {
        var machine = DropState()
        var past: [DropEvent] = []
        var outcome: Result<Piece, EarshotError>?
        var leftover: PieceID?
        var task: Task<Void, Never>?
        var listeners: [Int: AsyncStream<DropEvent>.Continuation] = [:]
        var count = 0

        mutating func tell(_ event: DropEvent) {
            past.append(event)
            for listener in listeners.values { listener.yield(event) }
        }
    }

    private let state = Mutex(State())

    init() {}

    // MARK: - For who wants the piece

    /// Begins to be told.
    public func makeAsyncIterator() -> AsyncStream<DropEvent>.Iterator { events.makeAsyncIterator() }

    /// Everything that it tells, from its beginning on, for each who asks.
    public var events: AsyncStream<DropEvent> {
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

    /// The piece, when it is published. Where the task that waits for it is cancelled, the drop is.
    ///
    /// - Throws: Why there is none; `cancelled` after ``cancel()``.
    public var piece: Piece {
        get async throws(EarshotError) {
            let task = state.withLock { $0.task }
            await withTaskCancellationHandler {
                await task?.value
            } onCancel: {
                self.cancel()
            }
            let outcome = state.withLock { $0.outcome }
            return try (outcome ?? .failure(EarshotError(.cancelled, "The drop was cancelled."))).get()
        }
    }

    /// What the service may still have something of, as it could not be removed when the drop was cancelled or failed:
    /// ``PieceClient/remove(_:)`` removes it. Nothing before the end, and where all is well.
    public var leftover: PieceID? { state.withLock { $0.leftover } }

    /// How far it is.
    public var phase: DropState.Phase { state.withLock { $0.machine.phase } }

    /// Wants no more of it. Returns at once; what the service has of the piece is removed, then the app is told. Does nothing where the
    /// service publishes the piece already, or it is over.
    public func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            let isClosing = state.machine.handle(.cancelled) != .wait
            return isClosing || state.machine.phase == .validating ? state.task : nil
        }
        task?.cancel()
    }

    // MARK: - For who does the work

    func start(_ work: @escaping @Sendable (DropFlow) async -> Void) {
        // Under the lock, so that nothing is over before the task is known.
        state.withLock { state in state.task = Task.detached { await work(self) } }
    }

    /// Something has happened.
    func handle(_ event: DropState.Event) -> DropState.Step { state.withLock { $0.machine.handle(event) } }

    /// Whether somebody cancels while the draft is looked at.
    var isCancelling: Bool { state.withLock { $0.machine.isCancelling } }

    /// Tells something, unless the drop has ended meanwhile.
    func tell(_ event: DropEvent) {
        state.withLock { state in
            if state.machine.phase == event.phase { state.tell(event) }
        }
    }

    /// The last event.
    ///
    /// - Parameter leftover: What could not be removed.
    func finish(_ event: DropEvent, _ outcome: Result<Piece, EarshotError>, leftover: PieceID? = nil) {
        let listeners = state.withLock { state in
            state.leftover = leftover
            state.tell(event)
            state.outcome = outcome
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        // Outside of the lock, which a listener that goes away takes.
        for listener in listeners { listener.finish() }
    }
}
