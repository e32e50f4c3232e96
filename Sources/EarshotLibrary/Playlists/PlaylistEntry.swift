public import EarshotCore
public import Foundation

/// An entry of a playlist: an address, and the metadata that the playlist states for it.
public struct PlaylistEntry: Hashable, Sendable {
    /// The address of the asset; `nil` for an XSPF entry without one.
    public var url: URL?
    /// The title; `nil` if not stated.
    public var title: String?
    /// The artist; `nil` if not stated.
    public var artist: String?
    /// The title of the album; `nil` if not stated.
    public var album: String?
    /// The track's number on its disc, counted from 1; `nil` if not stated.
    public var trackNumber: Int?
    /// The duration; `nil` if the playlist does not state it, or states that the entry has no end.
    public var duration: MediaTime?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - url: The address of the asset.
    ///   - title: The title.
    ///   - artist: The artist.
    ///   - album: The title of the album.
    ///   - trackNumber: The track's number on its disc, counted from 1; `nil` if not stated.
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

    /// Creates an entry from an item of a library.
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
