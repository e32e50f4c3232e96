public import EarshotPieces

/// Published pieces with the results of their analysis, for the operator: `GET /v1/admin/pieces`.
public struct ModerationPage: Hashable, Sendable, Codable {
    /// One of them.
    public struct Entry: Hashable, Sendable, Codable {
        /// The piece.
        public var piece: Piece
        /// The results of its analysis.
        public var findings: PieceFindings

        /// An entry.
        public init(piece: Piece, findings: PieceFindings) {
            self.piece = piece
            self.findings = findings
        }
    }

    /// The pieces, the one published last first.
    public var entries: [Entry]
    /// The number of entries before these.
    public var offset: Int
    /// The number of all entries.
    public var total: Int

    /// A page.
    package init(entries: [Entry], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
