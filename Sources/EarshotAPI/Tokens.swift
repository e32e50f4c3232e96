package import EarshotRecognition

/// A request for an access token.
public struct TokenRequest: Hashable, Sendable, Codable {
    /// The client identifier with its secret tag; with a user, the public part alone is enough.
    public var client: String
    /// The serialized form of the user for whom requests will be made; `nil` for the client itself.
    public var user: String?

    /// Creates a request.
    package init(client: String, user: String? = nil) {
        self.client = client
        self.user = user
    }
}

/// The response with an access token, which requests contain as `Authorization: Bearer TOKEN`.
package struct TokenAnswer: Hashable, Sendable, Codable {
    /// The access token.
    package var token: String
    /// The authorization scheme of the token: always `Bearer`.
    package var type: String
    /// The validity of the token, in seconds.
    package var expiresIn: Int
    /// The public part of the client identifier.
    package var client: String
    /// The kinds of content that the client may receive.
    package var entitlements: [Entitlement]

    /// Creates a response.
    package init(token: String, expiresIn: Int, client: String, entitlements: [Entitlement]) {
        self.token = token
        type = "Bearer"
        self.expiresIn = expiresIn
        self.client = client
        self.entitlements = entitlements
    }
}
