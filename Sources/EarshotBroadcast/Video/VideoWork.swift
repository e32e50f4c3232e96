public import EarshotMusic

/// An entry of a video archive: a film, an episode or an advertisement, broadcast or not.
public struct VideoWork: Hashable, Sendable, Codable {
    /// The kind of a work.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A film.
        case film
        /// An episode of a series.
        case episode
        /// A series as a whole.
        case series
        /// An advertisement.
        case advertisement
        /// A short announcement: a trailer, or a station's own jingle.
        case promotion
        /// Anything else.
        case other
    }

    /// The identifier.
    public let id: EntityID<VideoWork>
    /// A text that accompanies the identifier, such as a checksum by its issuer; empty if there is none.
    public var tag: String
    /// The title.
    public var title: Name
    /// The subtitle, such as the title of an episode.
    public var subtitle: Name?
    /// The kind of work.
    public var kind: Kind
    /// `true` if this is only a part of the known details; a query for the work by ``id`` returns the rest.
    public var isPartial: Bool
    /// The duration, in milliseconds.
    public var duration: Int?
    /// The date of first showing or publication.
    public var date: PartialDate?
    /// The synopsis.
    public var synopsis: Name?
    /// The genres, as words.
    public var genres: [String] = []
    /// The contributors, in order.
    public var credits: [VideoCredit] = []
    /// The pictures, the best first.
    public var pictures: [EntityID<Picture>] = []
    /// The addresses of trailers.
    public var trailers: [String] = []
    /// The identifiers in other catalogs; empty unless requested.
    public var externalIdentifiers: [ExternalIdentifier] = []

    /// Creates a work with a title only.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tag: A text that accompanies the identifier.
    ///   - title: The title.
    ///   - kind: The kind of work.
    ///   - isPartial: `true` if a query returns further details.
    public init(
        id: EntityID<VideoWork>,
        tag: String = "",
        title: Name,
        kind: Kind = .other,
        isPartial: Bool = false
    ) {
        self.id = id
        self.tag = tag
        self.title = title
        self.kind = kind
        self.isPartial = isPartial
    }

    /// The part that is sent with a match: identifier, tag, titles, kind and duration.
    public var summary: VideoWork {
        var work = VideoWork(id: id, tag: tag, title: title, kind: kind, isPartial: true)
        work.subtitle = subtitle
        work.duration = duration
        return work
    }
}

extension VideoWork {
    /// Decodes a work. Missing lists and a missing tag are empty; a missing `isPartial` is `false`.
    ///
    /// - Throws: `DecodingError` if the data is not a work.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(EntityID<VideoWork>.self, forKey: .id),
            tag: try values.decodeIfPresent(String.self, forKey: .tag) ?? "",
            title: try values.decode(Name.self, forKey: .title),
            kind: try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .other,
            isPartial: try values.decodeIfPresent(Bool.self, forKey: .isPartial) ?? false
        )
        subtitle = try values.decodeIfPresent(Name.self, forKey: .subtitle)
        duration = try values.decodeIfPresent(Int.self, forKey: .duration)
        date = try values.decodeIfPresent(PartialDate.self, forKey: .date)
        synopsis = try values.decodeIfPresent(Name.self, forKey: .synopsis)
        genres = try values.decodeIfPresent([String].self, forKey: .genres) ?? []
        credits = try values.decodeIfPresent([VideoCredit].self, forKey: .credits) ?? []
        pictures = try values.decodeIfPresent([EntityID<Picture>].self, forKey: .pictures) ?? []
        trailers = try values.decodeIfPresent([String].self, forKey: .trailers) ?? []
        externalIdentifiers = try values.decodeIfPresent([ExternalIdentifier].self, forKey: .externalIdentifiers) ?? []
    }
}
