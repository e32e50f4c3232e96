/// The criteria of a search for published pieces; omitted ones match any.
public struct PieceSearch: Hashable, Sendable {
    /// Words of the title, or prefixes of them, in any order.
    public var words: String?
    /// The identifier of the author.
    public var author: String?
    /// The keys, one of which a piece has.
    public var keys: [Tonality]?
    /// The range of the tempo, in beats a minute.
    public var tempo: ClosedRange<Double>?
    /// The shortest duration.
    public var shortest: Microseconds?
    /// The longest duration.
    public var longest: Microseconds?
    /// A piece that it is based on.
    public var basedOn: PieceID?
    /// The visibilities of pieces.
    public var visibilities: Set<Piece.Visibility>
    /// `true` for pieces in which other audio was recognized, `false` for others.
    public var isQuoting: Bool?
    /// The number of results to skip.
    public var offset: Int
    /// The largest number of results.
    public var limit: Int

    /// The number of words of a search that are used: no title has more.
    package static let mostWords = PieceDraft.longestTitle

    /// The words that titles must contain.
    package var titleWords: [String] { Array(TitleTokens.words(of: words ?? "").prefix(Self.mostWords)) }

    /// Creates a search for all listed pieces that meet the criteria.
    public init(
        words: String? = nil,
        author: String? = nil,
        keys: [Tonality]? = nil,
        tempo: ClosedRange<Double>? = nil,
        shortest: Microseconds? = nil,
        longest: Microseconds? = nil,
        basedOn: PieceID? = nil,
        visibilities: Set<Piece.Visibility> = [.listed],
        isQuoting: Bool? = nil,
        offset: Int = 0,
        limit: Int = 20
    ) {
        self.words = words
        self.author = author
        self.keys = keys
        self.tempo = tempo
        self.shortest = shortest
        self.longest = longest
        self.basedOn = basedOn
        self.visibilities = visibilities
        self.isQuoting = isQuoting
        self.offset = offset
        self.limit = limit
    }
}
