import EarshotCore

/// Work that may take so long and no longer.
enum TimeLimit {
    /// The result of some work, or `timedOut` when it took too long; the work is then cancelled.
    ///
    /// - Parameters:
    ///   - limit: How long it may take; any time without one, or with one that is no number.
    ///   - what: What takes long, as the begin of a sentence.
    static func run<Value: Sendable>(
        _ limit: MediaTime?,
        clock: MediaClock,
        _ what: String,
        _ work: @escaping @Sendable () async -> Result<Value, EarshotError>
    ) async -> Result<Value, EarshotError> {
        guard let limit, limit.isNumeric else { return await work() }
        let end = clock.now + limit
        return await withTaskGroup(of: Result<Value, EarshotError>?.self) { group in
            group.addTask { await work() }
            group.addTask {
                guard (try? await clock.sleep(until: end)) != nil else { return nil }
                let seconds = (limit.seconds * 10).rounded() / 10
                return .failure(EarshotError(.timedOut, "\(what) took longer than \(seconds) s: try again."))
            }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .failure(EarshotError(.cancelled, "\(what) was cancelled."))
        }
    }
}
