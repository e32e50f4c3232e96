import EarshotMusic

/// What one file turned out to be.
public struct FileDecision: Hashable, Sendable, Codable {
    /// The file, by the name that the question gave it.
    public var file: String
    /// The track and its album; `nil` if nothing fits.
    public var match: MusicMatch?
    /// How sure it is that the file is this track, from 0 to 1.
    public var confidence: Double
    /// How sure it is that the track comes from this album, in whichever edition, and from no other that has it too, from 0 to 1.
    public var albumConfidence: Double
    /// How sure it is that it comes from this very edition, from 0 to 1: of two pressings with the same tracks each gets half.
    public var editionConfidence: Double
    /// What speaks for it and against it, the weightiest first; without a match, what came nearest.
    public var reasons: [MatchReason]
    /// Another file of the same question that is the same track.
    public var duplicateOf: String?
    /// `true` if the catalog has a recording of this track and the file does not sound like it: its tags and names may
    /// be copied from another file. Such a decision is at most 55 % sure, and the file is no duplicate of another.
    public var isContradictedBySound: Bool

    /// A decision.
    public init(
        file: String,
        match: MusicMatch? = nil,
        confidence: Double = 0,
        albumConfidence: Double = 0,
        editionConfidence: Double = 0,
        reasons: [MatchReason] = [],
        duplicateOf: String? = nil,
        isContradictedBySound: Bool = false
    ) {
        self.file = file
        self.match = match
        self.confidence = confidence
        self.albumConfidence = albumConfidence
        self.editionConfidence = editionConfidence
        self.reasons = reasons
        self.duplicateOf = duplicateOf
        self.isContradictedBySound = isContradictedBySound
    }

    /// Reads what `encode(to:)` writes, also of services that hold no claims against their recordings.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        file = try values.decode(String.self, forKey: .file)
        match = try values.decodeIfPresent(MusicMatch.self, forKey: .match)
        confidence = try values.decode(Double.self, forKey: .confidence)
        albumConfidence = try values.decode(Double.self, forKey: .albumConfidence)
        editionConfidence = try values.decode(Double.self, forKey: .editionConfidence)
        reasons = try values.decode([MatchReason].self, forKey: .reasons)
        duplicateOf = try values.decodeIfPresent(String.self, forKey: .duplicateOf)
        isContradictedBySound = try values.decodeIfPresent(Bool.self, forKey: .isContradictedBySound) ?? false
    }
}

/// One thing that speaks for a file's being a track, or against it.
public struct MatchReason: Hashable, Sendable, Codable {
    /// What was compared.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// What both sound like.
        case sound
        /// An identifier in the file.
        case identifier
        /// The title in the tags.
        case title
        /// The title in the file's name.
        case name
        /// The artist.
        case artist
        /// Which version both are: of a concert, remixed, without voices.
        case version
        /// How long both are.
        case length
        /// The number on the medium.
        case number
        /// The number of the medium.
        case disc
        /// The album in the tags.
        case album
        /// The names of the folders.
        case folder
        /// The other files beside it.
        case company
        /// The piece that came nearest, where none is near enough.
        case nearest
    }

    /// What was compared.
    public var kind: Kind
    /// What it says for the match, in nats; below zero against it.
    public var weight: Double
    /// The reason as an English sentence.
    public var text: String
    /// The stable name of the sentence, such as `title-similar`, for programs that show it in another language. `nil` if the service is too
    /// old to name it.
    public var code: String?
    /// The values in the sentence by name, such as `percent`. `nil` if it has none.
    public var values: [String: String]?

    /// Creates a reason.
    public init(
        _ kind: Kind,
        weight: Double,
        text: String,
        code: String? = nil,
        values: [String: String]? = nil
    ) {
        self.kind = kind
        self.weight = weight
        self.text = text
        self.code = code
        self.values = values
    }
}
