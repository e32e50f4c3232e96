import Foundation
import Synchronization

/// Limits the refused requests that the audit log records. Anybody can send requests that are refused, and each would add a line to a file
/// that only grows.
final class RefusalLimiter: Sendable {
    /// The largest number in a minute from one origin. A local proxy that names no clients has no limit of its own.
    static let originLimit = 30
    /// The largest number in a minute from all origins.
    static let limit = 300
    private static let window = 60.0

    private struct State {
        var begin = Date.distantPast
        var count = 0
        /// No more than those that were admitted.
        var origins: [RequestOrigin: Int] = [:]
        var omitted = 0
    }

    private let state = Mutex(State())

    /// Counts a refused request.
    ///
    /// - Returns: The number of requests left out since the last one that was admitted; `nil` if this one is left out.
    func admit(_ origin: RequestOrigin, at now: Date) -> Int? {
        state.withLock { state in
            if abs(now.timeIntervalSince(state.begin)) >= Self.window {
                state = State(begin: now, omitted: state.omitted)
            }
            guard state.count < Self.limit, origin.isLoopback || state.origins[origin, default: 0] < Self.originLimit
            else {
                state.omitted += 1
                return nil
            }
            state.count += 1
            state.origins[origin, default: 0] += 1
            defer { state.omitted = 0 }
            return state.omitted
        }
    }
}
