public import EarshotCore
public import EarshotMusic
public import Foundation

/// A picture or text that is loaded separately from the match that it belongs to.
public enum ContentReference: Hashable, Sendable {
    /// A picture of an album or artist, scaled to a size class.
    case picture(EntityID<Picture>, ImageSize)
    /// A picture in its stored size.
    case original(EntityID<Picture>)
    /// A picture with its own proportions, its longer side at most this number of pixels, 1 to 2,048. Smaller pictures
    /// are not enlarged.
    case scaled(EntityID<Picture>, side: Int)
    /// A picture of a genre, by the identifier of its descriptor.
    case genreArt(String, ImageSize)
    /// The review of an album, in a language; `nil` for the original.
    case review(EntityID<Album>, language: String?)
    /// The biography of an artist, in a language; `nil` for the original.
    case biography(EntityID<Artist>, language: String?)

    /// The reference as one line of text, which ``init(text:)`` parses.
    public var text: String {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return switch self {
        case .picture(let id, let size): "picture/\(escaped(id.rawValue))/\(size.rawValue)"
        case .original(let id): "original/\(escaped(id.rawValue))/"
        case .scaled(let id, let side): "scaled/\(escaped(id.rawValue))/\(side)"
        case .genreArt(let id, let size): "genre/\(escaped(id))/\(size.rawValue)"
        case .review(let id, let language): "review/\(escaped(id.rawValue))/\(language ?? "")"
        case .biography(let id, let language): "biography/\(escaped(id.rawValue))/\(language ?? "")"
        }
    }

    /// Parses a reference from its ``text``; `nil` if the text is malformed.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = String(parts[1]).removingPercentEncoding, !id.isEmpty else { return nil }
        let language = parts[2].isEmpty ? nil : String(parts[2])
        switch parts[0] {
        case "picture":
            guard let size = ImageSize(rawValue: String(parts[2])) else { return nil }
            self = .picture(EntityID(id), size)
        case "original": self = .original(EntityID(id))
        case "scaled":
            guard let side = Int(parts[2]), (1...2_048).contains(side) else { return nil }
            self = .scaled(EntityID(id), side: side)
        case "genre":
            guard let size = ImageSize(rawValue: String(parts[2])) else { return nil }
            self = .genreArt(id, size)
        case "review": self = .review(EntityID(id), language: language)
        case "biography": self = .biography(EntityID(id), language: language)
        default: return nil
        }
    }
}

/// Creates the addresses of content in matches, and resolves them.
public protocol ContentAddresses: Sendable {
    /// Returns an address for content.
    func address(of reference: ContentReference) -> String
    /// Returns the content that an address leads to, or a failure with an HTTP status: 412 for an expired address, 404
    /// for an invalid one.
    func reference(at address: String) -> Result<ContentReference, ContentRefusal>
}

/// The failure to resolve the address of content.
public struct ContentRefusal: Error, Hashable, Sendable {
    /// The HTTP status: 412 for an expired address, 404 for an invalid one.
    public let status: Int

    /// Creates a failure.
    public init(status: Int) {
        self.status = status
    }
}

/// Addresses of content within one process. They do not expire.
public struct PlainContentAddresses: ContentAddresses {
    private static let scheme = "earshot-content:"

    /// Creates the addresses.
    public init() {}

    /// Returns the text of the reference, with the scheme `earshot-content:` in front.
    public func address(of reference: ContentReference) -> String { Self.scheme + reference.text }

    /// Returns the content that an address leads to; a failure with status 404 for an invalid address.
    public func reference(at address: String) -> Result<ContentReference, ContentRefusal> {
        guard address.hasPrefix(Self.scheme),
            let reference = ContentReference(text: address.dropFirst(Self.scheme.count))
        else { return .failure(ContentRefusal(status: 404)) }
        return .success(reference)
    }
}

/// Scales pictures and draws pictures of genres. It is a separate protocol because an implementation needs an image
/// library, which a catalog does not.
public protocol PictureMaker: Sendable {
    /// Scales a picture to fit a square, centered with transparent margins, and returns it as PNG.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes of the picture.
    ///   - size: The size of the square.
    /// - Throws: `assetUnreadable` for bytes that are not a picture.
    func picture(_ bytes: Data, fitting size: ImageSize) async throws(EarshotError) -> Data

    /// Scales a picture with its own proportions, without margins, and returns it as PNG.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes of the picture.
    ///   - longerSide: The length of the longer side, in pixels, 1 to 2,048.
    /// - Throws: `assetUnreadable` for bytes that are not a picture.
    func picture(_ bytes: Data, longerSide: Int) async throws(EarshotError) -> Data

    /// Draws a picture for a genre, and returns it as PNG.
    ///
    /// - Parameters:
    ///   - genre: The identifier of the genre's descriptor.
    ///   - size: The size of the square that it fills.
    func genreArt(_ genre: String, _ size: ImageSize) async throws(EarshotError) -> Data
}
