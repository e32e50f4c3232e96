import EarshotCore
import Foundation
import Synchronization

/// Counts wrong passwords and codes by where they come from and whom they are for, and refuses more for a quarter of an hour. Counts the
/// accounts that are made by where they are made, and refuses more for an hour.
final class LoginGuard: Sendable {
    /// What somebody tries to find out.
    enum Subject: Hashable, Sendable {
        /// The password of a name, in the form in which names are compared.
        case name(String)
        /// What a device shows.
        case code
    }

    /// What is counted together. A text that somebody chooses stands for a name alone: nobody's name is counted as anything else.
    private enum Key: Hashable {
        case name(String)
        case nameFrom(String, RequestOrigin)
        case origin(RequestOrigin)
        case codesFrom(RequestOrigin)
    }

    private struct Count {
        var number = 0
        var begin: Date

        func reaches(_ most: Int, within window: Double, at now: Date) -> Bool {
            number >= most && now.timeIntervalSince(begin) < window
        }
    }

    private struct State {
        var failures: [Key: Count] = [:]
        var accounts: [RequestOrigin: Count] = [:]
    }

    /// For how long failures are counted together, in seconds.
    private static let window = 900.0
    /// For how long accounts are counted together, in seconds.
    private static let accountWindow = 3_600.0
    /// What is remembered of a kind at most; then all of it is forgotten that is too old to count.
    private static let mostCounts = 20_000

    private let state = Mutex(State())

    /// What failures are counted by, with the most of each.
    private static func limits(_ subject: Subject, _ origin: RequestOrigin) -> [(key: Key, most: Int)] {
        switch subject {
        case .name(let name):
            var limits: [(key: Key, most: Int)] = [(.nameFrom(name, origin), 10), (.name(name), 50)]
            // A proxy speaks for everybody.
            if !origin.isLoopback { limits.append((.origin(origin), 30)) }
            return limits
        case .code:
            // Wrong codes are for nobody, so that all together have no limit: one would lock out everybody. There are 16^8 codes, 4.3
            // thousand million, and each lives for a quarter of an hour. Where a thousand wait, 200 attempts in as long find one of them
            // once in 21,000 times, which is once in 224 days.
            return [(.codesFrom(origin), origin.isLoopback ? 200 : 10)]
        }
    }

    /// Counts once more; from the begin where what was counted is too old to count.
    private static func add<Kind: Hashable>(
        _ kind: Kind,
        to counts: inout [Kind: Count],
        window: Double,
        at now: Date
    ) {
        if counts.count >= mostCounts {
            counts = counts.filter { now.timeIntervalSince($0.value.begin) < window }
            if counts.count >= mostCounts { counts = [:] }
        }
        var count = counts[kind] ?? Count(begin: now)
        if now.timeIntervalSince(count.begin) >= window { count = Count(begin: now) }
        count.number += 1
        counts[kind] = count
    }

    // MARK: - Attempts

    /// Refuses one attempt too many.
    ///
    /// - Parameters:
    ///   - subject: What it is to find out.
    ///   - origin: Where it comes from.
    ///   - now: The time.
    /// - Throws: `tooManyRequests`.
    func check(_ subject: Subject, _ origin: RequestOrigin, at now: Date) throws(EarshotError) {
        let isTooMany = state.withLock { state in
            Self.limits(subject, origin).contains { key, most in
                state.failures[key]?.reaches(most, within: Self.window, at: now) == true
            }
        }
        guard !isTooMany else {
            throw EarshotError(.tooManyRequests, "Too many attempts have failed: try again in a quarter of an hour.")
        }
    }

    /// Counts a failure.
    func fail(_ subject: Subject, _ origin: RequestOrigin, at now: Date) {
        state.withLock { state in
            for (key, _) in Self.limits(subject, origin) {
                Self.add(key, to: &state.failures, window: Self.window, at: now)
            }
        }
    }

    /// Forgets the failures of whoever knows the password after all.
    func succeed(_ name: String, _ origin: RequestOrigin) {
        state.withLock { $0.failures[.nameFrom(name, origin)] = nil }
    }

    // MARK: - Accounts

    /// How many accounts are made in an hour from one place at most. A proxy speaks for everybody.
    private static func mostAccounts(_ origin: RequestOrigin) -> Int { origin.isLoopback ? 1_000 : 20 }

    /// Counts an account that is about to be made.
    ///
    /// - Parameters:
    ///   - origin: Where it is made.
    ///   - now: The time.
    /// - Throws: `tooManyRequests` for one too many, which is not counted.
    func addAccount(from origin: RequestOrigin, at now: Date) throws(EarshotError) {
        let most = Self.mostAccounts(origin)
        let isTooMany: Bool = state.withLock { state in
            if state.accounts[origin]?.reaches(most, within: Self.accountWindow, at: now) == true { return true }
            Self.add(origin, to: &state.accounts, window: Self.accountWindow, at: now)
            return false
        }
        guard !isTooMany else {
            throw EarshotError(
                .tooManyRequests,
                "Too many accounts were made from this address: log in with one that is there, or try again in an hour."
            )
        }
    }

    /// Forgets an account that was counted and could not be made.
    func removeAccount(from origin: RequestOrigin) {
        state.withLock { state in
            guard let number = state.accounts[origin]?.number, number > 0 else { return }
            state.accounts[origin]?.number = number - 1
        }
    }
}
