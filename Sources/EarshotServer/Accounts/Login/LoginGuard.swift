import EarshotAPI
import EarshotCore
import EarshotNodes
import Foundation

/// Counts wrong passwords and codes by where they come from and whom they are for, and refuses more for a quarter of an hour. Counts the
/// accounts that are made by where they are made, and refuses more for an hour. Counts devices that begin to log in, of which each has a code
/// for a quarter of an hour.
///
/// An attempt counts as wrong from its begin on, until it is known to be right: many at once are no way around a limit. Where nodes share a
/// store, attempts count on all of them. While it is away each node counts alone.
struct LoginGuard: Sendable {
    /// The secret that an attempt to log in may be guessing.
    enum Subject: Hashable, Sendable {
        /// The password of a name, in the form in which names are compared.
        case name(String)
        /// The code that a device displays.
        case code
    }

    /// An attempt that counts as wrong.
    struct Attempt: Sendable {
        /// The keys by which it is counted, and no longer counted if it was right.
        fileprivate var keys: [String]
        fileprivate let store: any AttemptStore
        /// The key of which all attempts are forgotten if it was right.
        fileprivate var forgotten: String?
        /// The mark that is noted if it was right.
        fileprivate var mark: AttemptMark?
    }

    /// The time for which failures are counted together, in seconds.
    private static let window = 900.0
    /// The time for which accounts are counted together, in seconds.
    private static let accountWindow = 3_600.0
    /// The time for which attempts, right and wrong ones, are counted together, in seconds.
    private static let attemptWindow = 60.0
    /// The time for which the origin of a login with a name is remembered, in seconds.
    private static let markTime = 365 * 86_400.0

    /// Counts for all nodes; `nil` where there is one.
    private let shared: (any AttemptStore)?
    private let local: MemoryAttemptStore

    /// - Parameters:
    ///   - shared: Counts for all nodes; `nil` where there is one.
    ///   - now: The time by which this node counts alone.
    init(_ shared: (any AttemptStore)? = nil, now: @escaping @Sendable () -> Date) {
        self.shared = shared
        local = MemoryAttemptStore(now: now)
    }

    // MARK: - Limits

    /// A name of what is counted together. What somebody typed is in it as a digest: it may be a password, and may have characters that a
    /// store does not take.
    private static func key(_ kind: String, _ parts: String...) -> String {
        // Origins have no line breaks.
        "\(kind)/\(Secrets.digest(parts.joined(separator: "\n")).base64URL)"
    }

    /// Returns the keys by which attempts are counted, with the limit of each.
    private static func limits(_ subject: Subject, _ origin: RequestOrigin) -> [AttemptLimit] {
        switch subject {
        case .name(let name):
            var limits = [
                // However many guess a name, whoever has it comes in where he did before, and from elsewhere after a while.
                AttemptLimit(
                    key: key("name", name),
                    most: 50,
                    window: window,
                    pause: 10,
                    exemption: mark(name, origin)
                ),
                // A proxy that tells nothing speaks for everybody.
                AttemptLimit(key: attemptKey(origin), most: origin.isLoopback ? 600 : 30, window: attemptWindow),
            ]
            if !origin.isLoopback {
                limits += [
                    AttemptLimit(key: pairKey(name, origin), most: 10, window: window),
                    AttemptLimit(key: key("origin", origin.name), most: 30, window: window),
                ]
            }
            return limits
        case .code:
            // Wrong codes are for nobody, so that all together have no limit: one would lock out everybody. There are 16^8 codes, 4.3
            // thousand million, and each lives for a quarter of an hour. Where a thousand wait, 200 attempts in as long find one of them
            // once in 21,000 times, which is once in 224 days.
            return [
                AttemptLimit(key: key("codes", origin.name), most: origin.isLoopback ? 200 : 10, window: window)
            ]
        }
    }

    /// The key of passwords from an origin within a minute, right and wrong ones.
    private static func attemptKey(_ origin: RequestOrigin) -> String { key("attempts", origin.name) }

    /// The key of a name from an origin.
    private static func pairKey(_ name: String, _ origin: RequestOrigin) -> String { key("pair", origin.name, name) }

    /// The mark that a name was logged in from an origin; `nil` for a proxy, which speaks for everybody.
    private static func mark(_ name: String, _ origin: RequestOrigin) -> AttemptMark? {
        origin.isLoopback ? nil : AttemptMark(subject: key("name", name), name: key("origin", origin.name))
    }

    // MARK: - Attempts

    static let tooMany = EarshotError(
        .tooManyRequests,
        "Too many attempts have failed: try again in a quarter of an hour."
    )

    /// Counts an attempt as a failure, until ``takeBack(_:)`` says that it was right.
    ///
    /// - Parameters:
    ///   - subject: The secret that it tries to guess.
    ///   - origin: The origin of the request.
    /// - Throws: `tooManyRequests` for one too many, which is not counted; `cancelled`.
    func begin(_ subject: Subject, _ origin: RequestOrigin) async throws(EarshotError) -> Attempt {
        var attempt = try await count(Self.limits(subject, origin), Self.tooMany)
        guard case .name(let name) = subject else { return attempt }
        attempt.keys.removeAll { $0 == Self.attemptKey(origin) }
        (attempt.forgotten, attempt.mark) = (Self.pairKey(name, origin), Self.mark(name, origin))
        return attempt
    }

    /// Takes an attempt back that was right, and forgets the failures of whoever knows the password after all.
    func takeBack(_ attempt: Attempt) async {
        // One that cannot be taken back counts for a quarter of an hour. A canceled task would not reach the store.
        await Task {
            try? await attempt.store.takeBack(
                attempt.keys,
                forgetting: attempt.forgotten,
                noting: attempt.mark,
                for: Self.markTime
            )
        }.value
    }

    private func count(_ limits: [AttemptLimit], _ refusal: EarshotError) async throws(EarshotError) -> Attempt {
        if let shared {
            do throws(EarshotError) {
                guard let keys = try await shared.count(limits) else { throw refusal }
                return Attempt(keys: keys, store: shared)
            } catch {
                guard ![.tooManyRequests, .cancelled].contains(error.code) else { throw error }
            }
        }
        guard let keys = local.count(limits) else { throw refusal }
        return Attempt(keys: keys, store: local)
    }

    // MARK: - Accounts

    static let tooManyAccounts = EarshotError(
        .tooManyRequests,
        "Too many accounts were created from this address: log in with an existing one, or try again in an hour."
    )

    /// Counts an account that is about to be made, until ``takeBack(_:)`` says that it was not made.
    ///
    /// - Parameter origin: The origin of the request that makes it.
    /// - Throws: `tooManyRequests` for one too many, which is not counted; `cancelled`.
    func addAccount(from origin: RequestOrigin) async throws(EarshotError) -> Attempt {
        // A proxy speaks for everybody.
        let most = origin.isLoopback ? 1_000 : 20
        let limit = AttemptLimit(key: Self.key("accounts", origin.name), most: most, window: Self.accountWindow)
        return try await count([limit], Self.tooManyAccounts)
    }

    // MARK: - Devices

    private static let tooManyDevices = EarshotError(
        .tooManyRequests,
        "Too many devices have begun to log in from this address: try again in a quarter of an hour."
    )

    /// Counts a device that begins to log in.
    ///
    /// - Throws: `tooManyRequests` for one too many, which is not counted; `cancelled`.
    func addDevice(from origin: RequestOrigin) async throws(EarshotError) {
        // A proxy speaks for everybody.
        let most = origin.isLoopback ? 10_000 : 100
        let limit = AttemptLimit(key: Self.key("devices", origin.name), most: most, window: Self.window)
        _ = try await count([limit], Self.tooManyDevices)
    }
}
