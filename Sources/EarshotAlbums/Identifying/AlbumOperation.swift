import EarshotCore

/// A running identification: reports progress, returns its result, and can be canceled.
///
/// It runs to its end whether anybody looks or not, and has no time limit.
public final class AlbumOperation: Sendable {
    /// The events from the start, for one reader. Ends with ``AlbumEvent/done``, or without it after an error.
    public let events: AsyncStream<AlbumEvent>
    private let task: Task<Result<AlbumIdentificationResult, EarshotError>, Never>

    init(
        _ work:
            @escaping @Sendable (_ report: @escaping @Sendable (AlbumEvent) -> Void) async
            -> Result<AlbumIdentificationResult, EarshotError>
    ) {
        let (events, continuation) = AsyncStream.makeStream(
            of: AlbumEvent.self,
            bufferingPolicy: .bufferingNewest(10_000)
        )
        self.events = events
        task = Task.detached {
            let result = await work { continuation.yield($0) }
            if case .success = result { continuation.yield(.done) }
            continuation.finish()
            return result
        }
    }

    /// The result, when it is there. Where the task that waits for it is canceled, the operation is.
    ///
    /// - Throws: The error of the identification; `cancelled` after ``cancel()``.
    public var value: AlbumIdentificationResult {
        get async throws(EarshotError) {
            let result = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            return try result.get()
        }
    }

    /// Wants no more of it. Returns at once; it stops as soon as it can. What was read is kept for the next run where there is a
    /// place to keep it.
    public func cancel() { task.cancel() }
}
