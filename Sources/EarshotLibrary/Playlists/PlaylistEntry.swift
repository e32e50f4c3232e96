public import EarshotCore
public import Foundation

/// An entry of a playlist: an address, and what the playlist says of it.
public struct PlaylistEntry: Hashable, Sendable {
    /// The address of the asset; `nil` for an XSPF entry without one.
    public var url: URL?
    /// The title.
    public var title: String?
    /// The artist.
    public var artist: String?
    /// The title of the album.
    public var album: String?
    /// The track's number on its medium, counted from 1.
    public var trackNumber: Int?
    /// The duration; `nil` if the playlist does not state it, or states that the entry has no end.
    public var duration: MediaTime?

    /// An entry.
    ///
    /// - Parameters:
    ///   - url: The address of the asset.
    ///   - title: The title.
    ///   - artist: The artist.
    ///   - album: The title of the album.
    ///   - trackNumber: The track's number on its medium, counted from 1.
    ///   - duration: The duration.
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
