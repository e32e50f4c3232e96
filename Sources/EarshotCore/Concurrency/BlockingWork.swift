package import Dispatch
import Synchronization

/// Runs blocking or long work on a dispatch queue, so that the threads of Swift concurrency stay free.
package enum BlockingWork {
    /// Runs work on a queue, and returns its value.
    ///
    /// - Throws: The error of the work.
    package static func run<Value: Sendable>(
        on queue: DispatchQueue = .global(qos: .utility),
        _ work: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await result(on: queue, work).get()
    }

    /// Runs work on a queue, and returns its value or error.
    ///
    /// Afterwards the queue holds no reference to the work's values: a file that its last owner closes can be opened
    /// again.
    package static func result<Value: Sendable>(
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () throws(EarshotError) -> Value
    ) async -> Result<Value, EarshotError> {
        let once = Once(work)
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: once.run()) }
        }
    }

    /// Work that is let go of once it has run.
    private final class Once<Value: Sendable>: Sendable {
        private let work: Mutex<(@Sendable () throws(EarshotError) -> Value)?>

        init(_ work: @escaping @Sendable () throws(EarshotError) -> Value) { self.work = Mutex(work) }

        func run() -> Result<Value, EarshotError> {
            guard let work = work.withLock({ $0.take() }) else {
                return .failure(
                    EarshotError(.internalError, "Work that runs once was started twice: please report this.")
                )
            }
            return Result(catching: work)
        }
    }
}
