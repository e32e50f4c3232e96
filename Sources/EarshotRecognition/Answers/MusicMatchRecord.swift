import EarshotCore
package import EarshotMusic

/// The JSON form of a ``MusicMatch``, which services send, histories and caches store, and `earshot history export`
/// writes.
///
/// Unknown fields are omitted, except for lists, which are empty. Omitted lists are decoded as empty, so that stored
/// records remain valid when this type gets new fields.
package struct MusicMatchRecord: Hashable, Sendable, Codable {
    package var trackID: EntityID<Track>?
    package var trackTitle: String?
    package var trackTitleReading: String?
    package var trackNumber: Int?
    package var discNumber: Int?
    package var discTrackCount: Int?
    package var trackDuration: Double?
    package var trackGenre: [Descriptor]?
    package var trackLinks: [ExternalLink]?
    package var trackIdentifiers: [String]?
    package var credits: [ArtistCredit]?
    package var mood: [Descriptor]?
    package var tempo: [Descriptor]?

    package var artistID: EntityID<Artist>?
    package var artist: String?
    package var artistAlternates: [String]?
    package var artistReading: String?
    package var origin: [Descriptor]?
    package var era: [Descriptor]?
    package var artistType: [Descriptor]?
    package var artistBiography: [String]?
    package var artistBiographyURL: String?
    package var contributorImage: ContentImage?

    package var albumID: EntityID<Album>?
    package var albumTitle: String?
    package var albumTitleReading: String?
    package var albumArtist: String?
    package var albumArtistAlternates: [String]?
    package var albumArtistReading: String?
    package var albumReleaseYear: String?
    package var albumTrackCount: Int?
    package var discCount: Int?
    package var albumIdentifiers: [String]?
    package var albumGenre: [Descriptor]?
    package var albumLinks: [ExternalLink]?
    package var albumReview: [String]?
    package var albumReviewURL: String?
    package var coverArt: ContentImage?

    /// The reference and the alignment with it; `nil` except for recognitions.
    package var placement: ReferencePlacement?
    /// The position in the track at which the recording begins, in milliseconds; `nil` if unknown.
    package var songPosition: Int?
    package var score: Double?
}

extension MusicMatchRecord {
    package init(_ match: MusicMatch) {
        trackID = match.track.id
        trackTitle = match.track.title
        trackTitleReading = match.track.titleReading
        trackNumber = match.track.number < 0 ? nil : match.track.number
        discNumber = match.track.discNumber
        discTrackCount = match.track.discTrackCount
        trackDuration = match.track.duration?.seconds
        trackGenre = match.track.genres
        trackLinks = match.track.links
        trackIdentifiers = match.track.identifiers
        credits = match.track.credits
        mood = match.track.mood
        tempo = match.track.tempo
        artistID = match.artist.id
        artist = match.artist.name
        artistAlternates = match.artist.alternates
        artistReading = match.artist.reading
        origin = match.artist.origin
        era = match.artist.era
        artistType = match.artist.type
        artistBiography = match.artist.biography
        artistBiographyURL = match.artist.biographyURL
        contributorImage = match.artist.image
        albumID = match.album.id
        albumTitle = match.album.title
        albumTitleReading = match.album.titleReading
        albumArtist = match.album.artist
        albumArtistAlternates = match.album.artistAlternates
        albumArtistReading = match.album.artistReading
        albumReleaseYear = match.album.releaseYear
        albumTrackCount = match.album.trackCount < 0 ? nil : match.album.trackCount
        discCount = match.album.discCount
        albumIdentifiers = match.album.identifiers
        albumGenre = match.album.genres
        albumLinks = match.album.links
        albumReview = match.album.review
        albumReviewURL = match.album.reviewURL
        coverArt = match.album.coverArt
        placement = match.placement
        songPosition = match.songPosition.map { Int($0.converted(toTimescale: 1_000).value) }
        score = match.score
    }

    /// The match that the record encodes.
    package var match: MusicMatch {
        var match = MusicMatch()
        match.track.id = trackID
        match.track.title = trackTitle
        match.track.titleReading = trackTitleReading
        match.track.number = max(-1, trackNumber ?? -1)
        match.track.discNumber = discNumber
        match.track.discTrackCount = discTrackCount
        // A length that no clock can count is none.
        match.track.duration = trackDuration.map { MediaTime(recordSeconds: $0) }.flatMap { $0.isNumeric ? $0 : nil }
        match.track.genres = trackGenre ?? []
        match.track.links = trackLinks
        match.track.identifiers = trackIdentifiers
        match.track.credits = credits
        match.track.mood = mood ?? []
        match.track.tempo = tempo ?? []
        match.artist.id = artistID
        match.artist.name = artist
        match.artist.alternates = artistAlternates
        match.artist.reading = artistReading
        match.artist.origin = origin ?? []
        match.artist.era = era ?? []
        match.artist.type = artistType ?? []
        match.artist.biography = artistBiography
        match.artist.biographyURL = artistBiographyURL
        match.artist.image = contributorImage
        match.album.id = albumID
        match.album.title = albumTitle
        match.album.titleReading = albumTitleReading
        match.album.artist = albumArtist
        match.album.artistAlternates = albumArtistAlternates
        match.album.artistReading = albumArtistReading
        match.album.releaseYear = albumReleaseYear
        match.album.trackCount = max(-1, albumTrackCount ?? -1)
        match.album.discCount = discCount
        match.album.identifiers = albumIdentifiers
        match.album.genres = albumGenre ?? []
        match.album.links = albumLinks
        match.album.review = albumReview
        match.album.reviewURL = albumReviewURL
        match.album.coverArt = coverArt
        match.placement = placement
        match.songPosition = songPosition.map { MediaTime(value: Int64($0), timescale: 1_000) }
        match.score = score
        return match
    }
}
