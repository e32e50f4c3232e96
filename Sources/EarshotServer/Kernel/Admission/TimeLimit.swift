import EarshotCore

/// Runs a body, and cancels it when it takes longer than a limit.
///
/// - Parameters:
///   - limit: The longest duration.
///   - subject: The beginning of the message of `timedOut`, such as "The upload".
///   - body: The work.
/// - Throws: `timedOut` if it takes longer; `CancellationError`; what the body throws.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    _ subject: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let seconds = limit.components.seconds
    let time = MediaTime(seconds: limit / .seconds(1), preferredTimescale: 1_000)
    let outcome = await withTimeLimit(time, clock: .system) { () async -> Result<Value, any Error> in
        do { return .success(try await body()) } catch { return .failure(error) }
    }
    switch outcome {
    case .value(let result): return try result.get()
    case .timedOut:
        throw EarshotError(.timedOut, "\(subject) took longer than \(seconds) s: try again, or send less.")
    case .cancelled: throw CancellationError()
    }
}
