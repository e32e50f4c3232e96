import EarshotPieces
import Foundation

/// An RSS 2.0 feed of pieces, each with its audio.
struct PieceFeedPage: Page {
    static let template = "feed"

    struct Entry: Sendable {
        let title: String
        let address: String
        let id: String
        let date: String
        let author: String
        let description: String
        let audio: String
        let size: Int
        let type: String
    }

    let base: String
    /// The date of the newest piece.
    let date: String
    let entries: [Entry]

    init(_ entries: [PieceFeeds.Entry], now: Date, base: String) {
        let links = PieceLinks(base: base)
        self.base = base
        date = Self.text(entries.first?.piece.createdAt ?? now)
        self.entries = entries.map { entry in
            Entry(
                title: entry.piece.title,
                address: entry.piece.address.absoluteString,
                id: entry.piece.id.description,
                date: Self.text(entry.piece.createdAt),
                author: entry.piece.author,
                description: entry.piece.description,
                audio: links.audio(entry.piece),
                size: entry.size,
                type: entry.type
            )
        }
    }

    /// Returns a date by RFC 822, with a year of four digits.
    static func text(_ date: Date) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return
            "\(days[((parts.weekday ?? 1) - 1) % 7]), \(two(parts.day)) \(months[((parts.month ?? 1) - 1) % 12]) \(parts.year ?? 1970) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }
}
