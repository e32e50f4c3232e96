/// What a guide announces: a film, an episode, a news programme, which may be shown many times.
public struct Program: Hashable, Sendable, Codable {
    /// The place of an episode in its series. All numbers count from 0, as XMLTV's `xmltv_ns` does.
    public struct Episode: Hashable, Sendable, Codable {
        /// The season.
        public var season: Int?
        /// The episode within its season.
        public var episode: Int?
        /// The part of the episode, when it is shown in parts.
        public var part: Int?
        /// How the broadcaster writes it on the screen.
        public var onScreen: String?

        /// A place in a series.
        ///
        /// - Parameters:
        ///   - season: The season, counted from 0.
        ///   - episode: The episode, counted from 0.
        ///   - part: The part, counted from 0.
        ///   - onScreen: How the broadcaster writes it.
        public init(season: Int? = nil, episode: Int? = nil, part: Int? = nil, onScreen: String? = nil) {
            self.season = season
            self.episode = episode
            self.part = part
            self.onScreen = onScreen
        }
    }

    /// The identifier.
    public let id: EntityID<Program>
    /// A word that goes with the identifier; empty where there is none.
    public var tag: String
    /// What the programme is called.
    public var title: Name
    /// A second line: of an episode, its own title.
    public var subtitle: Name?
    /// What it is about.
    public var synopsis: Name?
    /// What it is sorted under, in the guide's words.
    public var categories: [String] = []
    /// Its place in a series.
    public var episode: Episode?
    /// When it was made.
    public var date: PartialDate?
    /// How long it lasts without interruptions, in milliseconds.
    public var duration: Int?
    /// Who took part, in order.
    public var credits: [VideoCredit] = []
    /// The work that it shows, where that is known.
    public var work: VideoWork?
    /// Addresses of pictures.
    public var images: [String] = []
    /// The programme in other catalogues; filled only where it was asked for.
    public var externalIdentifiers: [ExternalIdentifier] = []

    /// A programme of which only the title is known.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tag: A word that goes with the identifier.
    ///   - title: What the programme is called.
    ///   - subtitle: A second line.
    ///   - work: The work that it shows.
    public init(
        id: EntityID<Program>,
        tag: String = "",
        title: Name,
        subtitle: Name? = nil,
        work: VideoWork? = nil
    ) {
        self.id = id
        self.tag = tag
        self.title = title
        self.subtitle = subtitle
        self.work = work
    }
}
