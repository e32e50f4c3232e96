/// The outcome of work with a time limit.
package enum LimitedOutcome<Value: Sendable>: Sendable {
    /// The work ended in time, with this value.
    case value(Value)
    /// The time limit passed first.
    case timedOut
    /// The waiting task was canceled first.
    case cancelled
}

extension LimitedOutcome {
    /// Returns the result of work that can fail: its own result, or a failure with `timedOut` or `cancelled`.
    ///
    /// - Parameters:
    ///   - limit: The time limit, for the message.
    ///   - subject: The name of the work, as the beginning of a sentence: "The request".
    package func result<Success>(_ limit: MediaTime?, _ subject: String) -> Result<Success, EarshotError>
    where Value == Result<Success, EarshotError> {
        switch self {
        case .value(let value): return value
        case .timedOut:
            let seconds = ((limit ?? .zero).seconds * 10).rounded() / 10
            return .failure(EarshotError(.timedOut, "\(subject) took longer than \(seconds) s: try again."))
        case .cancelled: return .failure(EarshotError(.cancelled, "\(subject) was canceled."))
        }
    }
}

/// The treatment of work that is still running when the time limit passes or the waiting task is canceled.
package enum UnfinishedWork: Sendable {
    /// The work is canceled, and waited for until it has stopped.
    case stopped
    /// The work is canceled but not awaited: it may ignore the cancellation.
    case abandoned
    /// The work continues beyond the limit. Canceling the waiting task has no effect.
    case shielded
}

/// Runs work and waits for it, up to a time limit.
///
/// - Parameters:
///   - limit: The longest time to wait; `nil` or a time that is not numeric for no limit.
///   - clock: The clock that measures the limit.
///   - unfinished: The treatment of the work if the limit passes or the waiting task is canceled.
///   - work: The work.
/// - Returns: The value of the work, or the reason why it is missing.
package func withTimeLimit<Value: Sendable>(
    _ limit: MediaTime?,
    clock: MediaClock,
    unfinished: UnfinishedWork = .stopped,
    _ work: @escaping @Sendable () async -> Value
) async -> LimitedOutcome<Value> {
    let limit = limit.flatMap { $0.isNumeric ? $0 : nil }
    if limit == nil, case .stopped = unfinished { return .value(await work()) }
    let outcome = FirstValue<LimitedOutcome<Value>>()
    let worker = Task { outcome.settle(.value(await work())) }
    var timer: Task<Void, Never>?
    if let limit {
        let end = clock.now + limit
        timer = Task { if (try? await clock.sleep(until: end)) != nil { outcome.settle(.timedOut) } }
    }
    defer { timer?.cancel() }
    let isShielded = if case .shielded = unfinished { true } else { false }
    let result = await withTaskCancellationHandler {
        await outcome.value
    } onCancel: {
        switch unfinished {
        case .stopped: worker.cancel()
        case .abandoned: outcome.settle(.cancelled)
        case .shielded: break
        }
    }
    if !isShielded { worker.cancel() }
    if case .stopped = unfinished { await worker.value }
    return result
}
