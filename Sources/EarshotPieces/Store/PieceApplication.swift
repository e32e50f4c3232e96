public import Foundation

/// An app that opens pieces, and that users log in to.
public struct PieceApplication: Hashable, Sendable, Codable, Identifiable {
    /// The identifier, part of the scheme of its addresses; in lower case.
    public let id: String
    /// The name for users.
    public var name: String
    /// The download page; `nil` if none was given.
    public var site: URL?
    /// The id of the client that it asks as.
    public var client: String

    /// An app.
    public init(id: String, name: String, site: URL? = nil, client: String) {
        self.id = id
        self.name = name
        self.site = site
        self.client = client
    }
}
