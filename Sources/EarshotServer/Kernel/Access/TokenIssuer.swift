import EarshotCore
import Foundation

/// Issues tokens, and determines the bearers of tokens.
///
/// An actor, so that requests queue here before anything else is done for them. Otherwise new requests delay the steps of those that are
/// being handled: at four times the load that is admitted, a quarter fewer were answered.
actor TokenIssuer {
    /// The sender for whom a token speaks.
    struct Bearer: Equatable, Sendable {
        let client: String
        let user: String?
        /// The time at which the token was issued.
        let issued: Date
    }

    nonisolated let keyring: Keyring
    /// The validity of a token, in seconds.
    nonisolated let lifetime: TimeInterval

    init(keyring: Keyring, lifetime: TimeInterval) {
        self.keyring = keyring
        self.lifetime = lifetime
    }

    /// Issues a token.
    nonisolated func token(client: String, user: String?, at now: Date) async throws(EarshotError) -> String {
        await keyring.refresh()
        let key = keyring.signing(at: now)
        let claims = WebToken.Claims(
            sub: client,
            uid: user,
            exp: now.timeIntervalSince1970 + lifetime,
            iat: now.timeIntervalSince1970
        )
        do {
            return try WebToken.text(claims, key: key.name, seal: key.tokens)
        } catch {
            throw EarshotError(.internalError, "A token could not be signed.", cause: error)
        }
    }

    /// Returns the client, and the user, of a token.
    ///
    /// A key signs from its creation until the next one is created. A token with other times, or a longer validity, was signed by somebody who
    /// has stolen the key, and is refused.
    ///
    /// - Throws: `tokenRejected`, and what the store of the keys throws.
    func bearer(of text: String, at now: Date) async throws(EarshotError) -> Bearer {
        guard let token = WebToken(text), let key = try await keyring.key(token.key, at: now),
            let claims = token.claims(sealedWith: key.tokens), isPlausible(claims, key, at: now)
        else {
            throw EarshotError(
                .tokenRejected,
                "The token was not issued by this service: ask for a new one with POST /v1/tokens."
            )
        }
        guard claims.exp > now.timeIntervalSince1970 else {
            throw EarshotError(.tokenRejected, "The token has expired: ask for a new one with POST /v1/tokens.")
        }
        return Bearer(client: claims.sub, user: claims.uid, issued: Date(timeIntervalSince1970: claims.iat))
    }

    private func isPlausible(_ claims: WebToken.Claims, _ key: Keyring.Key, at now: Date) -> Bool {
        let signing = min(key.replaced ?? now, now).timeIntervalSince1970 + Keyring.clockDifference
        let made = key.made.timeIntervalSince1970
        // A key that was made while the clock was ahead signs before the time in its name.
        let isAhead = made > now.timeIntervalSince1970 + Keyring.clockDifference
        return claims.iat <= signing && (isAhead || claims.iat >= made - Keyring.clockDifference)
            // Half a second of tolerance for times that were rounded when they were written in decimals.
            && claims.exp - claims.iat <= lifetime + 0.5
    }
}
