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
    /// A key, of which each use has a seal of its own: none says anything of another.
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
    /// The name of the value that names the key that was made last. Whoever changes it makes the next one.
    private static let lastName = "last-key"
    /// The store is read for keys that are not known, at most once in so many seconds.
    private static let readingInterval = 1.0
    /// A key signs when it is so many seconds old, unless there is no other: each node has read it by then, twice as seldom as it does.
    private static let patience = 10.0
    /// Clocks of nodes differ by no more seconds than that.
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
        /// The time at which the last reading of the store began, in seconds of the clock.
        var read: Double
        /// The number of reads that have begun.
        var begun = 0
        /// The number of the reading that the keys are of.
        var kept = 0
        /// A reading for keys that are not known, which has not begun yet.
        var next: Task<EarshotError?, Never>?
    }

    /// Reads the keys of a store, and makes one where there is none or the newest is too old.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: The encryption of keys in the store; `nil` to keep them as they are.
    ///   - memory: For how long after a key was replaced something that it signed may hold, in seconds.
    ///   - keyLifetime: The time after which a new key is made, in seconds.
    ///   - now: The time.
    ///   - clock: By what readings are spaced.
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

    /// The key that signs: one that other nodes know, too.
    func signing(at now: Date) -> Key {
        state.withLock { state in
            let newest = state.keys[state.keys.count - 1]
            let age = now.timeIntervalSince(newest.made)
            // One that was made while the clock was ahead is no new one.
            guard state.keys.count > 1, age < Self.patience, age > -Self.clockDifference else { return newest }
            return state.keys[state.keys.count - 2]
        }
    }

    /// All keys that are accepted, the newest first.
    var accepted: [Key] { state.withLock { $0.keys.reversed() } }

    /// The key of a name; `nil` if there is none. One that another node has just made is found: the store is read for it, at most once in a
    /// second however many names are asked for, and those who ask meanwhile wait.
    func key(_ name: String, at now: Date) async throws(EarshotError) -> Key? {
        let (known, newest) = state.withLock { state in
            (state.keys.first { $0.name == name }, state.keys[state.keys.count - 1].made)
        }
        if let known { return known }
        // A key that is not known is newer than those that are. Other names are made up, and worth no reading.
        guard let made = Self.made(name), made > newest, made <= max(now, newest) + Self.clockDifference else {
            return nil
        }
        if let failure = await nextReading().value { throw failure }
        return state.withLock { $0.keys.first { $0.name == name } }
    }

    /// Reads the keys again if that was done more than a second ago, so that nothing is signed with a key that was ended. While the store is
    /// away the known ones sign.
    func refresh() async {
        let isOld = state.withLock { clock.now.seconds - $0.read >= Self.readingInterval }
        if isOld { _ = await nextReading().value }
    }

    /// The reading that begins next, which finds all that is in the store now.
    private func nextReading() -> Task<EarshotError?, Never> {
        state.withLock { state in
            if let next = state.next { return next }
            let begin = state.read + Self.readingInterval
            let next = Task<EarshotError?, Never> { [self] in
                try? await clock.sleep(until: MediaTime(seconds: begin, preferredTimescale: 1_000_000_000))
                // Those who ask from here on want a later one.
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

    /// Makes a new key where the newest is too old, and forgets those of which nothing holds any longer.
    func rotate(at now: Date) async throws(EarshotError) {
        let reading = beginReading()
        keep(try await Self.rotated(store, wrapping, memory, keyLifetime, at: now), of: reading)
    }

    /// Makes a new key.
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

    /// Reads the keys again, which another process may have changed.
    func reload() async throws(EarshotError) {
        let reading = beginReading()
        keep(try await Self.keys(store, wrapping), of: reading)
    }

    /// Begins to read the store.
    ///
    /// - Returns: The number of the reading.
    func beginReading() -> Int {
        let now = clock.now.seconds
        return state.withLock { state in
            state.read = now
            state.begun += 1
            return state.begun
        }
    }

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
        // Before the names: a key that another node makes from here on is either among them, or in the place of this one.
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

    /// Makes a key in the store. Of several nodes that do at the same moment all make the same one.
    ///
    /// - Parameters:
    ///   - newest: The time at which the newest key was made; `nil` if there is none.
    ///   - last: The value that names the key that was made last, as it was before the names of keys were read.
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
        // Another node may have named a key that it is about to keep. One that it has not kept within a minute it does not keep any more.
        let isBegun = made(name).map { abs(now.timeIntervalSince($0)) < clockDifference && $0 > newest ?? .distantPast }
        if isBegun != true {
            // Names have whole seconds, and the newest is told by them.
            let made = max(now.timeIntervalSince1970, (newest?.timeIntervalSince1970 ?? 0) + 1)
            name = "\(prefix)\(Int(made))-\(Secrets.text(6))"
            let kept = try await store.replaceValue(last, with: Data(name.utf8), for: lastName)
            name = kept.map { String(decoding: $0, as: UTF8.self) } ?? name
        }
        let bytes = Secrets.bytes(32)
        let stored = try wrapping?.wrapped(bytes, name: name) ?? bytes
        // Whoever comes first keeps the key, and the others find it.
        guard try await store.replaceValue(nil, with: stored, for: name) == stored,
            let next = try await store.value(lastName), next != Data(name.utf8)
        else { return name }
        // Others kept this key and ended it meanwhile: it stays ended.
        try await store.setValue(nil, for: name)
        return String(decoding: next, as: UTF8.self)
    }

    /// The time at which the key of a name was made; `nil` if it is no name of a key.
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
                // One that was ended meanwhile stays ended.
                _ = try await store.replaceValue(stored, with: try wrapping.wrapped(bytes, name: name), for: name)
            }
            if !keys.isEmpty { keys[keys.count - 1].replaced = made }
            keys.append(Key(name: name, made: made, bytes: bytes))
        }
        return keys
    }
}
