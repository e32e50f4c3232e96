import EarshotPieces
import Foundation

/// A page of a list of pieces.
struct PieceListPage: Page {
    static let template = "pieces"

    struct Row: Sendable {
        let cover: String?
        let address: String
        let title: String
        let author: String
        /// The address of the page of the author; `nil` on that page.
        let authorAddress: String?
        /// The visibility; `nil` for a listed piece.
        let visibility: String?
        /// The known properties, as text.
        let brief: String
    }

    let title: String
    let base: String
    /// The address of the page of the reader's own pieces; `nil` for readers that publish none, and on that page.
    let own: String?
    /// `true` if all pieces are of one author.
    let isOfAuthor: Bool
    let pieces: [Row]
    let hasPieces: Bool
    /// The searched words; empty for none.
    let words: String
    /// The address of the next page; `nil` at the end.
    let next: String?

    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - author: The name of their author; `nil` for pieces of all.
    ///   - reader: The name as which the reader publishes; `nil` for none.
    ///   - words: The searched words.
    ///   - next: The address of the next page; `nil` at the end.
    ///   - base: The address of the service.
    ///   - texts: The words of the page.
    init(
        _ pieces: [Piece],
        author: String? = nil,
        reader: String?,
        words: String?,
        next: String?,
        base: String,
        texts: PieceTexts
    ) {
        title = author ?? texts("pieces")
        isOfAuthor = author != nil
        own = author == nil ? reader.map(PieceLinks.author) : nil
        self.base = base
        self.pieces = pieces.map { piece in
            Row(
                cover: PieceLinks.coverPath(piece),
                address: "/pieces/\(piece.id)",
                title: piece.title,
                author: piece.author,
                authorAddress: author == nil ? PieceLinks.author(piece.author) : nil,
                visibility: piece.visibility == .listed ? nil : texts(piece.visibility.rawValue),
                brief: Self.brief(piece, texts)
            )
        }
        hasPieces = !pieces.isEmpty
        self.words = words ?? ""
        self.next = next
    }

    private static func brief(_ piece: Piece, _ texts: PieceTexts) -> String {
        var parts = [PieceFormat.time(piece.length.seconds)]
        if piece.tonality != .unknown { parts.append(texts.key(piece)) }
        if let tempo = piece.tempo {
            parts.append(texts("beats", ["number": PieceFormat.number(tempo.beatsPerMinute)]))
        }
        if piece.loop != nil { parts.append(texts("isLoop")) }
        return parts.joined(separator: ", ")
    }
}
