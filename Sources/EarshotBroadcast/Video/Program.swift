public import EarshotMusic

/// A program in a guide: a film, an episode, a news program, which may be shown many times.
public struct Program: Hashable, Sendable, Codable {
    /// The position of an episode in its series. All numbers start at 0, as in XMLTV's `xmltv_ns`.
    public struct Episode: Hashable, Sendable, Codable {
        /// The season.
        public var season: Int?
        /// The episode within its season.
        public var episode: Int?
        /// The part of the episode, if it is shown in parts.
        public var part: Int?
        /// The broadcaster's own numbering, as displayed.
        public var onScreen: String?
        /// The number of seasons.
        public var seasonCount: Int?
        /// The number of episodes of the season.
        public var episodeCount: Int?
        /// The number of parts in which the episode is shown.
        public var partCount: Int?

        /// Creates a position in a series.
        ///
        /// - Parameters:
        ///   - season: The season, counted from 0.
        ///   - episode: The episode, counted from 0.
        ///   - part: The part, counted from 0.
        ///   - onScreen: The broadcaster's own numbering.
        public init(season: Int? = nil, episode: Int? = nil, part: Int? = nil, onScreen: String? = nil) {
            self.season = season
            self.episode = episode
            self.part = part
            self.onScreen = onScreen
        }
    }

    /// An age or content rating by a country or an organization.
    public struct Rating: Hashable, Sendable, Codable {
        /// The rating system, such as `FSK`; empty if it is not known.
        public var system: String
        /// The rating, as that system writes it.
        public var value: String

        /// Creates a rating.
        ///
        /// - Parameters:
        ///   - system: The rating system.
        ///   - value: The rating.
        public init(system: String, value: String) {
            self.system = system
            self.value = value
        }
    }

    /// The identifier.
    public let id: EntityID<Program>
    /// A text that accompanies the identifier; empty if there is none.
    public var tag: String
    /// The title.
    public var title: Name
    /// The subtitle, such as the title of an episode.
    public var subtitle: Name?
    /// The synopsis.
    public var synopsis: Name?
    /// The categories, in the guide's words.
    public var categories: [String] = []
    /// The position in a series; `nil` if it is not an episode.
    public var episode: Episode?
    /// The date of production.
    public var date: PartialDate?
    /// The duration without interruptions, in milliseconds.
    public var duration: Int?
    /// The contributors, in order.
    public var credits: [VideoCredit] = []
    /// The work that it shows; `nil` if unknown.
    public var work: VideoWork?
    /// The addresses of images.
    public var images: [String] = []
    /// The spoken language, as an ISO 639-3 code.
    public var language: String?
    /// The countries of production: ISO 3166-1 alpha-3 codes, or the guide's words if they are ambiguous.
    public var countries: [String] = []
    /// The age and content ratings.
    public var ratings: [Rating] = []
    /// The identifiers in other catalogs; empty unless requested.
    public var externalIdentifiers: [ExternalIdentifier] = []

    /// Creates a program with a title only.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tag: A text that accompanies the identifier.
    ///   - title: The title.
    ///   - subtitle: The subtitle.
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

extension Program {
    /// Decodes a program. Missing lists and a missing tag are empty.
    ///
    /// - Throws: `DecodingError` if the data is not a program.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(EntityID<Program>.self, forKey: .id),
            tag: try values.decodeIfPresent(String.self, forKey: .tag) ?? "",
            title: try values.decode(Name.self, forKey: .title),
            subtitle: try values.decodeIfPresent(Name.self, forKey: .subtitle),
            work: try values.decodeIfPresent(VideoWork.self, forKey: .work)
        )
        synopsis = try values.decodeIfPresent(Name.self, forKey: .synopsis)
        categories = try values.decodeIfPresent([String].self, forKey: .categories) ?? []
        episode = try values.decodeIfPresent(Episode.self, forKey: .episode)
        date = try values.decodeIfPresent(PartialDate.self, forKey: .date)
        duration = try values.decodeIfPresent(Int.self, forKey: .duration)
        credits = try values.decodeIfPresent([VideoCredit].self, forKey: .credits) ?? []
        images = try values.decodeIfPresent([String].self, forKey: .images) ?? []
        language = try values.decodeIfPresent(String.self, forKey: .language)
        countries = try values.decodeIfPresent([String].self, forKey: .countries) ?? []
        ratings = try values.decodeIfPresent([Rating].self, forKey: .ratings) ?? []
        externalIdentifiers = try values.decodeIfPresent([ExternalIdentifier].self, forKey: .externalIdentifiers) ?? []
    }
}
