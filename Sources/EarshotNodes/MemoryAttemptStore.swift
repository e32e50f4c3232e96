package import Foundation
import Synchronization

/// Counts attempts to log in, in memory, for a service that is the only node.
package final class MemoryAttemptStore: AttemptStore {
    private struct Count {
        var number = 0
        let begin: Date
        let window: Double
        /// The time at which the last attempt was counted.
        var last = Date.distantPast

        func holds(at now: Date) -> Bool { now.timeIntervalSince(begin) < window }
    }

    private struct State {
        var counts: [String: Count] = [:]
        /// The marks of each subject with their ends, the oldest first.
        var marks: [String: [(name: String, end: Date)]] = [:]
    }

    /// The most counts, and the most subjects with marks. At the limit, counts whose window is over are removed; if that is not enough, all.
    /// Of marks all are removed.
    private static let most = 20_000

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    /// - Parameter now: The time.
    package init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

    package func count(_ limits: [AttemptLimit]) -> [String]? {
        let now = self.now()
        return state.withLock { state in
            let limits = limits.filter { limit in
                limit.exemption.map { mark in
                    !(state.marks[mark.subject] ?? []).contains { $0.name == mark.name && $0.end > now }
                } ?? true
            }
            let isReached = limits.contains { limit in
                let count = state.counts[limit.key].flatMap { $0.holds(at: now) ? $0 : nil }
                guard count?.number ?? 0 >= limit.most else { return false }
                return now.timeIntervalSince(count?.last ?? .distantPast) < limit.pause
            }
            guard !isReached else { return nil }
            for limit in limits { Self.add(limit, to: &state.counts, at: now) }
            return limits.map(\.key)
        }
    }

    private static func add(_ limit: AttemptLimit, to counts: inout [String: Count], at now: Date) {
        if counts.count >= most {
            counts = counts.filter { $0.value.holds(at: now) }
            if counts.count >= most { counts = [:] }
        }
        var count = counts[limit.key] ?? Count(begin: now, window: limit.window)
        if !count.holds(at: now) { count = Count(begin: now, window: limit.window) }
        count.number += 1
        count.last = now
        counts[limit.key] = count
    }

    package func takeBack(
        _ keys: [String],
        forgetting forgotten: String?,
        noting mark: AttemptMark?,
        for seconds: Double
    ) {
        let now = self.now()
        state.withLock { state in
            for key in keys {
                if let number = state.counts[key]?.number, number > 0 { state.counts[key]?.number = number - 1 }
            }
            if let forgotten { state.counts[forgotten] = nil }
            guard let mark else { return }
            if state.marks.count >= Self.most, state.marks[mark.subject] == nil { state.marks = [:] }
            var marks = (state.marks[mark.subject] ?? []).filter { $0.name != mark.name && $0.end > now }
            marks.append((mark.name, now.addingTimeInterval(seconds)))
            state.marks[mark.subject] = marks.suffix(AttemptMark.most)
        }
    }
}
