import EarshotCore
public import EarshotPieces

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

    private struct Progress {
        var machine = DropState()
        var leftover: PieceID?
    }

    private let work = BackgroundWork<DropEvent, Piece, Progress>(Progress())

    init() {}

    // MARK: - For who wants the piece

    /// Begins to be told.
    public func makeAsyncIterator() -> AsyncStream<DropEvent>.Iterator { events.makeAsyncIterator() }

    /// All events from the start. Each access returns an independent stream.
    public var events: AsyncStream<DropEvent> { work.events }

    /// The piece, when it is published. Where the task that waits for it is cancelled, the drop is.
    ///
    /// - Throws: Why there is none; `cancelled` after ``cancel()``.
    public var piece: Piece {
        get async throws(EarshotError) {
            let outcome = await work.wait { self.cancel() }
            return try (outcome ?? .failure(EarshotError(.cancelled, "The drop was cancelled."))).get()
        }
    }

    /// What the service may still have something of, as it could not be removed when the drop was cancelled or failed:
    /// ``PieceClient/remove(_:)`` removes it. Nothing before the end, and where all is well.
    public var leftover: PieceID? { work.progress.leftover }

    /// How far it is.
    public var phase: DropState.Phase { work.progress.machine.phase }

    /// Wants no more of it. Returns at once; what the service has of the piece is removed, then the app is told. Does nothing where the
    /// service publishes the piece already, or it is over.
    public func cancel() {
        work.cancel { progress in
            let isClosing = progress.machine.handle(.cancelled) != .wait
            return isClosing || progress.machine.phase == .validating
        }
    }

    // MARK: - For who does the work

    func start(_ body: @escaping @Sendable (DropFlow) async -> Void) {
        work.start { await body(self) }
    }

    /// Something has happened.
    func handle(_ event: DropState.Event) -> DropState.Step {
        work.update { progress, _ in progress.machine.handle(event) }
    }

    /// `true` if somebody cancels while the draft is looked at.
    var isCancelling: Bool { work.progress.machine.isCancelling }

    /// Tells something, unless the drop has ended meanwhile.
    func tell(_ event: DropEvent) {
        work.update { progress, send in
            if progress.machine.phase == event.phase { send(event) }
        }
    }

    /// The last event.
    ///
    /// - Parameter leftover: What could not be removed.
    func finish(_ event: DropEvent, _ outcome: Result<Piece, EarshotError>, leftover: PieceID? = nil) {
        work.finish { progress, send in
            progress.leftover = leftover
            send(event)
            return outcome
        }
    }
}
