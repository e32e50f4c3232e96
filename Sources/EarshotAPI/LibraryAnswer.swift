/// What a command or a name may mean in a service's media folders.
public struct LibraryAnswer: Hashable, Sendable, Codable {
    /// Something that it may mean.
    public struct Candidate: Hashable, Sendable, Codable {
        /// What it is.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// An album with its tracks.
            case album
            /// An artist with their tracks.
            case artist
            /// A track.
            case track
        }

        /// What it is.
        public var kind: Kind
        /// What it is called, as its files have it.
        public var name: String
        /// Who performs it, or whose album it is, where known.
        public var artist: String?
        /// The album of a track, where known.
        public var album: String?
        /// Why it may be meant: `exact`, `folded`, `annotation`, `beginning`, `words` or `similar`.
        public var reason: String
        /// How well it fits, from 0 to 1: for the order, and no probability.
        public var score: Double
        /// What is played when it is chosen, in order; the first 500 where there are more.
        public var assets: [String]
        /// The number of all assets.
        public var assetCount: Int
        /// The names of the files in ``assets``; `nil` unless that was asked for.
        public var tracks: [LibraryTrack]?

        /// Something that may be meant.
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

    /// What was understood: `source`, `nextTrack`, `playAlbum`, `playTrack`, `playArtist` or `play`.
    public var command: String
    /// The name that was looked for, or the source; `nil` for a command without one.
    public var name: String?
    /// All that it may mean, the best first.
    public var candidates: [Candidate]
    /// Which of the candidates it means without question; `nil` if somebody has to choose.
    public var choice: Int?
    /// The number of files that are known so far.
    public var indexed: Int
    /// `true` if all files were looked at: until then the answer is of those that are known.
    public var isComplete: Bool

    /// An answer.
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
