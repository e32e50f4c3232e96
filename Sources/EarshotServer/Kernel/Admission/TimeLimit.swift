import EarshotCore

/// Does something that may take so long.
///
/// - Throws: `timedOut` when it takes longer; then it is cancelled. What the body throws.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else {
            throw EarshotError(.timedOut, "\(what) took longer than \(limit.components.seconds) s.")
        }
        return value
    }
}
