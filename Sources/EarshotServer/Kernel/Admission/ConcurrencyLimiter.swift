import EarshotCore
import Synchronization

/// Limits the number of concurrent requests of each client and of each of its users.
final class ConcurrencyLimiter: Sendable {
    private struct Counts {
        var clients: [String: Int] = [:]
        var users: [WorkOwner: Int] = [:]
    }

    private let limit: Int
    private let userLimit: Int
    private let underWay = Mutex(Counts())

    /// - Parameters:
    ///   - limit: The largest number of concurrent requests of a client.
    ///   - userLimit: The largest number of those for one user. Default: a quarter of `limit`, at least 4.
    init(limit: Int, userLimit: Int? = nil) {
        self.limit = limit
        self.userLimit = userLimit ?? max(4, limit / 4)
    }

    /// Runs the handler of a request of a client or user. Queues count work in the handler as work of that owner.
    ///
    /// - Throws: `tooManyRequests` at once when too many are under way; what the body throws.
    func serve<Value>(_ owner: WorkOwner, _ body: () async throws -> Value) async throws -> Value {
        try enter(owner)
        defer { leave(owner) }
        return try await WorkOwner.$current.withValue(owner) { try await body() }
    }

    private func enter(_ owner: WorkOwner) throws(EarshotError) {
        let (all, own) = underWay.withLock { counts in
            let all = counts.clients[owner.client, default: 0]
            let own = owner.user == nil ? 0 : counts.users[owner, default: 0]
            if all < limit, own < userLimit {
                counts.clients[owner.client] = all + 1
                if owner.user != nil { counts.users[owner] = own + 1 }
            }
            return (all, own)
        }
        guard own < userLimit else {
            throw EarshotError(
                .tooManyRequests,
                "\(userLimit) requests of this user are under way already: wait for one of them."
            )
        }
        guard all < limit else {
            throw EarshotError(
                .tooManyRequests,
                "\(limit) requests of client \(owner.client) are under way already: wait for one of them."
            )
        }
    }

    private func leave(_ owner: WorkOwner) {
        underWay.withLock { counts in
            let all = counts.clients[owner.client, default: 1] - 1
            counts.clients[owner.client] = all > 0 ? all : nil
            guard owner.user != nil else { return }
            let own = counts.users[owner, default: 1] - 1
            counts.users[owner] = own > 0 ? own : nil
        }
    }
}
