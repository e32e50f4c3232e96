public import EarshotMusic

/// What a recognition service answers: a track, and the album that it stands on.
///
/// Names of artists come in three forms: as they are shown, how they are pronounced (`…Reading`, for Japanese the reading
/// in kana), and what else the artist is called (`…Alternates`).
public struct MusicMatch: Hashable, Sendable, Codable {
    // MARK: Track

    /// The track; nothing where words belong to no track that is known, and where only an album was asked for.
    public var trackID: EntityID<Track>?
    /// What the track is called.
    public var trackTitle: String?
    /// How the title is pronounced.
    public var trackTitleReading: String?
    /// The track's number on its medium, counted from 1; -1 when it has none, which is left out in JSON.
    @KnownCount public var trackNumber = -1
    /// The number of the track's medium, counted from 1; of albums of several media only.
    public var discNumber: Int?
    /// How many tracks the track's medium has.
    public var discTrackCount: Int?
    /// How long the track is, in seconds.
    public var trackDuration: Double?
    /// The track's genres, or the album's where it has none of its own; from broad to narrow.
    public var trackGenre: [Descriptor] = []
    /// The track in other catalogs.
    public var trackLinks: [ExternalLink]?
    /// Identifiers that the trade and the public databases use, each with its scheme: `isrc:GBAYE0601498`.
    public var trackIdentifiers: [String]?
    /// Who took part in the track, or in its album where the track names nobody: names, roles, and artists where they are
    /// known.
    public var credits: [ArtistCredit]?
    /// Where in the track the recording began, in milliseconds; of streams only.
    public var songPosition: Int?
    /// The track's mood.
    public var mood: [Descriptor] = []
    /// The track's tempo.
    public var tempo: [Descriptor] = []

    // MARK: Artist

    /// The artist.
    public var artistID: EntityID<Artist>?
    /// Whose track it is; the album's artist where the track names none.
    public var artist: String?
    /// What else the artist is called.
    public var artistAlternates: [String]?
    /// How the artist's name is pronounced.
    public var artistReading: String?
    /// Where the artist is from.
    public var origin: [Descriptor] = []
    /// The artist's time.
    public var era: [Descriptor] = []
    /// What kind of artist it is: solo, duo, group.
    public var artistType: [Descriptor] = []
    /// About the artist, a string for each paragraph.
    public var artistBiography: [String]?
    /// Where that text is, to be loaded later.
    public var artistBiographyURL: String?
    /// A picture of the artist.
    public var contributorImage: ContentImage?

    // MARK: Album

    /// The album.
    public var albumID: EntityID<Album>?
    /// What the album is called.
    public var albumTitle: String?
    /// How the title is pronounced.
    public var albumTitleReading: String?
    /// Whose album it is.
    public var albumArtist: String?
    /// What else the album's artist is called.
    public var albumArtistAlternates: [String]?
    /// How the name of the album's artist is pronounced.
    public var albumArtistReading: String?
    /// The year in which it was published.
    public var albumReleaseYear: String?
    /// The number of tracks; -1 if it is not known, which JSON leaves out.
    @KnownCount public var albumTrackCount = -1
    /// How many media it has; of albums of several only.
    public var discCount: Int?
    /// Identifiers that the trade and the public databases use, each with its scheme.
    public var albumIdentifiers: [String]?
    /// The album's genres, from broad to narrow.
    public var albumGenre: [Descriptor] = []
    /// The album in other catalogs.
    public var albumLinks: [ExternalLink]?
    /// What is written about the album, a string for each paragraph.
    public var albumReview: [String]?
    /// Where that text is, to be loaded later.
    public var albumReviewURL: String?
    /// The album's cover, or art that stands for its genre.
    public var coverArt: ContentImage?

    // MARK: Evidence

    /// How a recording lies on the reference; of recognitions only.
    public var placement: Placement?
    /// How well it fits what was searched for: higher is better, comparable within one answer only; of searches only.
    public var score: Double?

    /// A match of which nothing is known yet.
    public init() {}

    /// How a recording lies on the reference in which it was found. All times are in seconds.
    public struct Placement: Hashable, Sendable, Codable {
        /// The reference's name in its catalog.
        public var reference: String
        /// How sure the answer is, from 0 to 1.
        public var confidence: Double
        /// Where in the reference the recording's first instant falls; below zero when the recording begins earlier.
        public var offset: Double
        /// Begin and end of the part of the recording that fits.
        public var queryBegin: Double
        /// The end of the part of the recording that fits.
        public var queryEnd: Double
        /// The begin of the part of the reference that it fits.
        public var referenceBegin: Double
        /// The end of the part of the reference that it fits.
        public var referenceEnd: Double
        /// How much faster than the reference the recording plays: 0.05 is 5 % fast.
        public var speedSkew: Double
        /// How much higher than the reference the recording sounds: 0.05 is 105 Hz for 100 Hz.
        public var pitchSkew: Double

        /// A placement.
        ///
        /// - Parameters:
        ///   - reference: The reference's name in its catalog.
        ///   - confidence: How sure the answer is, from 0 to 1.
        ///   - offset: Where in the reference the recording's first instant falls, in seconds.
        ///   - query: The part of the recording that fits, in seconds.
        ///   - span: The part of the reference that it fits, in seconds.
        ///   - speedSkew: How much faster the recording plays.
        ///   - pitchSkew: How much higher it sounds.
        public init(
            reference: String,
            confidence: Double,
            offset: Double,
            query: Range<Double>,
            span: Range<Double>,
            speedSkew: Double,
            pitchSkew: Double
        ) {
            self.reference = reference
            self.confidence = confidence
            self.offset = offset
            queryBegin = query.lowerBound
            queryEnd = query.upperBound
            referenceBegin = span.lowerBound
            referenceEnd = span.upperBound
            self.speedSkew = speedSkew
            self.pitchSkew = pitchSkew
        }
    }
}

// MARK: - Older names

extension MusicMatch {
    /// The name of the narrowest genre of the track. An older form of ``trackGenre``.
    public var genre: String? { trackGenre.last?.name }
    /// The identifier of the narrowest genre of the track. An older form of ``trackGenre``.
    public var genreID: String? { trackGenre.last?.id }
    /// An older name of ``contributorImage``.
    public var artistImage: ContentImage? { contributorImage }
}
