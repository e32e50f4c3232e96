package import EarshotCore
package import EarshotRecognition
package import Foundation

/// Renewal of the signing keys in an account store, whether a service runs on it or not.
package enum ServiceKeys {
    /// Creates a new signing key.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: The encryption of the keys in it; `nil` if they are not encrypted.
    ///   - isRevoking: `true` to revoke the other keys at once, with all that they signed.
    ///   - now: The time.
    /// - Throws: `configurationInvalid` for keys that are encrypted with another key, or that a service without `keyFile` keeps as they
    ///   are: it could not read the new one. What the store throws.
    package static func renew(
        in store: any AccountStore,
        wrapping: KeyWrapping?,
        revoking isRevoking: Bool,
        at now: Date
    ) async throws(EarshotError) {
        if wrapping != nil, try await Keyring.hasUnwrappedKeys(store) {
            throw EarshotError(
                .configurationInvalid,
                "The service keeps its keys without keyFile: start it with keyFile once, or leave keyFile out here."
            )
        }
        let keyring = try await Keyring(store, wrapping: wrapping, memory: 7 * 86_400, keyLifetime: .infinity, at: now)
        try await keyring.renew(revoking: isRevoking, at: now)
    }
}
