/// A track in a service's media folders, according to the tags of its file.
public struct LibraryTrack: Hashable, Sendable, Codable {
    /// The file: the name of a media folder and the path below it, `music/Album/01.flac`.
    public var asset: String
    /// The title; the file name if the tags have none.
    public var title: String
    /// The performer; `nil` if unknown.
    public var artist: String?
    /// The title of the album; `nil` if unknown.
    public var album: String?
    /// The disc number in a set of discs, from 1; `nil` if unknown.
    public var disc: Int?
    /// The track number on its disc, from 1; `nil` if unknown.
    public var number: Int?
    /// The duration, in seconds; `nil` if unknown.
    public var duration: Double?

    /// Creates a track.
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

/// A page of the albums of a service's media folders, ordered by title: `GET /v1/library/albums`.
package struct LibraryAlbumPage: Hashable, Sendable, Codable {
    /// An album in a service's media folders.
    package struct Album: Hashable, Sendable, Codable {
        /// The title of the album, as in most of its tracks.
        package var name: String
        /// The artist of the album; `nil` if unknown.
        package var artist: String?
        /// The year of publication; `nil` if unknown.
        package var year: Int?
        /// The tracks in order; at most the first 500.
        package var tracks: [LibraryTrack]

        /// Creates an album.
        package init(name: String, artist: String?, year: Int?, tracks: [LibraryTrack]) {
            (self.name, self.artist, self.year, self.tracks) = (name, artist, year, tracks)
        }
    }

    /// The albums of the page.
    package var albums: [Album]
    /// The index of the first album of the page in the whole list, from 0.
    package var offset: Int
    /// The number of albums in the whole list.
    package var total: Int
    /// The number of files that have been indexed so far.
    package var indexed: Int
    /// `true` if all files have been indexed.
    package var isComplete: Bool

    /// Creates a page.
    package init(albums: [Album], offset: Int, total: Int, indexed: Int, isComplete: Bool) {
        (self.albums, self.offset, self.total) = (albums, offset, total)
        (self.indexed, self.isComplete) = (indexed, isComplete)
    }
}

/// A page of the tracks of a service's media folders, ordered by title: `GET /v1/library/tracks`.
package struct LibraryTrackPage: Hashable, Sendable, Codable {
    /// The tracks of the page.
    package var tracks: [LibraryTrack]
    /// The index of the first track of the page in the whole list, from 0.
    package var offset: Int
    /// The number of tracks in the whole list.
    package var total: Int
    /// The number of files that have been indexed so far.
    package var indexed: Int
    /// `true` if all files have been indexed.
    package var isComplete: Bool

    /// Creates a page.
    package init(tracks: [LibraryTrack], offset: Int, total: Int, indexed: Int, isComplete: Bool) {
        (self.tracks, self.offset, self.total) = (tracks, offset, total)
        (self.indexed, self.isComplete) = (indexed, isComplete)
    }
}
