package import EarshotCore
package import EarshotRecognition
package import Foundation

/// Renews the keys in a store of accounts, whether a service runs on it or not.
package enum ServiceKeys {
    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: The encryption of the keys in it; `nil` if they are kept as they are.
    ///   - isRevoking: `true` to forget the other keys at once, with all that they signed.
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
