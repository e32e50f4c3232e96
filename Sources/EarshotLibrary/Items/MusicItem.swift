public import EarshotCore
public import EarshotMusic
public import Foundation

/// An item of a music library: its metadata and, if it has one, the address of its asset.
///
/// Absent values are `nil`, never an empty text: a text without a visible character becomes `nil`, and so does a number
/// below 1. Texts are kept as given, in any script.
public struct MusicItem: Hashable, Sendable, Identifiable {
    /// The identifier.
    public let id: ItemID
    /// The address of the asset; `nil` for an item that is not on this device, such as one in a cloud.
    public var assetURL: URL?
    /// The kind of item.
    public var kind: MediaKind
    /// The title; `nil` if unknown.
    public var title: String? { didSet { title = Self.present(title) } }
    /// The artist; `nil` if unknown.
    public var artist: String? { didSet { artist = Self.present(artist) } }
    /// The title of the album; `nil` if unknown.
    public var album: String? { didSet { album = Self.present(album) } }
    /// The album artist; `nil` if unknown.
    public var albumArtist: String? { didSet { albumArtist = Self.present(albumArtist) } }
    /// The album, by an identifier of a catalog or an earlier answer. Items that share it are of one album, whatever their
    /// texts say.
    public var albumID: EntityID<Album>?
    /// The composer; `nil` if unknown.
    public var composer: String? { didSet { composer = Self.present(composer) } }
    /// The genre, as the item's tags write it; `nil` if unknown.
    public var genre: String? { didSet { genre = Self.present(genre) } }
    /// The number of the disc in its set, counted from 1; `nil` if unknown.
    public var discNumber: Int? { didSet { discNumber = Self.present(discNumber) } }
    /// The track's number on its disc, counted from 1; `nil` if unknown.
    public var trackNumber: Int? { didSet { trackNumber = Self.present(trackNumber) } }
    /// The year of publication; `nil` if unknown.
    public var year: Int? { didSet { year = Self.present(year) } }
    /// The duration; `nil` if it is not known.
    public var duration: MediaTime? { didSet { duration = Self.present(duration) } }

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - assetURL: The address of the asset.
    ///   - kind: The kind of item.
    ///   - title: The title.
    ///   - artist: The artist.
    ///   - album: The title of the album.
    ///   - albumArtist: The album artist.
    ///   - albumID: The album, by an identifier of a catalog.
    ///   - composer: The composer.
    ///   - genre: The genre.
    ///   - discNumber: The number of the disc in its set, counted from 1; `nil` if unknown.
    ///   - trackNumber: The track's number on its disc, counted from 1; `nil` if unknown.
    ///   - year: The year of publication.
    ///   - duration: The duration.
    public init(
        id: ItemID,
        assetURL: URL? = nil,
        kind: MediaKind = .song,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        albumArtist: String? = nil,
        albumID: EntityID<Album>? = nil,
        composer: String? = nil,
        genre: String? = nil,
        discNumber: Int? = nil,
        trackNumber: Int? = nil,
        year: Int? = nil,
        duration: MediaTime? = nil
    ) {
        self.id = id
        self.assetURL = assetURL
        self.kind = kind
        self.title = Self.present(title)
        self.artist = Self.present(artist)
        self.album = Self.present(album)
        self.albumArtist = Self.present(albumArtist)
        self.albumID = albumID
        self.composer = Self.present(composer)
        self.genre = Self.present(genre)
        self.discNumber = Self.present(discNumber)
        self.trackNumber = Self.present(trackNumber)
        self.year = Self.present(year)
        self.duration = Self.present(duration)
    }

    /// Returns the address of the asset.
    ///
    /// - Throws: `assetUnavailable` if the item has no address on this device.
    public func requireAsset() throws(EarshotError) -> URL {
        guard let assetURL else {
            throw EarshotError(
                .assetUnavailable,
                "\"\(title ?? id.rawValue)\" has no file here: download it, or choose another item."
            )
        }
        return assetURL
    }

    /// The name of the item's file as a title: without its extension, underscores as blanks. `nil` if it has no file, or a file
    /// without a visible name.
    public var fileTitle: String? {
        guard let name = assetURL?.deletingPathExtension().lastPathComponent else { return nil }
        let words = name.replacingScalars(["_": " "]).split(separator: " ")
        return Self.present(words.joined(separator: " "))
    }

    // MARK: - Absence

    private static func present(_ text: String?) -> String? {
        guard let text, text.unicodeScalars.contains(where: isVisible) else { return nil }
        return text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value > 0x20 && scalar.value != 0x7F }
        let properties = scalar.properties
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && ![.control, .format].contains(properties.generalCategory)
    }

    private static func present(_ number: Int?) -> Int? { number.flatMap { $0 >= 1 ? $0 : nil } }

    private static func present(_ duration: MediaTime?) -> MediaTime? {
        duration.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil }
    }
}
