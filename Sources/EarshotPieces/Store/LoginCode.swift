public import Foundation

/// A code by which an app learns who has logged in: works once.
public struct LoginCode: Hashable, Sendable {
    /// The SHA-256 digest of the code.
    public let digest: Data
    /// The id of the client that may show it.
    public let client: String
    /// The identifier of the author who has logged in; `nil` as long as nobody has.
    public var author: String?
    /// What a person types in at a device without a browser; `nil` for a code that an address brings back.
    public let userCode: String?
    /// What the verifier comes to that is shown together with the code, by RFC 7636; `nil` for a code that is shown
    /// alone.
    public let challenge: String?
    /// When it is worth nothing any more.
    public let expires: Date
    /// `true` if somebody was asked to log in for it and said no: then nobody can any more.
    public var isRefused: Bool

    /// A code.
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
