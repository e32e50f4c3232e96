package import EarshotPieces
package import Foundation

/// Pieces for tests.
package enum PieceSamples {
    /// An evening in January 2027.
    package static let evening = Date(timeIntervalSince1970: 1_800_000_000)

    /// A draft that is well.
    package static func draft(
        _ title: String = "Morning Rail",
        length: Microseconds = 40_000_000,
        tempo: Double? = nil,
        tonality: Tonality = .unknown,
        basedOn: [PieceID] = []
    ) throws -> PieceDraft {
        try PieceDraft(
            title: title,
            length: length,
            tempo: tempo.map { FixedTempo($0) },
            basedOn: basedOn,
            tonality: tonality
        )
    }

    /// A draft of which everything is said.
    package static func full(basedOn: [PieceID] = []) throws -> PieceDraft {
        try PieceDraft(
            title: "Ünïcode 錫の狐 🦊",
            length: 100_000_000,
            tempo: FixedTempo(120.0006),
            loop: LoopMarkers(start: 0, end: 500_000),
            timeSignature: TimeSignature(upper: 8, lower: 4),
            basedOn: basedOn,
            tonality: .tonal(ScaleMask(rawValue: 2477), root: .c)
        )
    }

    /// A part.
    package static func part(_ kind: PartKind = .stem, id: String = UUID().uuidString) -> StoredPart {
        StoredPart(
            id: id,
            kind: kind,
            size: 100,
            sha256: String(repeating: "0", count: 64),
            format: kind == .stem ? .wave : nil,
            fileName: kind == .attachment ? "project.xyz" : nil,
            mediaType: "application/octet-stream"
        )
    }

    /// A piece that begins.
    package static func piece(
        _ draft: PieceDraft? = nil,
        by author: String = "author-1",
        visibility: Piece.Visibility = .listed,
        begun: Date = evening,
        parts: [StoredPart] = []
    ) throws -> PieceRecord {
        PieceRecord(
            author: author,
            draft: try draft ?? self.draft(),
            description: "Words.",
            visibility: visibility,
            begun: begun,
            parts: parts
        )
    }
}
