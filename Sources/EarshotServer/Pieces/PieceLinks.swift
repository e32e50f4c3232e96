import EarshotCore
import EarshotPieces
import Foundation

/// The addresses of a piece's files.
struct PieceLinks: Sendable {
    /// The address of the service.
    let base: String

    func audio(_ piece: Piece) -> String { base + Self.audioPath(piece) }

    /// The sound that people are played, for pages of the service: they load nothing of other hosts, whatever name they were asked by.
    static func audioPath(_ piece: Piece) -> String { "/v1/pieces/\(piece.id)/audio?kind=preview" }

    /// The cover, for pages of the service; `nil` for a piece without one.
    static func coverPath(_ piece: Piece) -> String? { piece.hasCover ? "/v1/pieces/\(piece.id)/cover" : nil }

    func stem(_ piece: Piece, _ name: String) -> String {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/v1/pieces/\(piece.id)/audio?name=\(query)"
    }

    /// The page of an author.
    static func author(_ name: String) -> String {
        "/authors/" + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// The cover; `nil` for a piece without one.
    func cover(_ piece: Piece) -> String? { Self.coverPath(piece).map { base + $0 } }

    /// The HTML that shows a piece in pages of others.
    func frame(_ piece: Piece, width: Int = 480, height: Int = 160) -> String {
        "<iframe src=\"\(MarkupText.html(base))/embed/\(piece.id)\" width=\"\(width)\" height=\"\(height)\" "
            + "style=\"border: 0\" title=\"\(MarkupText.html(piece.title))\"></iframe>"
    }
}

/// Figures of a piece as people read them.
enum PieceFormat {
    /// A length: `1:05`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(exactly: seconds.rounded()) ?? 0
        let (minutes, rest) = (whole / 60, whole % 60)
        return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// A number: `120`, `90.5`.
    static func number(_ value: Double) -> String {
        Int(exactly: value).map { String($0) } ?? String(value)
    }
}
