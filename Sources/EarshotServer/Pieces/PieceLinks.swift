import EarshotCore
import EarshotPieces
import Foundation

/// The addresses of a piece's files.
struct PieceLinks: Sendable {
    /// The address of the service.
    let base: String

    func audio(_ piece: Piece) -> String { "\(base)/v1/pieces/\(piece.id)/audio?kind=preview" }

    func stem(_ piece: Piece, _ name: String) -> String {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/v1/pieces/\(piece.id)/audio?name=\(query)"
    }

    /// The cover; `nil` for a piece without one.
    func cover(_ piece: Piece) -> String? { piece.hasCover ? "\(base)/v1/pieces/\(piece.id)/cover" : nil }

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
