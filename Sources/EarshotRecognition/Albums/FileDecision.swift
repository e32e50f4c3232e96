import EarshotMusic

/// The decision about the track and album of one file.
public struct FileDecision: Hashable, Sendable, Codable {
    /// The identifier of the file in the query.
    public var file: String
    /// The track and its album; `nil` if there is no match.
    public var match: MusicMatch?
    /// The probability that the file is this track, from 0 to 1.
    public var confidence: Double
    /// The probability that the track comes from this album, in any edition, and not from another album that contains
    /// it, from 0 to 1.
    public var albumConfidence: Double
    /// The probability that the track comes from this edition of the album, from 0 to 1: two pressings with the same
    /// tracks get half each.
    public var editionConfidence: Double
    /// The evidence for and against the match, strongest first; without a match, that of the most similar candidate.
    public var reasons: [MatchReason]
    /// The identifier of another file of the query that is the same track; `nil` if there is none.
    public var duplicateOf: String?
    /// `true` if the catalog has a recording of this track and the file's audio differs from it: its tags and names may
    /// have been copied from another file. The confidence of such a decision is at most 0.55, and the file is not a
    /// duplicate of another.
    public var isContradictedBySound: Bool

    /// Creates a decision.
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

    /// Decodes what `encode(to:)` encodes, also from older services that omit ``isContradictedBySound``.
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

/// One piece of evidence for or against a match.
public struct MatchReason: Hashable, Sendable, Codable {
    /// The attribute that was compared.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The audio of the file.
        case sound
        /// A music identifier in the file.
        case identifier
        /// The title in the tags.
        case title
        /// The title in the file name.
        case name
        /// The artist in the tags.
        case artist
        /// The version: live, remixed, instrumental.
        case version
        /// The duration of the file.
        case length
        /// The track number on its disc.
        case number
        /// The disc number in a set of discs.
        case disc
        /// The album in the tags.
        case album
        /// The names of the folders.
        case folder
        /// The other files in the same folder.
        case company
        /// The most similar candidate, if none is similar enough for a match.
        case nearest
    }

    /// The attribute that was compared.
    public var kind: Kind
    /// The weight of the evidence in nats (the natural logarithm of a likelihood ratio); negative against the match.
    public var weight: Double
    /// The reason as an English sentence.
    public var text: String
    /// The stable name of the sentence, such as `title-similar`, for programs that show it in another language; `nil`
    /// from older services.
    public var code: String?
    /// The values in the sentence by name, such as `percent`; `nil` if it has none.
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
