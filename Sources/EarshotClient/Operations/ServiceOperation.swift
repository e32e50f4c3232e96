public import EarshotCore

/// A running operation: reports its progress, returns its result, and can be canceled.
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
/// It runs to its end even without a listener.
public final class ServiceOperation<Value: Sendable>: Sendable {
    /// An event of an operation.
    public enum Event: Sendable {
        /// A new phase, or progress in it.
        case status(OperationStatus)
        /// The result or the error of the operation. This is the last event.
        case finished(Result<Value, EarshotError>)
    }

    /// The kind of the operation.
    public let kind: OperationKind
    private let work: BackgroundWork<Event, Value, OperationProgress>

    init(_ kind: OperationKind) {
        self.kind = kind
        work = BackgroundWork(OperationProgress(kind))
    }

    // MARK: - For who wants the result

    /// All events from the start. Each access returns an independent stream.
    public var events: AsyncStream<Event> { work.events }

    /// Waits for the result. Canceling the waiting task cancels the operation.
    ///
    /// - Throws: The error of the operation; `cancelled` after ``cancel()``.
    public var value: Value {
        get async throws(EarshotError) { try await outcome.get() }
    }

    /// Waits for the result or the error, as ``value``.
    public var outcome: Result<Value, EarshotError> {
        get async {
            await work.wait { self.cancel() } ?? .failure(Self.cancelled)
        }
    }

    /// Cancels the operation. Returns at once; the operation stops as soon as it can, sends no further events before
    /// that, and ends with `cancelled`. Has no effect on a finished operation.
    public func cancel() {
        work.cancel { $0.cancel() }
    }

    /// `true` if the operation was canceled and has not stopped yet.
    public var isCancelling: Bool { work.progress.isCancelling && !isFinished }
    /// `true` if the operation has ended.
    public var isFinished: Bool { work.outcome != nil }

    // MARK: - For who does the work

    private static var cancelled: EarshotError { EarshotError(.cancelled, "The operation was canceled.") }

    /// Begins, on a thread of its own.
    func start(_ body: @escaping @Sendable (ServiceOperation) async -> Result<Value, EarshotError>) {
        work.start { self.finish(await body(self)) }
    }

    /// A phase begins.
    func enter(_ phase: OperationPhase) {
        work.update { progress, send in
            if let status = progress.enter(phase) { send(.status(status)) }
        }
    }

    /// So much is recorded.
    func record(_ share: Double) {
        work.update { progress, send in
            for status in progress.record(share) { send(.status(status)) }
        }
    }

    private func finish(_ outcome: Result<Value, EarshotError>) {
        work.finish { progress, send in
            var outcome = outcome
            // Whatever came of it, nobody wants it any more.
            if progress.isCancelling { outcome = .failure(Self.cancelled) }
            var isSuccess = false
            if case .success = outcome { isSuccess = true }
            if let status = progress.finish(isSuccess: isSuccess) { send(.status(status)) }
            send(.finished(outcome))
            return outcome
        }
    }
}
