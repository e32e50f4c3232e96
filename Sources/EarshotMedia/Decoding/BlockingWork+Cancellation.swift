package import Dispatch
package import EarshotCore

extension BlockingWork {
    /// Runs work on a queue; a cancelled task cancels it.
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
