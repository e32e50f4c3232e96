import EarshotAPI
import EarshotCore
import EarshotNodes
import Foundation

/// Limits attempts to log in. Wrong passwords and codes are counted by origin and by name over a quarter of an hour, new accounts by origin
/// over an hour, and devices that begin to log in by origin over a quarter of an hour, for which their codes are valid.
///
/// An attempt counts as wrong from its beginning until it is known to be right, so that many at once do not evade a limit. If nodes share
/// a store, attempts count on all of them; while the store is away, each node counts alone.
struct LoginGuard: Sendable {
    /// The secret that an attempt to log in may be guessing.
    enum Subject: Hashable, Sendable {
        /// The password of a name, in the form in which names are compared.
        case name(String)
        /// The code that a device displays.
        case code
    }

    /// An attempt that counts as wrong until ``takeBack(_:)``.
    struct Attempt: Sendable {
        /// The keys whose counts are reduced if the attempt was right.
        fileprivate var keys: [String]
        fileprivate let store: any AttemptStore
        /// The key whose count is reset if the attempt was right; `nil` for none.
        fileprivate var forgotten: String?
        /// The mark that is noted if the attempt was right; `nil` for none.
        fileprivate var mark: AttemptMark?
    }

    /// The time for which failures are counted together, in seconds.
    private static let window = 900.0
    /// The time for which accounts are counted together, in seconds.
    private static let accountWindow = 3_600.0
    /// The time for which all attempts of an origin, right and wrong ones, are counted together, in seconds.
    private static let attemptWindow = 60.0
    /// The time for which the origin of a login with a name is remembered, in seconds.
    private static let markTime = 365 * 86_400.0

    /// Counts for all nodes; `nil` if the service is the only node.
    private let shared: (any AttemptStore)?
    private let local: MemoryAttemptStore

    /// - Parameters:
    ///   - shared: Counts for all nodes; `nil` if the service is the only node.
    ///   - now: Returns the time for counts of this node alone.
    init(_ shared: (any AttemptStore)? = nil, now: @escaping @Sendable () -> Date) {
        self.shared = shared
        local = MemoryAttemptStore(now: now)
    }

    // MARK: - Limits

    /// Returns the key of a count. Its parts are hashed: a typed name may be a password, or have characters that a store cannot hold.
    private static func key(_ kind: String, _ parts: String...) -> String {
        // Joined by line breaks, which origins do not contain: so different parts never give the same text.
        "\(kind)/\(Secrets.digest(parts.joined(separator: "\n")).base64URL)"
    }

    /// Returns the keys by which attempts are counted, with the limit of each.
    private static func limits(_ subject: Subject, _ origin: RequestOrigin) -> [AttemptLimit] {
        switch subject {
        case .name(let name):
            var limits = [
                // While others guess passwords for a name, its owner can still log in: this limit does not hold for origins from which the
                // name has logged in before, and of other attempts lets one pass every 10 s.
                AttemptLimit(
                    key: key("name", name),
                    most: 50,
                    window: window,
                    pause: 10,
                    exemption: mark(name, origin)
                ),
                // Loopback is a proxy that does not state its clients: its limit is for all of them together.
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
            // A wrong code belongs to no name, and a limit for all origins together would lock out everybody, so there is none. There are
            // 16^8 codes, 4.3 billion, each valid for a quarter of an hour. If a thousand are waiting, 200 attempts in that time find one
            // of them once in 21,000 times: once in 224 days.
            return [
                AttemptLimit(key: key("codes", origin.name), most: origin.isLoopback ? 200 : 10, window: window)
            ]
        }
    }

    /// Returns the key for all attempts from an origin, right and wrong ones.
    private static func attemptKey(_ origin: RequestOrigin) -> String { key("attempts", origin.name) }

    /// Returns the key for attempts with a name from an origin.
    private static func pairKey(_ name: String, _ origin: RequestOrigin) -> String { key("pair", origin.name, name) }

    /// Returns the mark that a name has logged in from an origin; `nil` for loopback, which may be a proxy for everybody.
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
    ///   - subject: The secret that the attempt may be guessing.
    ///   - origin: The origin of the request.
    /// - Throws: `tooManyRequests` if a limit is reached: the attempt is then not counted. `cancelled`.
    func begin(_ subject: Subject, _ origin: RequestOrigin) async throws(EarshotError) -> Attempt {
        var attempt = try await count(Self.limits(subject, origin), Self.tooMany)
        guard case .name(let name) = subject else { return attempt }
        attempt.keys.removeAll { $0 == Self.attemptKey(origin) }
        (attempt.forgotten, attempt.mark) = (Self.pairKey(name, origin), Self.mark(name, origin))
        return attempt
    }

    /// Takes back an attempt that was right, and forgets earlier failures with its name from its origin.
    func takeBack(_ attempt: Attempt) async {
        // If the store cannot be reached, the attempt counts until its window ends. A task of its own: a canceled one would not reach
        // the store.
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

    /// Counts an account that is about to be created, until ``takeBack(_:)`` if it was not.
    ///
    /// - Parameter origin: The origin of the request that creates it.
    /// - Throws: `tooManyRequests` if the limit is reached: the account is then not counted. `cancelled`.
    func addAccount(from origin: RequestOrigin) async throws(EarshotError) -> Attempt {
        // Loopback may be a proxy for everybody.
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
    /// - Throws: `tooManyRequests` if the limit is reached: the device is then not counted. `cancelled`.
    func addDevice(from origin: RequestOrigin) async throws(EarshotError) {
        // Loopback may be a proxy for everybody.
        let most = origin.isLoopback ? 10_000 : 100
        let limit = AttemptLimit(key: Self.key("devices", origin.name), most: most, window: Self.window)
        _ = try await count([limit], Self.tooManyDevices)
    }
}
