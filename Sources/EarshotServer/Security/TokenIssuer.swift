import Crypto
import EarshotCore
import EarshotRecognition
import Foundation
import JWTKit
import Synchronization

/// Gives out tokens and tells whose they are.
///
/// Tokens are signed with the newest key and accepted with every key that may have signed one that is still valid. Keys
/// are in the store, so tokens outlive a restart.
actor TokenIssuer {
    /// What a token says.
    struct Claims: JWTPayload {
        /// The client.
        var sub: SubjectClaim
        /// The user.
        var uid: String?
        var exp: ExpirationClaim
        var iat: IssuedAtClaim
        var aud: AudienceClaim

        static let audience = "earshot"

        func verify(using _: some JWTAlgorithm) throws {
            guard aud.value == [Self.audience] else {
                throw JWTError.claimVerificationFailure(failedClaim: aud, reason: "audience")
            }
        }
    }

    private static let prefix = "key/"

    private let store: any AccountStore
    private let lifetime: TimeInterval
    private let keyLifetime: TimeInterval
    private var keys = JWTKeyCollection()
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
        let keys = JWTKeyCollection()
        let names = try await storedNames()
        for (name, _) in names {
            guard let bytes = try await store.value(name) else { continue }
            await keys.add(
                hmac: HMACKey(key: .init(data: bytes)),
                digestAlgorithm: .sha256,
                kid: JWKIdentifier(string: name)
            )
        }
        self.keys = keys
        self.names = names
    }

    /// A token.
    func token(client: String, user: String?, at now: Date) async throws(EarshotError) -> String {
        guard let newest = names.last?.name else {
            throw EarshotError(.internalError, "The service has no key to sign tokens with.")
        }
        let claims = Claims(
            sub: SubjectClaim(value: client),
            uid: user,
            exp: ExpirationClaim(value: now.addingTimeInterval(lifetime)),
            iat: IssuedAtClaim(value: now),
            aud: AudienceClaim(value: Claims.audience)
        )
        do {
            return try await keys.sign(claims, kid: JWKIdentifier(string: newest))
        } catch {
            throw EarshotError(.internalError, "A token could not be signed.", cause: error)
        }
    }

    /// Whose a token is.
    ///
    /// - Throws: `tokenRejected`.
    func claims(of token: String, at now: Date) async throws(EarshotError) -> (client: String, user: String?) {
        let claims: Claims
        do {
            claims = try await keys.verify(token, as: Claims.self)
        } catch {
            throw EarshotError(.tokenRejected, "The token is not one of this service: ask for a new one.")
        }
        guard claims.exp.value > now else {
            throw EarshotError(.tokenRejected, "The token has expired: ask for a new one.")
        }
        return (claims.sub.value, claims.uid)
    }
}
