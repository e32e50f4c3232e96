public import EarshotCore
public import Foundation

/// The description of a track, its artists and its album in one row of a table, or in the tags of one file.
public struct TrackDescription: Hashable, Sendable {
    /// An artist or an album as a row names it.
    public struct Party<Entity>: Hashable, Sendable {
        /// The name.
        public var name: Name
        /// The identifier; `nil` to derive it from the name.
        public var id: EntityID<Entity>?
        /// Identifiers that the trade and the public databases use.
        public var identifiers: Set<MusicIdentifier> = []

        /// Creates the name of an artist or an album.
        public init(_ name: Name, id: EntityID<Entity>? = nil) {
            self.name = name
            self.id = id
        }
    }

    /// The track's identifier; `nil` to derive it from the names, the disc and the number.
    public var id: EntityID<Track>?
    /// The title of the track.
    public var title: Name
    /// The artist of the track; `nil` if unknown.
    public var artist: Party<Artist>?
    /// The album; `nil` for a track on none.
    public var album: Party<Album>?
    /// The album artist; `nil` if it is the track's artist.
    public var albumArtist: Party<Artist>?
    /// The number of the disc (or other medium) in its set, counted from 1; `nil` if unknown.
    public var disc: Int?
    /// The track's number on the disc, counted from 1; `nil` if unknown.
    public var number: Int?
    /// The number of tracks on the disc; `nil` if unknown.
    public var trackCount: Int?
    /// The date of first publication of the album; `nil` if unknown.
    public var date: PartialDate?
    /// The duration of the track; `nil` if unknown.
    public var duration: MediaTime?
    /// The descriptor ids of the track's genres.
    public var genres: [String] = []
    /// The descriptor id of the track's mood; `nil` if unknown.
    public var mood: String?
    /// The descriptor id of the track's tempo; `nil` if unknown.
    public var tempo: String?
    /// The descriptor id of the artist's origin; `nil` if unknown.
    public var origin: String?
    /// The descriptor id of the era in which the artist is or was active; `nil` if unknown.
    public var era: String?
    /// The descriptor id of the artist's type (solo, duo, group); `nil` if unknown.
    public var artistType: String?
    /// The review of the album; `nil` if there is none.
    public var review: Paragraphs?
    /// The biography of the artist; `nil` if there is none.
    public var biography: Paragraphs?
    /// The identifiers of the track in other catalogs.
    public var links: [ExternalLink] = []
    /// The identifiers of the album in other catalogs.
    public var albumLinks: [ExternalLink] = []
    /// Identifiers of the track that the trade and the public databases use.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the track, from 0 to 1.
    public var popularity = 0.0
    /// `true` if the album holds tracks of many artists.
    public var isCompilation = false
    /// The pictures of the album's front cover, followed by those of its back.
    public var covers: [EntityID<Picture>] = []

    /// Creates a description with a title and nothing else.
    public init(title: Name) {
        self.title = title
    }

    // MARK: - Identifiers

    /// The track's identifier: ``id``, or the one derived from the names.
    public var trackID: EntityID<Track> {
        id
            ?? EntityID(
                DerivedID.text(
                    "track",
                    [
                        (artist ?? albumArtist)?.name.text, album?.name.text, title.text, disc.map(String.init),
                        number.map(String.init),
                    ]
                )
            )
    }

    /// The album's identifier; `nil` for a track on none.
    public var albumID: EntityID<Album>? {
        album.map { album in
            album.id ?? EntityID(DerivedID.text("album", [(albumArtist ?? artist)?.name.text, album.name.text]))
        }
    }

    /// The identifier of a picture, computed from its bytes, so that a picture in many files is stored once.
    public static func pictureID(of bytes: Data) -> EntityID<Picture> {
        EntityID(DerivedID.text("picture", bytes: bytes))
    }

    private static func id(of artist: Party<Artist>) -> EntityID<Artist> {
        artist.id ?? EntityID(DerivedID.text("artist", [artist.name.text]))
    }

    // MARK: - Changes

    /// The artists, the album and the track, in this order, for `MetadataMerger`.
    public var changes: [MusicChange] {
        var changes: [MusicChange] = []
        if let party = artist {
            var artist = Artist(id: Self.id(of: party), name: party.name)
            (artist.origin, artist.era, artist.type) = (origin, era, artistType)
            artist.biography = biography
            artist.identifiers = party.identifiers
            changes.append(.artist(artist))
        }
        if let party = albumArtist, artist.map({ Self.id(of: $0) != Self.id(of: party) }) ?? true {
            var artist = Artist(id: Self.id(of: party), name: party.name)
            artist.identifiers = party.identifiers
            changes.append(.artist(artist))
        }
        if let party = album, let id = albumID, !party.name.text.isEmpty {
            var album = Album(id: id, title: party.name, credits: Self.credits(albumArtist ?? artist))
            album.date = date
            album.media = [Album.Medium(position: disc ?? 1, trackCount: trackCount)]
            album.genres = genres
            album.isCompilation = isCompilation
            album.review = review
            album.pictures = covers
            album.links = albumLinks
            album.identifiers = party.identifiers
            changes.append(.album(album))
        }
        var track = Track(id: trackID, title: title, credits: Self.credits(artist ?? albumArtist))
        track.place = albumID.map { Track.Place(album: $0, medium: disc ?? 1, number: number) }
        track.duration = duration
        (track.genres, track.mood, track.tempo) = (genres, mood, tempo)
        track.links = links
        track.identifiers = identifiers
        track.popularity = popularity
        return changes + [.track(track)]
    }

    private static func credits(_ artist: Party<Artist>?) -> [ArtistCredit] {
        artist.map { [ArtistCredit($0.name.text, artist: id(of: $0))] } ?? []
    }
}
