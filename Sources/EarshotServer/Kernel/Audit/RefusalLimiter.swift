import Foundation
import Synchronization

/// Limits the refused requests that the audit log records: anybody can send such requests, and each would add a line to a file that only
/// grows.
final class RefusalLimiter: Sendable {
    /// The most recorded refusals a minute from one origin. Loopback, which may be a proxy for many clients, has no such limit.
    static let originLimit = 30
    /// The most recorded refusals a minute from all origins.
    static let limit = 300
    private static let window = 60.0

    private struct State {
        var begin = Date.distantPast
        var count = 0
        /// The recorded refusals of each origin. Bounded, because only recorded ones are counted.
        var origins: [RequestOrigin: Int] = [:]
        var omitted = 0
    }

    private let state = Mutex(State())

    /// Counts a refused request.
    ///
    /// - Returns: The number of refusals omitted since the last recorded one; `nil` if this one is omitted.
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
