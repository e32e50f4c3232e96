import EarshotCore
import Foundation
import Synchronization

/// Counts wrong passwords and codes by where they come from and whom they are for, and refuses more for a quarter of an hour.
final class LoginGuard: Sendable {
    private struct Count {
        var failures = 0
        var begin: Date
    }

    /// For how long failures are counted together, in seconds.
    private static let window = 900.0
    /// What is remembered at most; then all of it is forgotten that is too old to count.
    private static let mostCounts = 20_000

    private let counts = Mutex<[String: Count]>([:])

    /// What failures are counted by, with the most of each.
    private static func limits(_ name: String, _ origin: RequestOrigin) -> [(key: String, most: Int)] {
        var limits = [("name/\(name)/\(origin.name)", 10), ("name/\(name)", 50)]
        // A proxy speaks for everybody.
        if !origin.isLoopback { limits.append(("origin/\(origin.name)", 30)) }
        return limits.map { (key: $0.0, most: $0.1) }
    }

    /// Refuses one attempt too many.
    ///
    /// - Parameters:
    ///   - name: Whom it is for, in the form in which names are compared.
    ///   - origin: Where it comes from.
    ///   - now: The time.
    /// - Throws: `tooManyRequests`.
    func check(_ name: String, _ origin: RequestOrigin, at now: Date) throws(EarshotError) {
        let isTooMany = counts.withLock { counts in
            Self.limits(name, origin).contains { key, most in
                counts[key].map { $0.failures >= most && now.timeIntervalSince($0.begin) < Self.window } ?? false
            }
        }
        guard !isTooMany else {
            throw EarshotError(.tooManyRequests, "Too many attempts have failed: try again in a quarter of an hour.")
        }
    }

    /// Counts a failure.
    func fail(_ name: String, _ origin: RequestOrigin, at now: Date) {
        counts.withLock { counts in
            if counts.count >= Self.mostCounts {
                counts = counts.filter { now.timeIntervalSince($0.value.begin) < Self.window }
                if counts.count >= Self.mostCounts { counts = [:] }
            }
            for (key, _) in Self.limits(name, origin) {
                var count = counts[key] ?? Count(begin: now)
                if now.timeIntervalSince(count.begin) >= Self.window { count = Count(begin: now) }
                count.failures += 1
                counts[key] = count
            }
        }
    }

    /// Forgets the failures of whoever knows the password after all.
    func succeed(_ name: String, _ origin: RequestOrigin) {
        counts.withLock { $0["name/\(name)/\(origin.name)"] = nil }
    }
}
