/// The possible meanings of a command or a name in a service's media folders.
public struct LibraryAnswer: Hashable, Sendable, Codable {
    /// Something that it may mean.
    public struct Candidate: Hashable, Sendable, Codable {
        /// The kind of loss.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// An album with its tracks.
            case album
            /// An artist with their tracks.
            case artist
            /// A track.
            case track
        }

        /// The kind of loss.
        public var kind: Kind
        /// The name, as in its files.
        public var name: String
        /// The artist or album artist, if known.
        public var artist: String?
        /// The album of a track, where known.
        public var album: String?
        /// The reason why it matches: `exact`, `folded`, `annotation`, `beginning`, `words` or `similar`.
        public var reason: String
        /// The score for the order, from 0 to 1; not a probability.
        public var score: Double
        /// The assets that are played if it is chosen, in order; at most the first 500.
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

    /// The kind of command: `source`, `nextTrack`, `playAlbum`, `playTrack`, `playArtist` or `play`.
    public var command: String
    /// The name that was looked for, or the source; `nil` for a command without one.
    public var name: String?
    /// All that it may mean, the best first.
    public var candidates: [Candidate]
    /// The index of the unambiguous candidate; `nil` if the user has to choose.
    public var choice: Int?
    /// The number of files that are known so far.
    public var indexed: Int
    /// `true` if all files have been scanned; before that, the answer is of the known ones.
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
