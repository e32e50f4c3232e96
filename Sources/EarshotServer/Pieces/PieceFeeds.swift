import EarshotCore
import EarshotPieces
import Foundation

/// Pieces in the forms that other programs read: RSS, ActivityStreams, oEmbed.
struct PieceFeeds: Sendable {
    /// How the service is reached.
    let base: String

    /// A sound with what a feed says of it.
    struct Entry: Sendable {
        let piece: Piece
        /// The sound that is played: its size in bytes, and its type.
        let size: Int
        let type: String
    }

    private func sound(_ piece: Piece) -> String { "\(base)/v1/pieces/\(piece.id)/audio?kind=preview" }

    // MARK: - RSS

    /// RSS 2.0, each piece with its sound.
    func rss(_ entries: [Entry], now: Date) -> String {
        func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
        let items = entries.map { entry in
            let piece = entry.piece
            return """
                <item>
                <title>\(escaped(piece.title))</title>
                <link>\(escaped(piece.address.absoluteString))</link>
                <guid isPermaLink="false">urn:uuid:\(piece.id)</guid>
                <pubDate>\(Self.date(piece.createdAt))</pubDate>
                <dc:creator>\(escaped(piece.author))</dc:creator>
                <description>\(escaped(piece.description))</description>
                <enclosure url="\(escaped(sound(piece)))" length="\(entry.size)" type="\(escaped(entry.type))"/>
                </item>
                """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
            <channel>
            <title>Pieces</title>
            <link>\(escaped(base))/pieces</link>
            <description>Musical pieces that were published last</description>
            <atom:link href="\(escaped(base))/pieces.rss" rel="self" type="application/rss+xml"/>
            <lastBuildDate>\(Self.date(entries.first?.piece.createdAt ?? now))</lastBuildDate>
            \(items.joined(separator: "\n"))
            </channel>
            </rss>

            """
    }

    /// A date by RFC 822, with a year of four digits.
    static func date(_ date: Date) -> String {
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

    // MARK: - ActivityStreams

    /// A piece as an `Audio` object.
    func audio(_ entry: Entry, withContext: Bool = true) -> JSONValue {
        let piece = entry.piece
        var object: [String: JSONValue] = [
            "type": "Audio", "id": .string("\(base)/pieces/\(piece.id)/activity.json"),
            "name": .string(piece.title), "published": .string(piece.createdAt.ISO8601Format()),
            "duration": .string("PT\(HTMLPage.number(piece.length.seconds))S"),
            "attributedTo": ["type": "Person", "name": .string(piece.author)],
            "url": [
                ["type": "Link", "href": .string(piece.address.absoluteString), "mediaType": "text/html"],
                ["type": "Link", "href": .string(sound(piece)), "mediaType": .string(entry.type)],
            ],
        ]
        if withContext { object["@context"] = "https://www.w3.org/ns/activitystreams" }
        // The content of an object is HTML, and what people write is none.
        if !piece.description.isEmpty { object["content"] = .string(HTMLPage.escaped(piece.description)) }
        if piece.hasCover {
            object["image"] = ["type": "Image", "url": .string("\(base)/v1/pieces/\(piece.id)/cover")]
        }
        if !piece.basedOn.isEmpty {
            object["tag"] = .array(
                piece.basedOn.map { ["type": "Link", "href": .string("\(base)/pieces/\($0)"), "rel": "derivedFrom"] }
            )
        }
        return .object(object)
    }

    /// Pieces as an `OrderedCollection`, the one published last first.
    func collection(_ entries: [Entry], total: Int) -> JSONValue {
        [
            "@context": "https://www.w3.org/ns/activitystreams", "type": "OrderedCollection",
            "id": .string("\(base)/pieces.activity.json"), "totalItems": .integer(total),
            "orderedItems": .array(entries.map { audio($0, withContext: false) }),
        ]
    }

    // MARK: - oEmbed

    /// A piece by oEmbed 1.0.
    ///
    /// - Parameters:
    ///   - width: The most pixels that it may be wide.
    ///   - height: The most pixels that it may be high.
    func oEmbed(_ piece: Piece, width: Int?, height: Int?) -> JSONValue {
        let (width, height) = (min(480, width ?? 480), min(160, height ?? 160))
        let frame =
            "<iframe src=\"\(HTMLPage.escaped(base))/embed/\(piece.id)\" width=\"\(width)\" height=\"\(height)\" "
            + "style=\"border: 0\" title=\"\(HTMLPage.escaped(piece.title))\"></iframe>"
        var object: [String: JSONValue] = [
            "version": "1.0", "type": "rich", "title": .string(piece.title), "author_name": .string(piece.author),
            "provider_name": "Earshot", "provider_url": .string("\(base)/pieces"), "html": .string(frame),
            "width": .integer(width), "height": .integer(height),
        ]
        if piece.hasCover {
            object["thumbnail_url"] = .string("\(base)/v1/pieces/\(piece.id)/cover")
            object["thumbnail_width"] = .integer(CoverImage.side)
            object["thumbnail_height"] = .integer(CoverImage.side)
        }
        return .object(object)
    }
}
