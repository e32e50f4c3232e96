import EarshotCore
import Synchronization

/// Counts the requests of each client, and of each user of it, that are under way, and refuses those beyond their share.
final class ConcurrencyLimiter: Sendable {
    private struct Counts {
        var clients: [String: Int] = [:]
        var users: [WorkOwner: Int] = [:]
    }

    private let limit: Int
    private let userLimit: Int
    private let underWay = Mutex(Counts())

    /// - Parameters:
    ///   - limit: The most requests of a client under way at the same time.
    ///   - userLimit: The most of them for one user; a quarter, but at least four, unless stated.
    init(limit: Int, userLimit: Int? = nil) {
        self.limit = limit
        self.userLimit = userLimit ?? max(4, limit / 4)
    }

    /// Serves a request of a client, or of a user of it: what the body has queues do is work for that one.
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
