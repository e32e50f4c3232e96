import EarshotCore
import EarshotRecognition
import Foundation

/// Issues tokens and tells for whom they speak.
///
/// Tokens are signed with the newest key and accepted with every key that may have signed one that is still valid. Keys
/// are in the store, so tokens outlive a restart.
actor TokenIssuer {
    private static let prefix = "key/"
    /// A token from the future by more than this is refused. The clocks of two machines on one store differ a little.
    private static let clockDifference = 60.0

    private let store: any AccountStore
    private let lifetime: TimeInterval
    private let keyLifetime: TimeInterval
    private var keys: [String: Seal] = [:]
    /// The keys' names with the times at which they were made, the newest last.
    private var names: [(name: String, made: Date)] = []

    init(_ store: any AccountStore, lifetime: TimeInterval, keyLifetime: TimeInterval) {
        self.store = store
        self.lifetime = lifetime
        self.keyLifetime = keyLifetime
    }

    /// Reads the keys, makes one where the newest is too old, and forgets those that no valid token was signed with.
    ///
    /// - Parameter isForced: Whether to make a new key in any case.
    func rotate(at now: Date, isForced: Bool = false) async throws(EarshotError) {
        var names = try await storedNames()
        if isForced || names.last.map({ now.timeIntervalSince($0.made) >= keyLifetime }) ?? true {
            let name = "\(Self.prefix)\(Int(now.timeIntervalSince1970))-\(Secrets.text(6))"
            try await store.setValue(Secrets.bytes(32), for: name)
            names.append((name, now))
        }
        // A key signs until the next one is made; the last token that it signed is valid for a lifetime after that.
        for (index, entry) in names.enumerated().dropLast()
        where now.timeIntervalSince(names[index + 1].made) > lifetime {
            try await store.setValue(nil, for: entry.name)
        }
        try await load()
    }

    private func storedNames() async throws(EarshotError) -> [(name: String, made: Date)] {
        try await store.valueNames(beginning: Self.prefix).compactMap { name in
            let seconds = name.dropFirst(Self.prefix.count).prefix { $0 != "-" }
            return Double(seconds).map { (name, Date(timeIntervalSince1970: $0)) }
        }.sorted { ($0.made, $0.name) < ($1.made, $1.name) }
    }

    private func load() async throws(EarshotError) {
        let names = try await storedNames()
        var keys: [String: Seal] = [:]
        for (name, _) in names {
            if let bytes = try await store.value(name) { keys[name] = Seal(key: bytes) }
        }
        self.keys = keys
        self.names = names
    }

    /// Issues a token.
    func token(client: String, user: String?, at now: Date) throws(EarshotError) -> String {
        guard let newest = names.last?.name, let seal = keys[newest] else {
            throw EarshotError(.internalError, "The service has no key to sign tokens with.")
        }
        let claims = WebToken.Claims(
            sub: client,
            uid: user,
            exp: now.timeIntervalSince1970 + lifetime,
            iat: now.timeIntervalSince1970
        )
        do {
            return try WebToken.text(claims, key: newest, seal: seal)
        } catch {
            throw EarshotError(.internalError, "A token could not be signed.", cause: error)
        }
    }

    /// The client and the user for which a token speaks.
    ///
    /// - Throws: `tokenRejected`.
    func claims(of text: String, at now: Date) throws(EarshotError) -> (client: String, user: String?) {
        guard let token = WebToken(text), let seal = keys[token.key], let claims = token.claims(sealedWith: seal),
            claims.iat <= now.timeIntervalSince1970 + Self.clockDifference
        else { throw EarshotError(.tokenRejected, "The token is not one of this service: ask for a new one.") }
        guard claims.exp > now.timeIntervalSince1970 else {
            throw EarshotError(.tokenRejected, "The token has expired: ask for a new one.")
        }
        return (claims.sub, claims.uid)
    }
}
