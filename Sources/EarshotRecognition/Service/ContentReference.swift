public import EarshotCore
public import EarshotMusic
public import Foundation

/// Content that is loaded after the answer that it belongs to.
public enum ContentReference: Hashable, Sendable {
    /// A cover or the picture of an artist, made to fit a square.
    case picture(EntityID<Picture>, ImageSize)
    /// A picture as it is stored.
    case original(EntityID<Picture>)
    /// A picture in its own shape, its longer side at most this many pixels, 1 to 2,048. A smaller one is not changed.
    case scaled(EntityID<Picture>, side: Int)
    /// Genre art, by the identifier of a descriptor.
    case genreArt(String, ImageSize)
    /// The review of an album, in a language.
    case review(EntityID<Album>, language: String?)
    /// The biography of an artist, in a language.
    case biography(EntityID<Artist>, language: String?)

    /// The reference as one line of text, from which ``init(text:)`` makes it again.
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

    /// A reference from its text; `nil` if the text is not one.
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

/// Makes addresses of content, and resolves them.
public protocol ContentAddresses: Sendable {
    /// An address for content.
    func address(of reference: ContentReference) -> String
    /// The content of an address, or the HTTP status to refuse it with: 412 if it has expired, 404 if it is not valid.
    func reference(at address: String) -> Result<ContentReference, ContentRefusal>
}

/// The refusal of an address.
public struct ContentRefusal: Error, Hashable, Sendable {
    /// The HTTP status: 412 for an expired address, 404 for an invalid one.
    public let status: Int

    /// A refusal.
    public init(status: Int) {
        self.status = status
    }
}

/// Addresses within one process: they do not expire.
public struct PlainContentAddresses: ContentAddresses {
    private static let scheme = "earshot-content:"

    /// The addresses.
    public init() {}

    /// The reference's text behind a scheme.
    public func address(of reference: ContentReference) -> String { Self.scheme + reference.text }

    /// The content of an address.
    public func reference(at address: String) -> Result<ContentReference, ContentRefusal> {
        guard address.hasPrefix(Self.scheme),
            let reference = ContentReference(text: address.dropFirst(Self.scheme.count))
        else { return .failure(ContentRefusal(status: 404)) }
        return .success(reference)
    }
}

/// Makes pictures of the requested size. It is a separate protocol because an implementation needs an image library,
/// which a catalog does not.
public protocol PictureMaker: Sendable {
    /// A picture that fits a square, as PNG: centered, transparent where the picture is not.
    ///
    /// - Throws: `assetUnreadable` for bytes that are no picture.
    func picture(_ bytes: Data, fitting size: ImageSize) async throws(EarshotError) -> Data

    /// A picture in its own shape, without margins, as PNG.
    ///
    /// - Parameters:
    ///   - bytes: The picture's file.
    ///   - longerSide: The length of the longer side, in pixels, 1 to 2,048.
    /// - Throws: `assetUnreadable` for bytes that are no picture.
    func picture(_ bytes: Data, longerSide: Int) async throws(EarshotError) -> Data

    /// Genre art as PNG.
    ///
    /// - Parameters:
    ///   - genre: The identifier of a descriptor.
    ///   - size: The square that it fills.
    func genreArt(_ genre: String, _ size: ImageSize) async throws(EarshotError) -> Data
}
