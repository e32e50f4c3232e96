import EarshotCore
import EarshotPieces
import Foundation

/// Describes pieces in the forms that other programs read: ActivityStreams and oEmbed.
struct PieceFeeds: Sendable {
    /// The base address of the service.
    let base: String

    /// A piece with the properties of its audio in a feed.
    struct Entry: Sendable {
        let piece: Piece
        /// The size of the preview, in bytes.
        let size: Int
        /// The media type of the preview.
        let type: String
    }

    private var links: PieceLinks { PieceLinks(base: base) }

    // MARK: - ActivityStreams

    /// Returns a piece as an `Audio` object.
    func audio(_ entry: Entry, withContext: Bool = true) -> JSONValue {
        let piece = entry.piece
        var object: [String: JSONValue] = [
            "type": "Audio", "id": .string("\(base)/pieces/\(piece.id)/activity.json"),
            "name": .string(piece.title), "published": .string(piece.createdAt.ISO8601Format()),
            "duration": .string("PT\(PieceFormat.number(piece.length.seconds))S"),
            "attributedTo": ["type": "Person", "name": .string(piece.author)],
            "url": [
                ["type": "Link", "href": .string(piece.address.absoluteString), "mediaType": "text/html"],
                ["type": "Link", "href": .string(links.audio(piece)), "mediaType": .string(entry.type)],
            ],
        ]
        if withContext { object["@context"] = "https://www.w3.org/ns/activitystreams" }
        // The content of an object is HTML, and descriptions are plain text.
        if !piece.description.isEmpty { object["content"] = .string(MarkupText.html(piece.description)) }
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

    /// Returns pieces as an `OrderedCollection`, in their order.
    func collection(_ entries: [Entry], total: Int) -> JSONValue {
        [
            "@context": "https://www.w3.org/ns/activitystreams", "type": "OrderedCollection",
            "id": .string("\(base)/pieces.activity.json"), "totalItems": .integer(total),
            "orderedItems": .array(entries.map { audio($0, withContext: false) }),
        ]
    }

    // MARK: - oEmbed

    /// Returns a piece by oEmbed 1.0.
    ///
    /// - Parameters:
    ///   - width: The maximum width, in pixels; `nil` for 480.
    ///   - height: The maximum height, in pixels; `nil` for 160.
    func oEmbed(_ piece: Piece, width: Int?, height: Int?) -> JSONValue {
        let (width, height) = (min(480, width ?? 480), min(160, height ?? 160))
        var object: [String: JSONValue] = [
            "version": "1.0", "type": "rich", "title": .string(piece.title), "author_name": .string(piece.author),
            "provider_name": "Earshot", "provider_url": .string("\(base)/pieces"),
            "html": .string(links.frame(piece, width: width, height: height)),
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
