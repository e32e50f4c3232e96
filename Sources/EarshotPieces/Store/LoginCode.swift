public import Foundation

/// A single-use code by which an app learns who has logged in.
public struct LoginCode: Hashable, Sendable {
    /// The SHA-256 digest of the code.
    public let digest: Data
    /// The identifier of the client that may use it.
    public let client: String
    /// The identifier of the author who has logged in; `nil` until then.
    public var author: String?
    /// The code that a user enters for a device without a browser; `nil` for a code that an address returns.
    public let userCode: String?
    /// The challenge that the verifier must match, by RFC 7636; `nil` for a code without one.
    public let challenge: String?
    /// The time at which it expires.
    public let expires: Date
    /// `true` if the user refused the login. The code can then no longer be used.
    public var isRefused: Bool

    /// Creates a code.
    public init(
        digest: Data,
        client: String,
        author: String? = nil,
        userCode: String? = nil,
        challenge: String? = nil,
        expires: Date,
        isRefused: Bool = false
    ) {
        self.digest = digest
        self.client = client
        self.author = author
        self.userCode = userCode
        self.challenge = challenge
        self.expires = expires
        self.isRefused = isRefused
    }
}
