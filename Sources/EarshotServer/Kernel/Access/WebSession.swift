import Foundation

/// A session of a browser in which a user or the operator has signed in.
struct WebSession: Hashable, Sendable, Codable {
    /// The name of the session, by which it is listed and ended.
    let id: String
    /// The SHA-256 digest of the secret in the cookie.
    let secretDigest: Data
    /// The identifier of the user whose history the session uses; `nil` if there is none.
    let user: String?
    /// The digest of the operator's token when the operator signed in; `nil` for others. Another token ends the session.
    let operatorToken: Data?
    /// The start of the session.
    let began: Date
    /// The time of the last use. Written at most every 5 minutes.
    var used: Date
    /// The browser's name for itself: the header `User-Agent`, cut to 200 characters.
    let agent: String
    /// The network address from which the session was begun; `nil` if it is not known.
    let address: String?

    /// `true` if it is a session of the operator.
    var isOperator: Bool { operatorToken != nil }

    /// The validity of a session after its last use, in seconds: 30 days, or 12 hours for the operator's.
    var patience: TimeInterval { isOperator ? 12 * 3_600 : 30 * 86_400 }
    /// The longest validity of a session, in seconds: a year, or 30 days for the operator's.
    var longest: TimeInterval { isOperator ? 30 * 86_400 : 365 * 86_400 }

    /// Returns `true` if the session is valid at a time.
    func holds(at now: Date) -> Bool {
        now.timeIntervalSince(used) < patience && now.timeIntervalSince(began) < longest
    }
}
