import EarshotCore
import EarshotRecognition
import Foundation
import Synchronization

/// Counts recognitions a day, by UTC, of clients and users, and refuses those beyond their quotas.
///
/// Counts are kept in memory and written to the store every few seconds: after a crash those of the last seconds are
/// missing, in the users' favour.
final class QuotaMeter: Sendable {
    /// For how many days counts are kept, with today.
    static let keptDays = 32

    private struct State {
        var day = ""
        /// What was used today, what is not yet written included.
        var used: [String: Int] = [:]
        var unwritten: [String: Int] = [:]
    }

    private let store: any AccountStore
    private let state = Mutex(State())

    init(_ store: any AccountStore) {
        self.store = store
    }

    /// A subject with what it may use.
    struct Share: Sendable {
        let subject: String
        let limit: Int?
    }

    static func subject(client id: String) -> String { "client/\(id)" }
    static func subject(user id: String) -> String { "user/\(id)" }

    /// Counts uses of all shares, or none when one of them has not as many left.
    ///
    /// - Throws: `quotaExceeded`, and what the store throws.
    func use(_ shares: [Share], count: Int = 1, at now: Date) async throws(EarshotError) {
        let day = Self.day(now)
        try await load(shares.map(\.subject), day)
        let exceeded: Share? = state.withLock { state in
            guard state.day == day else { return nil }
            for share in shares {
                if let limit = share.limit, state.used[share.subject, default: 0] + count > limit { return share }
            }
            for share in shares {
                state.used[share.subject, default: 0] += count
                state.unwritten[share.subject, default: 0] += count
            }
            return nil
        }
        if let exceeded {
            throw EarshotError(
                .quotaExceeded,
                count == 1
                    ? "The \(exceeded.limit ?? 0) recognitions of today are used up: wait until midnight, UTC."
                    : "Fewer than \(count) are left of the \(exceeded.limit ?? 0) recognitions of today: ask for fewer, or wait "
                        + "until midnight, UTC."
            )
        }
    }

    /// Takes back uses that came to nothing.
    func giveBack(_ shares: [Share], count: Int = 1, at now: Date) {
        let day = Self.day(now)
        state.withLock { state in
            guard state.day == day else { return }
            for share in shares {
                state.used[share.subject, default: count] -= count
                state.unwritten[share.subject, default: 0] -= count
            }
        }
    }

    /// What was used today.
    func used(_ subject: String, at now: Date) async throws(EarshotError) -> Int {
        let day = Self.day(now)
        try await load([subject], day)
        return state.withLock { $0.day == day ? $0.used[subject, default: 0] : 0 }
    }

    /// Writes what was counted since the last time.
    func flush() async throws(EarshotError) {
        let (day, uses) = state.withLock { state in
            let uses = state.unwritten
            state.unwritten = [:]
            return (state.day, uses)
        }
        guard !uses.isEmpty else { return }
        do throws(EarshotError) {
            try await store.addUsage(uses, on: day, forgettingBefore: Self.daysBefore(day, Self.keptDays - 1))
        } catch {
            // They are written with the next ones.
            state.withLock { state in
                guard state.day == day else { return }
                state.unwritten.merge(uses, uniquingKeysWith: +)
            }
            throw error
        }
    }

    private func load(_ subjects: [String], _ day: String) async throws(EarshotError) {
        let (missing, isNewDay) = state.withLock { state in
            (subjects.filter { state.day != day || state.used[$0] == nil }, state.day != day)
        }
        if isNewDay {
            // What cannot be written of yesterday is no reason to refuse today.
            try? await flush()
            state.withLock { state in
                guard state.day != day else { return }
                state = State(day: day)
            }
        }
        for subject in missing {
            let used = try await store.usage(of: subject, on: day)
            state.withLock { state in
                guard state.day == day, state.used[subject] == nil else { return }
                state.used[subject] = used
            }
        }
    }

    /// The day of a time by UTC, as `2026-01-31`.
    static func day(_ time: Date) -> String { String(time.ISO8601Format().prefix(10)) }

    /// The midnight after a time, by UTC.
    static func midnight(after time: Date) -> Date {
        let day = 86_400.0
        return Date(timeIntervalSince1970: (time.timeIntervalSince1970 / day).rounded(.down) * day + day)
    }

    private static func daysBefore(_ day: String, _ count: Int) -> String {
        guard let date = try? Date("\(day)T00:00:00Z", strategy: .iso8601) else { return day }
        return Self.day(date.addingTimeInterval(-86_400 * Double(count)))
    }
}
