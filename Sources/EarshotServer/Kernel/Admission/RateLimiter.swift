import Foundation
import Synchronization

/// Limits the number of requests a second of each client. A client that was idle may send a second's worth at once.
final class RateLimiter: Sendable {
    private struct Bucket {
        var left: Double
        var time: Date
    }

    /// The most clients that are remembered. A client that was silent for a second has its whole limit again, so it can be forgotten.
    private static let mostClients = 10_000

    let limit: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameter limit: The number of requests a second.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Counts a request and returns `true` if it is within the limit.
    func admits(_ client: String, at now: Date) -> Bool {
        buckets.withLock { buckets in
            if buckets.count >= Self.mostClients, buckets[client] == nil {
                buckets = buckets.filter { now.timeIntervalSince($0.value.time) < 1 }
                // As many clients within one second: further ones are refused.
                guard buckets.count < Self.mostClients else { return false }
            }
            var bucket = buckets[client] ?? Bucket(left: Double(limit), time: now)
            let passed = max(0, now.timeIntervalSince(bucket.time))
            bucket.left = min(Double(limit), bucket.left + passed * Double(limit))
            bucket.time = now
            let isAdmitted = bucket.left >= 1
            if isAdmitted { bucket.left -= 1 }
            buckets[client] = bucket
            return isAdmitted
        }
    }
}
