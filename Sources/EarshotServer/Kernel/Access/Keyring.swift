import Crypto
import EarshotCore
import EarshotRecognition
import Foundation
import Synchronization

/// The keys with which the service signs what it recognizes again: tokens, addresses of content, and forms.
///
/// The newest key signs, and every key that may have signed something that still holds is accepted. Keys are in the account store,
/// so what they signed outlives a restart, and every process on the store signs with the same.
final class Keyring: Sendable {
    /// A key, of which each use has a seal of its own: none says anything of another.
    struct Key: Sendable {
        let name: String
        /// When it was made, in whole seconds.
        let made: Date
        /// When the next one was made, which signs from then on; `nil` for the newest.
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
    /// The store is read again for a key that is not known, at most once in so many seconds.
    private static let readingInterval = 1.0

    private let store: any AccountStore
    private let wrapping: KeyWrapping?
    private let memory: TimeInterval
    private let keyLifetime: TimeInterval
    private let state: Mutex<State>

    private struct State {
        /// The newest last; never empty.
        var keys: [Key]
        /// When the last reading of the store began.
        var read: Date
        /// How many readings have begun.
        var begun = 0
        /// The number of the reading that the keys are of.
        var kept = 0

        mutating func begin(at now: Date) -> Int {
            read = now
            begun += 1
            return begun
        }
    }

    /// Reads the keys of a store, and makes one where there is none or the newest is too old.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: What encrypts keys in the store; `nil` to keep them as they are.
    ///   - memory: For how long after a key was replaced something that it signed may hold, in seconds.
    ///   - keyLifetime: How often there is a new key, in seconds.
    ///   - now: The time.
    /// - Throws: `configurationInvalid` for keys that are encrypted with another key, and what the store throws.
    init(
        _ store: any AccountStore,
        wrapping: KeyWrapping? = nil,
        memory: TimeInterval,
        keyLifetime: TimeInterval,
        at now: Date
    ) async throws(EarshotError) {
        self.store = store
        self.wrapping = wrapping
        self.memory = memory
        self.keyLifetime = keyLifetime
        let keys = try await Self.rotated(store, wrapping, memory, keyLifetime, at: now)
        state = Mutex(State(keys: keys, read: now))
    }

    /// The key that signs.
    var newest: Key { state.withLock { $0.keys[$0.keys.count - 1] } }

    /// All keys that are accepted, the newest first.
    var accepted: [Key] { state.withLock { $0.keys.reversed() } }

    /// The key of a name; `nil` if there is none. One that another process has made is found.
    func key(_ name: String, at now: Date) async throws(EarshotError) -> Key? {
        let (known, reading): (Key?, Int?) = state.withLock { state in
            let known = state.keys.first { $0.name == name }
            guard known == nil, abs(now.timeIntervalSince(state.read)) >= Self.readingInterval else {
                return (known, nil)
            }
            // Of many requests at once that name keys which are none, one reads.
            return (nil, state.begin(at: now))
        }
        guard let reading else { return known }
        keep(try await Self.keys(store, wrapping), of: reading)
        return state.withLock { $0.keys.first { $0.name == name } }
    }

    /// Makes a new key where the newest is too old, and forgets those of which nothing holds any longer.
    func rotate(at now: Date) async throws(EarshotError) {
        let reading = beginReading(at: now)
        keep(try await Self.rotated(store, wrapping, memory, keyLifetime, at: now), of: reading)
    }

    /// Makes a new key.
    ///
    /// - Parameter isRevoking: Whether the others are forgotten at once, and all that they signed with them.
    func renew(revoking isRevoking: Bool, at now: Date) async throws(EarshotError) {
        let others = try await Self.names(store)
        try await Self.make(store, wrapping, after: others.last?.made, at: now)
        if isRevoking {
            for (name, _) in others { try await store.setValue(nil, for: name) }
        }
        try await rotate(at: now)
    }

    /// Reads the keys again, which another process may have changed.
    func reload(at now: Date) async throws(EarshotError) {
        let reading = beginReading(at: now)
        keep(try await Self.keys(store, wrapping), of: reading)
    }

    /// Begins to read the store.
    ///
    /// - Returns: The number of the reading.
    func beginReading(at now: Date) -> Int { state.withLock { $0.begin(at: now) } }

    /// Takes the keys of a reading, unless a later one is done: keys that were ended since would be accepted again, and sign.
    func keep(_ keys: [Key], of reading: Int) {
        // Without a key nothing could be signed: a store that has none, because another process is about to make one, is no news.
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
        let names = try await names(store)
        if names.last.map({ now.timeIntervalSince($0.made) >= keyLifetime }) ?? true {
            try await make(store, wrapping, after: names.last?.made, at: now)
        }
        for (index, entry) in names.enumerated().dropLast()
        where now.timeIntervalSince(names[index + 1].made) > memory {
            try await store.setValue(nil, for: entry.name)
        }
        return try await keys(store, wrapping)
    }

    private static func make(
        _ store: any AccountStore,
        _ wrapping: KeyWrapping?,
        after last: Date?,
        at now: Date
    ) async throws(EarshotError) {
        // Names have whole seconds, and the newest is told by them.
        let made = max(now.timeIntervalSince1970, (last?.timeIntervalSince1970 ?? 0) + 1)
        let name = "\(prefix)\(Int(made))-\(Secrets.text(6))"
        let bytes = Secrets.bytes(32)
        try await store.setValue(try wrapping?.wrapped(bytes, name: name) ?? bytes, for: name)
    }

    /// Returns whether a store has keys that are not encrypted.
    static func hasUnwrappedKeys(_ store: any AccountStore) async throws(EarshotError) -> Bool {
        for (name, _) in try await names(store) {
            if let value = try await store.value(name), !KeyWrapping.isWrapped(value) { return true }
        }
        return false
    }

    private static func names(_ store: any AccountStore) async throws(EarshotError) -> [(name: String, made: Date)] {
        try await store.valueNames(beginning: prefix).compactMap { name in
            let seconds = name.dropFirst(prefix.count).prefix { $0 != "-" }
            return Double(seconds).map { (name, Date(timeIntervalSince1970: $0)) }
        }.sorted { ($0.made, $0.name) < ($1.made, $1.name) }
    }

    private static func keys(_ store: any AccountStore, _ wrapping: KeyWrapping?) async throws(EarshotError) -> [Key] {
        var keys: [Key] = []
        for (name, made) in try await names(store) {
            guard let stored = try await store.value(name) else { continue }
            let bytes = try KeyWrapping.unwrapped(stored, name: name, with: wrapping)
            if let wrapping, !KeyWrapping.isWrapped(stored) {
                try await store.setValue(try wrapping.wrapped(bytes, name: name), for: name)
            }
            if !keys.isEmpty { keys[keys.count - 1].replaced = made }
            keys.append(Key(name: name, made: made, bytes: bytes))
        }
        return keys
    }
}
