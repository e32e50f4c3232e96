package import EarshotRecognition

/// Asks for a token.
public struct TokenRequest: Hashable, Sendable, Codable {
    /// The client identifier with its secret; where a user is named, its id alone is enough.
    public var client: String
    /// The serialized form of the user for whom requests will be made; `nil` for the client itself.
    public var user: String?

    /// A request.
    package init(client: String, user: String? = nil) {
        self.client = client
        self.user = user
    }
}

/// A token, to be sent with every request: `Authorization: Bearer TOKEN`.
package struct TokenAnswer: Hashable, Sendable, Codable {
    /// The token.
    package var token: String
    /// The scheme by which it is sent: `Bearer`.
    package var type: String
    /// The validity of the token, in seconds.
    package var expiresIn: Int
    /// The id of the client.
    package var client: String
    /// The entitlements of the client.
    package var entitlements: [Entitlement]

    /// An answer.
    package init(token: String, expiresIn: Int, client: String, entitlements: [Entitlement]) {
        self.token = token
        type = "Bearer"
        self.expiresIn = expiresIn
        self.client = client
        self.entitlements = entitlements
    }
}
