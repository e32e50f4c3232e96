import EarshotCore
import Foundation
import Synchronization

/// Counts wrong passwords and codes by where they come from and whom they are for, and refuses more for a quarter of an hour. Counts the
/// accounts that are made by where they are made, and refuses more for an hour. Counts devices that begin to log in, of which each has a code
/// for a quarter of an hour.
///
/// An attempt counts as wrong from its begin on, until it is known to be right: many at once are no way around a limit.
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
        /// Passwords from an origin within a minute, right and wrong ones.
        case attempts(RequestOrigin)
    }

    /// A limit of what is counted together.
    private struct Limit {
        let key: Key
        let most: Int
        var window = LoginGuard.window
        /// Beyond the limit one attempt in so many seconds passes; none without it.
        var pause: Double?
    }

    private struct Count {
        var number = 0
        var begin: Date
        /// When the last one was counted.
        var last = Date.distantPast

        func reaches(_ most: Int, within window: Double, at now: Date) -> Bool {
            number >= most && now.timeIntervalSince(begin) < window
        }
    }

    private struct State {
        var failures: [Key: Count] = [:]
        /// From where a name was logged in.
        var known: [String: [RequestOrigin]] = [:]
        var accounts: [RequestOrigin: Count] = [:]
        /// Devices that have begun to log in.
        var devices: [RequestOrigin: Count] = [:]
    }

    /// For how long failures are counted together, in seconds.
    private static let window = 900.0
    /// For how long accounts are counted together, in seconds.
    private static let accountWindow = 3_600.0
    /// What is remembered of a kind at most; then all of it is forgotten that is too old to count.
    private static let mostCounts = 20_000

    private let state = Mutex(State())

    /// For how long attempts are counted together, in seconds.
    private static let attemptWindow = 60.0
    /// Origins that are remembered of a name from which it was logged in.
    private static let mostKnown = 8

    /// What attempts are counted by, with the most of each.
    ///
    /// - Parameter isKnown: Whether the name was logged in from there before.
    private static func limits(_ subject: Subject, _ origin: RequestOrigin, isKnown: Bool) -> [Limit] {
        switch subject {
        case .name(let name):
            // However many guess a name, whoever has it comes in where he did before, and from elsewhere after a while.
            var limits = isKnown ? [] : [Limit(key: .name(name), most: 50, pause: 10)]
            // A proxy that tells nothing speaks for everybody.
            limits.append(Limit(key: .attempts(origin), most: origin.isLoopback ? 600 : 30, window: attemptWindow))
            if !origin.isLoopback {
                limits += [Limit(key: .nameFrom(name, origin), most: 10), Limit(key: .origin(origin), most: 30)]
            }
            return limits
        case .code:
            // Wrong codes are for nobody, so that all together have no limit: one would lock out everybody. There are 16^8 codes, 4.3
            // thousand million, and each lives for a quarter of an hour. Where a thousand wait, 200 attempts in as long find one of them
            // once in 21,000 times, which is once in 224 days.
            return [Limit(key: .codesFrom(origin), most: origin.isLoopback ? 200 : 10)]
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
        count.last = now
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
        let isTooMany = state.withLock { Self.isTooMany(Self.limits(subject, origin, $0), $0, at: now) }
        if isTooMany { throw Self.tooMany }
    }

    /// Counts an attempt as a failure, until ``succeed(_:_:)`` takes it back.
    ///
    /// - Throws: `tooManyRequests` for one too many, which is not counted.
    func begin(_ subject: Subject, _ origin: RequestOrigin, at now: Date) throws(EarshotError) {
        let isTooMany = state.withLock { state in
            let limits = Self.limits(subject, origin, state)
            if Self.isTooMany(limits, state, at: now) { return true }
            for limit in limits { Self.add(limit.key, to: &state.failures, window: limit.window, at: now) }
            return false
        }
        if isTooMany { throw Self.tooMany }
    }

    /// Takes an attempt back that was right, and forgets the failures of whoever knows the password after all.
    func succeed(_ subject: Subject, _ origin: RequestOrigin) {
        state.withLock { state in
            for limit in Self.limits(subject, origin, state) {
                if case .attempts = limit.key { continue }
                if let number = state.failures[limit.key]?.number, number > 0 {
                    state.failures[limit.key]?.number = number - 1
                }
            }
            guard case .name(let name) = subject else { return }
            state.failures[.nameFrom(name, origin)] = nil
            guard !origin.isLoopback, !state.known[name, default: []].contains(origin) else { return }
            if state.known.count >= Self.mostCounts, state.known[name] == nil { state.known = [:] }
            state.known[name, default: []].append(origin)
            if state.known[name, default: []].count > Self.mostKnown { state.known[name]?.removeFirst() }
        }
    }

    static let tooMany = EarshotError(
        .tooManyRequests,
        "Too many attempts have failed: try again in a quarter of an hour."
    )

    private static func limits(_ subject: Subject, _ origin: RequestOrigin, _ state: State) -> [Limit] {
        guard case .name(let name) = subject else { return limits(subject, origin, isKnown: false) }
        return limits(subject, origin, isKnown: state.known[name]?.contains(origin) == true)
    }

    private static func isTooMany(_ limits: [Limit], _ state: State, at now: Date) -> Bool {
        limits.contains { limit in
            guard let count = state.failures[limit.key], count.reaches(limit.most, within: limit.window, at: now) else {
                return false
            }
            return limit.pause.map { now.timeIntervalSince(count.last) < $0 } ?? true
        }
    }

    // MARK: - Accounts

    static let tooManyAccounts = EarshotError(
        .tooManyRequests,
        "Too many accounts were created from this address: log in with an existing one, or try again in an hour."
    )

    /// How many accounts are made in an hour from one place at most. A proxy speaks for everybody.
    private static func mostAccounts(_ origin: RequestOrigin) -> Int { origin.isLoopback ? 1_000 : 20 }

    /// Counts an account that is about to be made.
    ///
    /// - Parameters:
    ///   - origin: Where it is made.
    ///   - now: The time.
    /// - Throws: `tooManyRequests` for one too many, which is not counted.
    func addAccount(from origin: RequestOrigin, at now: Date) throws(EarshotError) {
        try count(
            origin,
            in: \.accounts,
            upTo: Self.mostAccounts(origin),
            within: Self.accountWindow,
            at: now,
            Self.tooManyAccounts.message
        )
    }

    /// Forgets an account that was counted and could not be made.
    func removeAccount(from origin: RequestOrigin) {
        state.withLock { state in
            guard let number = state.accounts[origin]?.number, number > 0 else { return }
            state.accounts[origin]?.number = number - 1
        }
    }

    // MARK: - Devices

    /// How many devices begin to log in from one place in a quarter of an hour at most. A proxy speaks for everybody.
    private static func mostDevices(_ origin: RequestOrigin) -> Int { origin.isLoopback ? 10_000 : 100 }

    /// Counts a device that begins to log in.
    ///
    /// - Throws: `tooManyRequests` for one too many, which is not counted.
    func addDevice(from origin: RequestOrigin, at now: Date) throws(EarshotError) {
        try count(
            origin,
            in: \.devices,
            upTo: Self.mostDevices(origin),
            within: Self.window,
            at: now,
            "Too many devices have begun to log in from this address: try again in a quarter of an hour."
        )
    }

    /// Counts something that is done from an origin, and refuses one too many, which is not counted.
    private func count(
        _ origin: RequestOrigin,
        in counts: WritableKeyPath<State, [RequestOrigin: Count]>,
        upTo most: Int,
        within window: Double,
        at now: Date,
        _ refusal: String
    ) throws(EarshotError) {
        let isTooMany: Bool = state.withLock { state in
            if state[keyPath: counts][origin]?.reaches(most, within: window, at: now) == true { return true }
            Self.add(origin, to: &state[keyPath: counts], window: window, at: now)
            return false
        }
        if isTooMany { throw EarshotError(.tooManyRequests, refusal) }
    }
}
