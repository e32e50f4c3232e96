/// The meaning of a voice command or a name: the matching albums, artists and tracks in a service's media folders.
public struct LibraryAnswer: Hashable, Sendable, Codable {
    /// An album, artist or track that the command may mean.
    public struct Candidate: Hashable, Sendable, Codable {
        /// The kind of candidate.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// An album with its tracks.
            case album
            /// An artist with their tracks.
            case artist
            /// A single track.
            case track
        }

        /// The kind of candidate.
        public var kind: Kind
        /// The name of the album, artist or track, as in the tags of its files.
        public var name: String
        /// The artist or album artist; `nil` if unknown.
        public var artist: String?
        /// The album of a track; `nil` for others, or if unknown.
        public var album: String?
        /// The way in which the name matches: `exact`, `folded` (ignoring diacritics), `annotation`, `beginning`,
        /// `words` or `similar`.
        public var reason: String
        /// The score by which candidates are ordered, from 0 to 1; not a probability.
        public var score: Double
        /// The identifiers of the files that are played if the candidate is chosen, in order; at most the first 500.
        public var assets: [String]
        /// The number of all files of the candidate.
        public var assetCount: Int
        /// The tracks in ``assets``, with their titles; `nil` unless requested.
        public var tracks: [LibraryTrack]?

        /// Creates a candidate.
        package init(
            kind: Kind,
            name: String,
            artist: String? = nil,
            album: String? = nil,
            reason: String,
            score: Double,
            assets: [String],
            assetCount: Int
        ) {
            self.kind = kind
            self.name = name
            self.artist = artist
            self.album = album
            self.reason = reason
            self.score = score
            self.assets = assets
            self.assetCount = assetCount
        }
    }

    /// The kind of command: `source`, `nextTrack`, `playAlbum`, `playTrack`, `playArtist` or `play`.
    public var command: String
    /// The name to search for, or the source to switch to; `nil` for a command without either.
    public var name: String?
    /// The candidates, best first.
    public var candidates: [Candidate]
    /// The index of the only likely candidate in ``candidates``; `nil` if the user has to choose.
    public var choice: Int?
    /// The number of files that have been indexed so far.
    public var indexed: Int
    /// `true` if all files have been indexed; before that, the answer covers only the indexed files.
    public var isComplete: Bool

    /// Creates an answer.
    package init(
        command: String,
        name: String? = nil,
        candidates: [Candidate] = [],
        choice: Int? = nil,
        indexed: Int,
        isComplete: Bool
    ) {
        self.command = command
        self.name = name
        self.candidates = candidates
        self.choice = choice
        self.indexed = indexed
        self.isComplete = isComplete
    }
}
