import Dispatch
import EarshotCore

/// Work that blocks or takes long, on a thread of its own, so that the threads of tasks stay free.
enum BlockingWork {
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let result: Result<Value, EarshotError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
