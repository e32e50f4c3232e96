public import EarshotCore
public import Foundation

/// An entry of a playlist: an address, and what the playlist says of it.
public struct PlaylistEntry: Hashable, Sendable {
    /// Where the asset is; `nil` for an entry of XSPF that names none.
    public var url: URL?
    /// What the piece is called.
    public var title: String?
    /// Who performs it.
    public var artist: String?
    /// What the album is called.
    public var album: String?
    /// The track's number on its medium, counted from 1.
    public var trackNumber: Int?
    /// How long it lasts; `nil` if the playlist does not say it, or says that it has no end.
    public var duration: MediaTime?

    /// An entry.
    ///
    /// - Parameters:
    ///   - url: Where the asset is.
    ///   - title: What the piece is called.
    ///   - artist: Who performs it.
    ///   - album: What the album is called.
    ///   - trackNumber: The track's number on its medium, counted from 1.
    ///   - duration: How long it lasts.
    public init(
        url: URL?,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        trackNumber: Int? = nil,
        duration: MediaTime? = nil
    ) {
        self.url = url
        self.title = title
        self.artist = artist
        self.album = album
        self.trackNumber = trackNumber
        self.duration = duration
    }

    /// The entry for an item.
    public init(_ item: MusicItem) {
        self.init(
            url: item.assetURL,
            title: item.title,
            artist: item.artist,
            album: item.album,
            trackNumber: item.trackNumber,
            duration: item.duration
        )
    }

    /// `true` if anything is said in it at all.
    var isEmpty: Bool { self == PlaylistEntry(url: nil) }
}
