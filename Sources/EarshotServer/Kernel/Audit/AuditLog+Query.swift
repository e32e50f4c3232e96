import EarshotCore
import Foundation

extension AuditLog {
    /// A query for entries of the log.
    struct Query: Sendable {
        /// The number after which entries come.
        var after = 0
        /// The number before which entries come, the latest first; 0 for the latest of all, `nil` for the first entries in order.
        var before: Int?
        /// The largest number of entries.
        var limit = 100
        /// A part of who made the change, in lower case; `nil` for anybody.
        var who: String?
        /// A part of the operation or of what it was done to, in lower case; `nil` for all.
        var what: String?
        /// The day by UTC, as `2026-01-31`; `nil` for all.
        var day: String?

        /// Returns `true` if an entry matches, apart from its number.
        func fits(_ entry: AuditEntry) -> Bool {
            if let day, entry.date.ISO8601Format().prefix(10) != day { return false }
            if let who, !entry.who.lowercased().contains(who) { return false }
            guard let what else { return true }
            return entry.what.lowercased().contains(what)
                || entry.target.contains { "\($0.key) \($0.value)".lowercased().contains(what) }
        }
    }

    /// The entries of a query.
    struct Found: Sendable {
        var entries: [AuditEntry] = []
        /// The number of matching entries in the whole log.
        var matching = 0
        var summary = Summary(count: 0, digest: AuditChain.begin.digest)
    }

    /// Finds entries.
    ///
    /// - Throws: `readFailed`.
    func entries(_ query: Query) throws(EarshotError) -> Found {
        var found = Found()
        // The log is read from its beginning, so a ring keeps the last matching entries.
        var (ring, next) = ([AuditEntry](), 0)
        let end = query.before.map { $0 == 0 ? Int.max : $0 }
        found.summary = try read { entry, _ in
            guard query.fits(entry) else { return }
            found.matching += 1
            if let end {
                guard entry.number < end else { return }
                if ring.count < query.limit { ring.append(entry) } else { ring[next] = entry }
                next = (next + 1) % query.limit
            } else if entry.number > query.after, found.entries.count < query.limit {
                found.entries.append(entry)
            }
        }
        if ring.count == query.limit {
            found.entries = (ring[next...] + ring[..<next]).reversed()
        } else if end != nil {
            found.entries = ring.reversed()
        }
        return found
    }
}
