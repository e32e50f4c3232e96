import Crypto
import EarshotCore
import EarshotRecognition
import EarshotSharedCatalogs
import Foundation

/// The secret by which nodes of a service recognize each other's messages.
enum NodeSecret {
    /// The name of the value in the store of clients.
    static let name = "node-secret"

    /// Returns the seal of the nodes that share a store. The first node creates the secret, and all others read it.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - wrapping: The encryption of secrets in the store; `nil` to keep them as they are.
    /// - Throws: `configurationInvalid` for a secret that is encrypted with another key, `storeDamaged` for one that is too short, and what
    ///   the store throws.
    static func seal(
        in store: any AccountStore,
        wrapping: KeyWrapping?
    ) async throws(EarshotError) -> NodeSeal {
        var kept = try await store.value(name)
        if kept == nil {
            let made = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            let value = try wrapping?.wrapped(made, name: name) ?? made
            kept = try await store.replaceValue(nil, with: value, for: name)
        }
        let secret = try kept.map { value throws(EarshotError) in
            try KeyWrapping.unwrapped(value, name: name, with: wrapping)
        }
        guard let secret, secret.count >= NodeSeal.leastSecret else {
            throw EarshotError(
                .storeDamaged,
                "The secret of the nodes cannot be read: remove the row \(name) of the table of values, and start all nodes again."
            )
        }
        return NodeSeal(secret: secret)
    }
}
