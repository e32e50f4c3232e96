/// A column of a table of tracks.
enum TableColumn: Hashable, Sendable {
    /// A column that has one name.
    enum Plain: String, CaseIterable {
        case trackID = "track_id"
        case title, artist, album
        case albumID = "album_id"
        case albumArtist = "album_artist"
        case artistID = "artist_id"
        case albumArtistID = "album_artist_id"
        case trackNumber = "track_number"
        case disc
        case trackCount = "track_count"
        case year, date, duration, isrc, barcode, genre, mood, tempo, origin, era
        case artistType = "artist_type"
        case titleReading = "title_reading"
        case artistReading = "artist_reading"
        case albumReading = "album_reading"
        case albumReview = "album_review"
        case artistBiography = "artist_biography"
        case popularity
        case artistAlternates = "artist_alternates"
    }

    /// The properties that have names in several languages.
    enum Named: String, CaseIterable {
        case title, artist, album
    }

    case plain(Plain)
    /// A name in a language, by ISO 639-3 code.
    case translation(Named, String)
    /// The album's review in a language.
    case review(String)
    /// The artist's biography in a language.
    case biography(String)
    /// The track in a catalog.
    case link(String)
    /// The album in a catalog.
    case albumLink(String)

    /// The column with a name, ignoring case, spaces and hyphens; `nil` for an unknown name.
    init?(_ text: String) {
        let name = Self.folded(text)
        if let plain = Plain(rawValue: name) {
            self = .plain(plain)
        } else if let source = Self.rest(of: name, behind: "album_link_") {
            self = .albumLink(source)
        } else if let source = Self.rest(of: name, behind: "link_") {
            self = .link(source)
        } else if let code = Self.rest(of: name, behind: "album_review_").flatMap(Self.language) {
            self = .review(code)
        } else if let code = Self.rest(of: name, behind: "artist_biography_").flatMap(Self.language) {
            self = .biography(code)
        } else {
            let found = Named.allCases.lazy.compactMap { named in
                Self.rest(of: name, behind: named.rawValue + "_").flatMap(Self.language)
                    .map { TableColumn.translation(named, $0) }
            }.first
            guard let found else { return nil }
            self = found
        }
    }

    /// The known name that is most similar to an unknown one.
    static func nearest(to text: String) -> String {
        let name = folded(text)
        let known = Plain.allCases.map(\.rawValue) + ["link_SOURCE", "album_link_SOURCE"]
        return known.max { TextSimilarity.jaroWinkler(name, $0) < TextSimilarity.jaroWinkler(name, $1) } ?? "title"
    }

    private static func folded(_ text: String) -> String {
        String(
            text.split(whereSeparator: \.isWhitespace).joined(separator: "_").lowercased().map { $0 == "-" ? "_" : $0 }
        )
    }

    private static func rest(of name: String, behind prefix: String) -> String? {
        name.hasPrefix(prefix) && name.count > prefix.count ? String(name.dropFirst(prefix.count)) : nil
    }

    private static func language(_ code: String) -> String? {
        code.utf8.count == 3 ? ISOCodes.language(code) : nil
    }
}
