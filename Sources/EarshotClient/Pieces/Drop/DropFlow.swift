import EarshotCore
public import EarshotPieces

/// The running drop of a piece: reports progress, returns the piece, and can be canceled.
///
/// ```swift
/// let flow = client.dropFlow(draft, providers)
/// for await event in flow {
///     if case .uploading(let part, let fraction) = event { show(part, fraction) }
/// }
/// let piece = try await flow.piece
/// ```
///
/// It runs to its end even without a listener. Each listener receives all events from the start.
public final class DropFlow: AsyncSequence, Sendable {
    /// An event of the drop.
    public typealias Element = DropEvent
    /// The sequence throws no errors.
    public typealias Failure = Never

    private struct Progress {
        var machine = DropState()
        var leftover: PieceID?
    }

    private let work = BackgroundWork<DropEvent, Piece, Progress>(Progress())

    init() {}

    // MARK: - For who wants the piece

    /// Starts an independent stream of all events.
    public func makeAsyncIterator() -> AsyncStream<DropEvent>.Iterator { events.makeAsyncIterator() }

    /// All events from the start. Each access returns an independent stream.
    public var events: AsyncStream<DropEvent> { work.events }

    /// Waits until the piece is published, and returns it. Canceling the waiting task cancels the drop.
    ///
    /// - Throws: The error of the drop; `cancelled` after ``cancel()``.
    public var piece: Piece {
        get async throws(EarshotError) {
            let outcome = await work.wait { self.cancel() }
            return try (outcome ?? .failure(EarshotError(.cancelled, "The drop was canceled."))).get()
        }
    }

    /// The identifier of a piece that could not be removed from the service after the drop was canceled or failed;
    /// remove it with ``PieceClient/remove(_:)``. `nil` before the end, and if nothing is left.
    public var leftover: PieceID? { work.progress.leftover }

    /// The current phase of the drop.
    public var phase: DropState.Phase { work.progress.machine.phase }

    /// Cancels the drop. Returns at once; the client removes the uploaded parts from the service and then reports
    /// `cancelled`. Has no effect once the service publishes the piece, or on a finished drop.
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
    /// - Parameter leftover: The identifier of a piece that could not be removed.
    func finish(_ event: DropEvent, _ outcome: Result<Piece, EarshotError>, leftover: PieceID? = nil) {
        work.finish { progress, send in
            progress.leftover = leftover
            send(event)
            return outcome
        }
    }
}
