package import Dispatch
package import EarshotCore

extension BlockingWork {
    /// Runs blocking work on a queue and returns its result. Canceling the task sets the cancellation, which the work
    /// must check.
    package static func run<Value: Sendable>(
        on queue: DispatchQueue,
        cancelling cancellation: Cancellation,
        _ work: @escaping @Sendable () throws(EarshotError) -> Value
    ) async -> Result<Value, EarshotError> {
        await withTaskCancellationHandler {
            await result(on: queue, work)
        } onCancel: {
            cancellation.cancel()
        }
    }
}
