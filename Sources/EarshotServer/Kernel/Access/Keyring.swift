import Crypto
import EarshotCore
import EarshotRecognition
import Foundation
import Synchronization

/// The signing keys of the service, for tokens, content addresses and forms.
///
/// The newest key signs, and every key whose signatures may still be valid is accepted. Keys are in the account store,
/// so what they signed outlives a restart, and every process on the store signs with the same.
final class Keyring: Sendable {
    /// A key. Each use has a seal that is derived from it, so that a seal of one use is worth nothing for another.
    struct Key: Sendable {
        let name: String
        /// The time at which it was created, in whole seconds.
        let made: Date
        /// The creation time of the next key, which signs from then on; `nil` for the newest.
        var replaced: Date?
        let tokens: Seal
        let addresses: Seal
        let forms: Seal

        init(name: String, made: Date, bytes: Data) {
            self.name = name
            self.made = made
            let master = Seal(key: bytes)
            tokens = master
            addresses = Seal(key: master.code(for: "addresses of content"))
            forms = Seal(key: master.code(for: "forms"))
        }
    }

    private static let prefix = "key/"
    /// The name of the store's value that names the last key. A node that replaces this value creates the next key.
    private static let lastName = "last-key"
    /// The least time between two reads of the store for unknown keys, in seconds.
    private static let readingInterval = 1.0
    /// The age in seconds from which on a new key signs, unless it is the only one: twice the interval at which nodes read the keys, so that
    /// all nodes accept it.
    private static let patience = 10.0
    /// The largest difference of the clocks of nodes that is tolerated, in seconds.
    static let clockDifference = 60.0

    private let store: any AccountStore
    private let wrapping: KeyWrapping?
    private let memory: TimeInterval
    private let keyLifetime: TimeInterval
    private let clock: MediaClock
    private let state: Mutex<State>

    private struct State {
        /// The newest last; never empty.
        var keys: [Key]
        /// The time at which the last read of the store began, in seconds of the clock.
        var read: Double
        /// The number of reads that have begun.
        var begun = 0
        /// The number of the read that returned ``keys``.
        var kept = 0
        /// A read for unknown keys that has not begun yet.
        var next: Task<EarshotError?, Never>?
    }

    /// Reads the keys of a store, and creates one if there is none or the newest is too old.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: The encryption of keys in the store; `nil` to keep them as they are.
    ///   - memory: The time for which a replaced key is still accepted, in seconds: the longest validity of what it signed.
    ///   - keyLifetime: The time after which a new key is made, in seconds.
    ///   - now: The time.
    ///   - clock: The clock for the least time between reads.
    /// - Throws: `configurationInvalid` for keys that are encrypted with another key, and what the store throws.
    init(
        _ store: any AccountStore,
        wrapping: KeyWrapping? = nil,
        memory: TimeInterval,
        keyLifetime: TimeInterval,
        at now: Date,
        clock: MediaClock = .system
    ) async throws(EarshotError) {
        self.store = store
        self.wrapping = wrapping
        self.memory = memory
        self.keyLifetime = keyLifetime
        self.clock = clock
        let begin = clock.now.seconds
        let keys = try await Self.rotated(store, wrapping, memory, keyLifetime, at: now)
        guard !keys.isEmpty else {
            throw EarshotError(.storeUnavailable, "The keys of the service are being renewed: start the service again.")
        }
        state = Mutex(State(keys: keys, read: begin))
    }

    /// The newest key.
    var newest: Key { state.withLock { $0.keys[$0.keys.count - 1] } }

    /// Returns the key that signs: the newest one, or the one before while other nodes may not have read the newest.
    func signing(at now: Date) -> Key {
        state.withLock { state in
            let newest = state.keys[state.keys.count - 1]
            let age = now.timeIntervalSince(newest.made)
            // A key far in the future was made while a clock was ahead: it is not new, and other nodes know it.
            guard state.keys.count > 1, age < Self.patience, age > -Self.clockDifference else { return newest }
            return state.keys[state.keys.count - 2]
        }
    }

    /// All keys that are accepted, the newest first.
    var accepted: [Key] { state.withLock { $0.keys.reversed() } }

    /// Returns the key of a name; `nil` if there is none. For a name that may be a new key of another node, the store is read, at most once
    /// in ``readingInterval`` for all callers, which wait for it.
    func key(_ name: String, at now: Date) async throws(EarshotError) -> Key? {
        let (known, newest) = state.withLock { state in
            (state.keys.first { $0.name == name }, state.keys[state.keys.count - 1].made)
        }
        if let known { return known }
        // An unknown key must be newer than the known ones. Any other name is forged, and must not cost a read.
        guard let made = Self.made(name), made > newest, made <= max(now, newest) + Self.clockDifference else {
            return nil
        }
        if let failure = await nextReading().value { throw failure }
        return state.withLock { $0.keys.first { $0.name == name } }
    }

    /// Reads the keys again if the last read is older than ``readingInterval``, so that no revoked key signs. While the store is away, the
    /// known keys sign.
    func refresh() async {
        let isOld = state.withLock { clock.now.seconds - $0.read >= Self.readingInterval }
        if isOld { _ = await nextReading().value }
    }

    /// Returns the read that begins next, which finds all keys that are in the store now.
    private func nextReading() -> Task<EarshotError?, Never> {
        state.withLock { state in
            if let next = state.next { return next }
            let begin = state.read + Self.readingInterval
            let next = Task<EarshotError?, Never> { [self] in
                try? await clock.sleep(until: MediaTime(seconds: begin, preferredTimescale: 1_000_000_000))
                // Later callers need a read that begins after their call.
                self.state.withLock { $0.next = nil }
                do throws(EarshotError) {
                    try await reload()
                    return nil
                } catch {
                    return error
                }
            }
            state.next = next
            return next
        }
    }

    /// Creates a key if the newest is too old, and removes keys whose signatures have all expired.
    func rotate(at now: Date) async throws(EarshotError) {
        let reading = beginReading()
        keep(try await Self.rotated(store, wrapping, memory, keyLifetime, at: now), of: reading)
    }

    /// Creates a new key.
    ///
    /// - Parameter isRevoking: `true` to revoke the other keys at once, with all that they signed.
    func renew(revoking isRevoking: Bool, at now: Date) async throws(EarshotError) {
        let last = try await store.value(Self.lastName)
        let others = try await Self.names(store)
        let name = try await Self.make(store, wrapping, after: others.last?.made, inPlaceOf: last, at: now)
        if isRevoking {
            for (other, _) in others where other != name { try await store.setValue(nil, for: other) }
        }
        try await rotate(at: now)
    }

    /// Reads the keys again: another process may have changed them.
    func reload() async throws(EarshotError) {
        let reading = beginReading()
        keep(try await Self.keys(store, wrapping), of: reading)
    }

    /// Notes that a read of the store begins.
    ///
    /// - Returns: The number of the read, for ``keep(_:of:)``.
    func beginReading() -> Int {
        let now = clock.now.seconds
        return state.withLock { state in
            state.read = now
            state.begun += 1
            return state.begun
        }
    }

    /// Takes over the keys of a read, unless a later read has ended before: otherwise keys that were revoked meanwhile would sign again.
    func keep(_ keys: [Key], of reading: Int) {
        // A store without keys is one in which another process is about to create one. Without any key, nothing could be signed.
        guard !keys.isEmpty else { return }
        state.withLock { state in
            guard reading > state.kept else { return }
            state.keys = keys
            state.kept = reading
        }
    }

    // MARK: - Store

    private static func rotated(
        _ store: any AccountStore,
        _ wrapping: KeyWrapping?,
        _ memory: TimeInterval,
        _ keyLifetime: TimeInterval,
        at now: Date
    ) async throws(EarshotError) -> [Key] {
        // Read before the names: a key that another node creates after this is among the names, or replaces `last`, which `make` notices.
        let last = try await store.value(lastName)
        let names = try await names(store)
        if names.last.map({ now.timeIntervalSince($0.made) >= keyLifetime }) ?? true {
            try await make(store, wrapping, after: names.last?.made, inPlaceOf: last, at: now)
        }
        for (index, entry) in names.enumerated().dropLast()
        where now.timeIntervalSince(names[index + 1].made) > memory {
            try await store.setValue(nil, for: entry.name)
        }
        return try await keys(store, wrapping)
    }

    /// Creates a key in the store. Nodes that do so at the same moment agree on one key.
    ///
    /// - Parameters:
    ///   - newest: The time at which the newest key was created; `nil` if there is none.
    ///   - last: The value of ``lastName``, read before the names of the keys.
    /// - Returns: The name of the key.
    @discardableResult
    private static func make(
        _ store: any AccountStore,
        _ wrapping: KeyWrapping?,
        after newest: Date?,
        inPlaceOf last: Data?,
        at now: Date
    ) async throws(EarshotError) -> String {
        var name = last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        // Another node may have named a key that it is about to store. After a minute without that key, the node has failed, and its name
        // is not used.
        let isBegun = made(name).map { abs(now.timeIntervalSince($0)) < clockDifference && $0 > newest ?? .distantPast }
        if isBegun != true {
            // Names contain whole seconds and decide which key is the newest, so each name is at least a second later.
            let made = max(now.timeIntervalSince1970, (newest?.timeIntervalSince1970 ?? 0) + 1)
            name = "\(prefix)\(Int(made))-\(Secrets.text(6))"
            let kept = try await store.replaceValue(last, with: Data(name.utf8), for: lastName)
            name = kept.map { String(decoding: $0, as: UTF8.self) } ?? name
        }
        let bytes = Secrets.bytes(32)
        let stored = try wrapping?.wrapped(bytes, name: name) ?? bytes
        // The first node stores the bytes. For the others, `replaceValue` returns those of the first.
        guard try await store.replaceValue(nil, with: stored, for: name) == stored,
            let next = try await store.value(lastName), next != Data(name.utf8)
        else { return name }
        // A revocation has replaced this key since it was named. The key must not come back.
        try await store.setValue(nil, for: name)
        return String(decoding: next, as: UTF8.self)
    }

    /// Returns the creation time in the name of a key; `nil` for other names.
    private static func made(_ name: String) -> Date? {
        guard name.hasPrefix(prefix) else { return nil }
        let seconds = name.dropFirst(prefix.count).prefix { $0 != "-" }
        return Double(seconds).map { Date(timeIntervalSince1970: $0) }
    }

    /// Returns `true` if a store has keys that are not encrypted.
    static func hasUnwrappedKeys(_ store: any AccountStore) async throws(EarshotError) -> Bool {
        for (name, _) in try await names(store) {
            if let value = try await store.value(name), !KeyWrapping.isWrapped(value) { return true }
        }
        return false
    }

    private static func names(_ store: any AccountStore) async throws(EarshotError) -> [(name: String, made: Date)] {
        try await store.valueNames(beginning: prefix).compactMap { name in made(name).map { (name, $0) } }
            .sorted { ($0.made, $0.name) < ($1.made, $1.name) }
    }

    private static func keys(_ store: any AccountStore, _ wrapping: KeyWrapping?) async throws(EarshotError) -> [Key] {
        var keys: [Key] = []
        for (name, made) in try await names(store) {
            guard let stored = try await store.value(name) else { continue }
            let bytes = try KeyWrapping.unwrapped(stored, name: name, with: wrapping)
            if let wrapping, !KeyWrapping.isWrapped(stored) {
                // Replaces the value only if it is unchanged: a key that was revoked meanwhile must not come back.
                _ = try await store.replaceValue(stored, with: try wrapping.wrapped(bytes, name: name), for: name)
            }
            if !keys.isEmpty { keys[keys.count - 1].replaced = made }
            keys.append(Key(name: name, made: made, bytes: bytes))
        }
        return keys
    }
}
