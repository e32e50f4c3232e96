public import Foundation

/// An app that opens pieces and to which users log in.
public struct PieceApplication: Hashable, Sendable, Codable, Identifiable {
    /// The identifier, which is a part of the scheme of its addresses; in lowercase.
    public let id: String
    /// The displayed name.
    public var name: String
    /// The download page; `nil` if none was given.
    public var site: URL?
    /// The identifier of the client that it uses.
    public var client: String

    /// Creates an app.
    public init(id: String, name: String, site: URL? = nil, client: String) {
        self.id = id
        self.name = name
        self.site = site
        self.client = client
    }
}
