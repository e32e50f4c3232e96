import EarshotPieces
import Foundation

/// A part of the listed pieces.
struct PieceListPage: Page {
    static let template = "pieces"

    struct Row: Sendable {
        let cover: String?
        let address: String
        let title: String
        let author: String
        /// The properties that are known.
        let brief: String
    }

    let title = "Pieces"
    let base: String
    let pieces: [Row]
    let hasPieces: Bool
    /// The words that were searched for.
    let words: String
    /// The address of the next part; `nil` at the end.
    let next: String?

    init(_ pieces: [Piece], words: String?, next: String?, base: String) {
        let links = PieceLinks(base: base)
        self.base = base
        self.pieces = pieces.map { piece in
            Row(
                cover: links.cover(piece),
                address: piece.address.absoluteString,
                title: piece.title,
                author: piece.author,
                brief: Self.brief(piece)
            )
        }
        hasPieces = !pieces.isEmpty
        self.words = words ?? ""
        self.next = next
    }

    private static func brief(_ piece: Piece) -> String {
        var parts = [PieceFormat.time(piece.length.seconds)]
        if piece.tonality != .unknown { parts.append(piece.label) }
        if let tempo = piece.tempo { parts.append("\(PieceFormat.number(tempo.beatsPerMinute)) BPM") }
        if piece.loop != nil { parts.append("loop") }
        return parts.joined(separator: ", ")
    }
}
