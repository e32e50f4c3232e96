public import EarshotPieces

/// A page of published pieces with the results of their analysis, for the operator: `GET /v1/admin/pieces`.
public struct ModerationPage: Hashable, Sendable, Codable {
    /// A published piece with the results of its analysis.
    public struct Entry: Hashable, Sendable, Codable {
        /// The published piece.
        public var piece: Piece
        /// The results of the piece's analysis.
        public var findings: PieceFindings

        /// Creates an entry.
        public init(piece: Piece, findings: PieceFindings) {
            self.piece = piece
            self.findings = findings
        }
    }

    /// The entries of the page, the latest publication first.
    public var entries: [Entry]
    /// The index of the first entry of the page in the whole list, from 0.
    public var offset: Int
    /// The number of entries in the whole list.
    public var total: Int

    /// Creates a page.
    package init(entries: [Entry], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
