import Synchronization

/// Runs asynchronous work items one after the other, in the order of the calls.
package final class Turnstile: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a turnstile without work.
    package init() {}

    /// Waits for all earlier work, and then runs the given work.
    ///
    /// - Throws: The error of the work.
    package func run<Value>(_ work: () async throws(EarshotError) -> Value) async throws(EarshotError) -> Value {
        await withCheckedContinuation { continuation in
            let enters = state.withLock { state in
                guard state.isBusy else {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if enters { continuation.resume() }
        }
        defer { leave() }
        return try await work()
    }

    private func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
