public import EarshotPieces

/// The drop of a piece as an action of a system's share sheet. It does the same as
/// ``PieceClient/dropFlow(_:_:description:visibility:)``.
///
/// An activity of the share sheet shows ``title`` and calls ``perform()``.
public struct PieceShareAction: Sendable {
    /// The system's activity type of the action.
    public static let activityType = "earshot.pieces.drop"

    /// The client that publishes the piece.
    public let client: PieceClient
    /// The title and the other details of the piece.
    public let draft: PieceDraft
    /// The providers of audio, cover and attachment.
    public let providers: any DropProviders
    /// The author's description of the piece.
    public let description: String
    /// The visibility of the piece.
    public let visibility: Piece.Visibility

    /// Creates an action. Nothing is sent before it is performed.
    ///
    /// - Parameters:
    ///   - client: The client that publishes the piece.
    ///   - draft: The title and the other details of the piece.
    ///   - providers: The providers of audio, cover and attachment.
    ///   - description: The author's description of the piece.
    ///   - visibility: The visibility of the piece.
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

    /// The title that the system shows for the action.
    public var title: String { "Publish “\(draft.title)”" }

    /// Starts the drop, and returns it.
    public func perform() -> DropFlow {
        client.dropFlow(draft, providers, description: description, visibility: visibility)
    }
}
