package import Dispatch

/// Work that blocks or takes long, on a thread of its own, so that the threads that tasks share stay free.
package enum BlockingWork {
    /// Runs work on a queue.
    ///
    /// - Throws: What the work throws.
    package static func run<Value: Sendable>(
        on queue: DispatchQueue = .global(qos: .utility),
        _ work: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let result: Result<Value, EarshotError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
