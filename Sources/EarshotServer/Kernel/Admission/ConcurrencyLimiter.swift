import EarshotCore
import Synchronization

/// Counts the requests of each client that are under way, and refuses those beyond its share.
final class ConcurrencyLimiter: Sendable {
    private let limit: Int
    private let underWay = Mutex<[String: Int]>([:])

    /// - Parameter limit: How many requests of a client are under way at the same time, at most.
    init(limit: Int) {
        self.limit = limit
    }

    /// Serves a request of a client.
    ///
    /// - Throws: `tooManyRequests` at once when too many are under way; what the body throws.
    func serve<Value>(_ client: String, _ body: () async throws -> Value) async throws -> Value {
        let isAdmitted = underWay.withLock { counts in
            guard counts[client, default: 0] < limit else { return false }
            counts[client, default: 0] += 1
            return true
        }
        guard isAdmitted else {
            throw EarshotError(
                .tooManyRequests,
                "\(limit) requests of client \(client) are under way already: wait for one of them."
            )
        }
        defer {
            underWay.withLock { counts in
                let left = counts[client, default: 1] - 1
                counts[client] = left > 0 ? left : nil
            }
        }
        return try await body()
    }
}
