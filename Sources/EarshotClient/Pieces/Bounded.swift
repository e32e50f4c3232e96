import EarshotCore
import Synchronization

/// A value that comes once, for all who wait for it.
final class Once<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    /// Gives the value; another than the first is not taken.
    func settle(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value, when it is there.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if state.value == nil { state.waiters.append(continuation) }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

/// Work of others, which may never come to an end and may not notice that it is cancelled.
///
/// ``TimeLimit`` waits until its work has stopped; this does not.
enum Bounded {
    enum End<Value: Sendable>: Sendable {
        case value(Value)
        case tooLong
        case cancelled
    }

    /// The end of some work.
    ///
    /// - Parameters:
    ///   - limit: How long is waited for it; for ever without one, or with one that is no number.
    ///   - isShielded: Whether the work goes on, and is waited for, when the task that waits is cancelled; beyond the limit it goes on
    ///     without being waited for.
    static func run<Value: Sendable>(
        _ limit: MediaTime?,
        clock: MediaClock,
        isShielded: Bool = false,
        _ work: @escaping @Sendable () async -> Value
    ) async -> End<Value> {
        let end = Once<End<Value>>()
        let worker = Task.detached { end.settle(.value(await work())) }
        var timer: Task<Void, Never>?
        if let limit, limit.isNumeric {
            let time = clock.now + limit
            timer = Task.detached { if (try? await clock.sleep(until: time)) != nil { end.settle(.tooLong) } }
        }
        defer { timer?.cancel() }
        let result = await withTaskCancellationHandler {
            await end.value
        } onCancel: {
            if !isShielded { end.settle(.cancelled) }
        }
        if !isShielded { worker.cancel() }
        return result
    }
}
