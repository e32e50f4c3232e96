import EarshotCore
import EarshotRecognition

/// Decides whether a sender may use an endpoint.
enum AccessControl {
    /// Returns `true` if an endpoint does not look at tokens.
    static func isOpen(_ endpoint: Endpoint, _ settings: ServiceSettings) -> Bool {
        endpoint.access == .open || endpoint.access == .covers && settings.coverArtAccess == .everybody
    }

    /// Refuses a sender that may not use an endpoint.
    ///
    /// - Throws: `accessDenied`.
    static func check(_ identity: Identity, for endpoint: Endpoint) throws(EarshotError) {
        try check(identity, endpoint.access)
        if let module = endpoint.module, !identity.modules.contains(module) {
            throw EarshotError(
                .accessDenied,
                "The client or user is not entitled to \(module.rawValue): use a client identifier for which it is enabled."
            )
        }
        if let entitlement = endpoint.entitlement, !identity.entitlements.contains(entitlement) {
            throw EarshotError(
                .accessDenied,
                "The client is not entitled to \(entitlement.rawValue): the operator can grant it."
            )
        }
    }

    /// Refuses a sender that a kind of access does not admit.
    ///
    /// - Throws: `accessDenied`.
    static func check(_ identity: Identity, _ access: Endpoint.Access) throws(EarshotError) {
        switch access {
        case .open, .client, .covers, .reader, .page, .visitor: break
        case .user:
            guard identity.user != nil else {
                throw EarshotError(
                    .accessDenied,
                    "This request needs the token of a user: register one with POST /v1/users, and ask for a token with its serialized form."
                )
            }
        case .right(let right):
            guard identity.rights.contains(right) else {
                throw EarshotError(
                    .accessDenied,
                    "This client does not have the right \(right.rawValue): the operator can give it."
                )
            }
        case .admin:
            guard case .admin = identity else {
                throw EarshotError(.accessDenied, "Only the operator may make this request: log in as the operator.")
            }
        }
    }
}
