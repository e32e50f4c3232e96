public import EarshotPieces

/// The drop of a piece as one of the actions that a system offers for sharing: the same flow with the same inputs as
/// ``PieceClient/dropFlow(_:_:description:visibility:)``.
///
/// An activity of a system's share sheet shows ``title`` and calls ``perform()``.
public struct PieceShareAction: Sendable {
    /// What the system tells the action from others by.
    public static let activityType = "earshot.pieces.drop"

    /// Who publishes.
    public let client: PieceClient
    /// What is said of the piece.
    public let draft: PieceDraft
    /// Give its sound, cover and attachment.
    public let providers: any DropProviders
    /// What its author says of it.
    public let description: String
    /// Who may see it.
    public let visibility: Piece.Visibility

    /// An action. Nothing is done before it is performed.
    ///
    /// - Parameters:
    ///   - client: Who publishes.
    ///   - draft: What is said of the piece.
    ///   - providers: Give its sound, cover and attachment.
    ///   - description: What its author says of it.
    ///   - visibility: Who may see it.
    public init(
        _ client: PieceClient,
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String = "",
        visibility: Piece.Visibility = .listed
    ) {
        self.client = client
        self.draft = draft
        self.providers = providers
        self.description = description
        self.visibility = visibility
    }

    /// What people choose it by.
    public var title: String { "Publish “\(draft.title)”" }

    /// Begins the drop.
    public func perform() -> DropFlow {
        client.dropFlow(draft, providers, description: description, visibility: visibility)
    }
}
