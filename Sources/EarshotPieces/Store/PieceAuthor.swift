public import Foundation

/// An author of pieces.
public struct PieceAuthor: Hashable, Sendable, Identifiable {
    /// The identifier of the author, which does not change with the name.
    public let id: String
    /// The name, which is unique regardless of letter case.
    public var name: AuthorName
    /// The password hash; `nil` for an author without a password, who cannot log in.
    public var password: Data?
    /// The time at which the author was created.
    public let created: Date

    /// Creates an author.
    public init(id: String, name: AuthorName, password: Data? = nil, created: Date) {
        self.id = id
        self.name = name
        self.password = password
        self.created = created
    }
}
