/// A track in a service's media folders, as its file's tags have it.
public struct LibraryTrack: Hashable, Sendable, Codable {
    /// The file: the name of a media folder and the path below it, `music/Album/01.flac`.
    public var asset: String
    /// The title; the name of the file where its tags have none.
    public var title: String
    /// The performer; `nil` where not known.
    public var artist: String?
    /// The album, where known.
    public var album: String?
    /// The number of the medium, where known.
    public var disc: Int?
    /// The number of the track on its medium, where known.
    public var number: Int?
    /// The duration in seconds, where known.
    public var duration: Double?

    /// A track.
    package init(
        asset: String,
        title: String,
        artist: String? = nil,
        album: String? = nil,
        disc: Int? = nil,
        number: Int? = nil,
        duration: Double? = nil
    ) {
        self.asset = asset
        self.title = title
        self.artist = artist
        self.album = album
        self.disc = disc
        self.number = number
        self.duration = duration
    }
}

/// Albums of a service's media folders, in the order of their titles: `GET /v1/library/albums`.
package struct LibraryAlbumPage: Hashable, Sendable, Codable {
    /// One of them.
    package struct Album: Hashable, Sendable, Codable {
        /// The title, as most of its tracks have it.
        package var name: String
        /// The artist of the album; `nil` if unknown.
        package var artist: String?
        /// The year of publication, where known.
        package var year: Int?
        /// The tracks in order; the first 500 where there are more.
        package var tracks: [LibraryTrack]

        /// An album.
        package init(name: String, artist: String?, year: Int?, tracks: [LibraryTrack]) {
            (self.name, self.artist, self.year, self.tracks) = (name, artist, year, tracks)
        }
    }

    /// The albums.
    package var albums: [Album]
    /// The number of entries before these.
    package var offset: Int
    /// The number of all entries.
    package var total: Int
    /// The number of files that are known so far.
    package var indexed: Int
    /// `true` once all files were looked at.
    package var isComplete: Bool

    /// A page.
    package init(albums: [Album], offset: Int, total: Int, indexed: Int, isComplete: Bool) {
        (self.albums, self.offset, self.total) = (albums, offset, total)
        (self.indexed, self.isComplete) = (indexed, isComplete)
    }
}

/// Tracks of a service's media folders, in the order of their titles: `GET /v1/library/tracks`.
package struct LibraryTrackPage: Hashable, Sendable, Codable {
    /// The tracks.
    package var tracks: [LibraryTrack]
    /// The number of entries before these.
    package var offset: Int
    /// The number of all entries.
    package var total: Int
    /// The number of files that are known so far.
    package var indexed: Int
    /// `true` once all files were looked at.
    package var isComplete: Bool

    /// A page.
    package init(tracks: [LibraryTrack], offset: Int, total: Int, indexed: Int, isComplete: Bool) {
        (self.tracks, self.offset, self.total) = (tracks, offset, total)
        (self.indexed, self.isComplete) = (indexed, isComplete)
    }
}
