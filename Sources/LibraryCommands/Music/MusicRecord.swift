import CommandKit
import EarshotCore
import EarshotMusic

/// A track, an album or an artist as commands print it.
struct MusicRecord: Encodable {
    let kind: String
    let id: String
    var artist: String?
    var album: String?
    var albumID: String?
    var title: String?
    var date: String?
    var trackNumber: Int?
    var trackCount: Int?
    var seconds: Double?
    var genres: [String]?
    var mood: String?
    var tempo: String?
    var origin: [String]?
    var era: [String]?
    var artistType: [String]?
    var identifiers: [String]?
    var links: [ExternalLink]?
    var lyrics: [String]?
    var score: Double?

    /// The language of names, and the country whose genres are used.
    struct Taste {
        var language: String?
        var country: String?
        let taxonomies = Taxonomies.builtIn

        func names(_ kind: DescriptorKind, _ id: String?, _ level: DescriptorLevel = .extended) -> [String]? {
            guard let id else { return nil }
            let found = taxonomies.descriptors(kind, for: id, level: level, language: language, country: country)
            return found.isEmpty ? nil : found.map(\.name)
        }

        var code: String? { language.flatMap(ISOCodes.language) }
    }

    init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    init(_ track: Track, on album: Album?, _ taste: Taste) {
        kind = "track"
        id = track.id.rawValue
        let credits = track.credits.isEmpty ? album?.credits ?? [] : track.credits
        artist = credits.displayName
        title = track.title.text(in: taste.code)
        self.album = album?.title.text(in: taste.code)
        albumID = album?.id.rawValue
        date = album?.date?.description
        trackNumber = track.place?.number
        seconds = track.duration?.seconds
        let own = track.genres.isEmpty ? album?.genres ?? [] : track.genres
        genres = own.first.flatMap { taste.names(.genre, $0) }
        mood = taste.names(.mood, track.mood, .default)?.first
        tempo = taste.names(.tempo, track.tempo, .default)?.first
        identifiers = Self.sorted(track.identifiers)
        links = track.links.isEmpty ? nil : track.links
    }

    init(_ album: Album, _ taste: Taste) {
        kind = "album"
        id = album.id.rawValue
        artist = album.credits.displayName
        title = album.title.text(in: taste.code)
        date = album.date?.description
        trackCount = album.trackCount
        genres = album.genres.first.flatMap { taste.names(.genre, $0) }
        identifiers = Self.sorted(album.identifiers)
        links = album.links.isEmpty ? nil : album.links
    }

    init(_ artist: Artist, _ taste: Taste) {
        kind = "artist"
        id = artist.id.rawValue
        title = artist.name.text(in: taste.code)
        origin = taste.names(.origin, artist.origin)
        era = taste.names(.era, artist.era)
        artistType = taste.names(.artistType, artist.type)
        identifiers = Self.sorted(artist.identifiers)
        links = artist.links.isEmpty ? nil : artist.links
    }

    init(_ lyrics: Lyrics) {
        kind = "lyrics"
        id = lyrics.id.rawValue
        artist = lyrics.artist
        title = lyrics.title
        self.lyrics = lyrics.lines.map(\.text)
    }

    private static func sorted(_ identifiers: Set<MusicIdentifier>) -> [String]? {
        identifiers.isEmpty ? nil : identifiers.map(\.description).sorted()
    }

    // MARK: - For people

    /// One line: artist, title, album.
    var line: String {
        let name = [artist, title].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " — ")
        let place = [album, date].compactMap(\.self).joined(separator: ", ")
        let heading = name.isEmpty ? id : name
        return Terminal.bold(Terminal.shown(heading)) + (place.isEmpty ? "" : "  " + Terminal.shown(place)) + "  "
            + Terminal.dim(Terminal.shown(id))
    }

    /// Every value on a line of its own.
    var lines: [String] {
        let rows: [(String, String?)] = [
            ("id", id), ("artist", artist), (kind == "artist" ? "name" : "title", title), ("album", album),
            ("date", date), ("track", trackNumber.map(String.init)), ("tracks", trackCount.map(String.init)),
            ("length", seconds.map { DisplayText.position(MediaTime(seconds: $0)) }),
            ("genre", genres?.joined(separator: " > ")), ("mood", mood), ("tempo", tempo),
            ("origin", origin?.joined(separator: " > ")), ("era", era?.joined(separator: " > ")),
            ("type", artistType?.joined(separator: " > ")), ("identifiers", identifiers?.joined(separator: "\n")),
            ("links", links?.map { "\($0.source): \($0.address ?? $0.id)" }.joined(separator: "\n")),
            ("words", lyrics?.joined(separator: "\n")),
        ]
        return rows.flatMap { name, text -> [String] in
            guard let text, !text.isEmpty else { return [] }
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
                let label = index == 0 ? name : ""
                return Terminal.dim(label + String(repeating: " ", count: max(1, 12 - label.count)))
                    + Terminal.shown(String(line))
            }
        }
    }
}
