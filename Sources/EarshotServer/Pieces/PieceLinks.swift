import EarshotCore
import EarshotPieces
import Foundation

/// The addresses of a piece's files.
struct PieceLinks: Sendable {
    /// The address of the service.
    let base: String

    func audio(_ piece: Piece) -> String { base + Self.audioPath(piece) }

    /// Returns the path of the audio that pages play. Without a host, because pages of the service load nothing from other hosts.
    static func audioPath(_ piece: Piece) -> String { "/v1/pieces/\(piece.id)/audio?kind=preview" }

    /// Returns the path of the cover; `nil` for a piece without one.
    static func coverPath(_ piece: Piece) -> String? { piece.hasCover ? "/v1/pieces/\(piece.id)/cover" : nil }

    func stem(_ piece: Piece, _ name: String) -> String {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/v1/pieces/\(piece.id)/audio?name=\(query)"
    }

    /// Returns the path of the page of an author.
    static func author(_ name: String) -> String {
        "/authors/" + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Returns the address of the cover; `nil` for a piece without one.
    func cover(_ piece: Piece) -> String? { Self.coverPath(piece).map { base + $0 } }

    /// Returns the HTML with which other sites embed a piece. Width and height are in pixels.
    func frame(_ piece: Piece, width: Int = 480, height: Int = 160) -> String {
        "<iframe src=\"\(MarkupText.html(base))/embed/\(piece.id)\" width=\"\(width)\" height=\"\(height)\" "
            + "style=\"border: 0\" title=\"\(MarkupText.html(piece.title))\"></iframe>"
    }
}

/// Formats numbers of pieces for people.
enum PieceFormat {
    /// Returns a duration in minutes and seconds: `1:05`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(exactly: seconds.rounded()) ?? 0
        let (minutes, rest) = (whole / 60, whole % 60)
        return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Returns a number without needless decimals: `120`, `90.5`.
    static func number(_ value: Double) -> String {
        Int(exactly: value).map { String($0) } ?? String(value)
    }
}
