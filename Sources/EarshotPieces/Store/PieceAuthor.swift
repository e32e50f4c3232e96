public import Foundation

/// Somebody who publishes pieces.
public struct PieceAuthor: Hashable, Sendable, Identifiable {
    /// What the author is known by; it stays when the name changes.
    public let id: String
    /// The name, one of its kind whatever its letter case.
    public var name: AuthorName
    /// What is kept of the password; `nil` for an author who has none, and cannot log in.
    public var password: Data?
    /// When the author came.
    public let created: Date

    /// An author.
    public init(id: String, name: AuthorName, password: Data? = nil, created: Date) {
        self.id = id
        self.name = name
        self.password = password
        self.created = created
    }
}
