public import EarshotCore
public import Foundation

/// Turns lines of MusicBrainz JSON dumps into changes to a store.
///
/// A line of the file `artist` gives an artist; a line of `release` an album with its tracks. The ids are the MBIDs: of a track
/// that of the track, so that a recording on many releases is many tracks, each of which carries the recording's MBID.
public struct MusicBrainzReader: Sendable {
    /// The kind of entity in a file of the dump.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Artists.
        case artist
        /// Releases with their media and tracks.
        case release
    }

    /// Looks up descriptors: each function returns the identifier of the descriptor for a text, or `nil`.
    public struct Descriptors: Sendable {
        /// Looks up a genre by its name.
        public var genre: @Sendable (String) -> String?
        /// Looks up an artist's origin, by an ISO 3166-1 alpha-2 code or a name.
        public var origin: @Sendable (String) -> String?
        /// Looks up a group's era by the year in which it was founded. Not used for persons, whose year of birth says little.
        public var era: @Sendable (Int) -> String?
        /// Looks up the type of an artist by MusicBrainz type (`Group`) and gender (`female`; `nil` if unknown).
        public var artistType: @Sendable (_ type: String, _ gender: String?) -> String?

        /// Lookup functions that find nothing.
        public static let none = Descriptors(
            genre: { _ in nil },
            origin: { _ in nil },
            era: { _ in nil },
            artistType: { _, _ in nil }
        )

        /// Creates a set of lookup functions.
        public init(
            genre: @escaping @Sendable (String) -> String?,
            origin: @escaping @Sendable (String) -> String?,
            era: @escaping @Sendable (Int) -> String?,
            artistType: @escaping @Sendable (_ type: String, _ gender: String?) -> String?
        ) {
            self.genre = genre
            self.origin = origin
            self.era = era
            self.artistType = artistType
        }
    }

    /// The largest size of a line, in bytes: 64 MiB. The longest lines of the dumps have some ten million.
    public static let maximumLineSize = 64 << 20

    private let descriptors: Descriptors

    /// Creates a reader.
    ///
    /// - Parameter descriptors: The lookup of genres, origins and types in the store.
    public init(descriptors: Descriptors = .none) {
        self.descriptors = descriptors
    }

    /// Returns the changes to the store that a line of the dump describes.
    ///
    /// - Parameters:
    ///   - line: One JSON object, without the line's end.
    ///   - kind: The kind of entity in the file.
    /// - Throws: `metadataInvalid` with the reason, for the list of rejected lines.
    public func changes(in line: Data, of kind: Kind) throws(EarshotError) -> [MusicChange] {
        guard line.count <= Self.maximumLineSize else {
            throw EarshotError(
                .metadataInvalid,
                "The line has \(line.count) bytes, and 64 MiB are allowed: leave it out."
            )
        }
        do {
            switch kind {
            case .artist: return [.artist(artist(try JSONDecoder().decode(MusicBrainzLine.Artist.self, from: line)))]
            case .release: return release(try JSONDecoder().decode(MusicBrainzLine.Release.self, from: line))
            }
        } catch let error as DecodingError {
            throw EarshotError(
                .metadataInvalid,
                "\(Self.sentence(error)): check that it is a line of the dump \(kind.rawValue)."
            )
        } catch {
            throw EarshotError(.internalError, "The line could not be read: please report this.", cause: error)
        }
    }

    // MARK: - Artists

    func artist(_ line: MusicBrainzLine.Artist) -> Artist {
        var name = Name(line.name)
        var seen: Set<String> = [line.name]
        for alias in line.aliases ?? [] where !alias.name.isEmpty {
            // The locale's language as it is there: `ja`, `de_AT`.
            let language = alias.locale?.prefix { $0 != "_" && $0 != "-" }.lowercased()
            if let language, alias.primary == true, let code = Self.languages[language] {
                name.translations[code] = alias.name
                seen.insert(alias.name)
            } else if seen.insert(alias.name).inserted {
                name.alternates.append(alias.name)
            }
        }
        var artist = Artist(id: EntityID(line.id), name: name)
        artist.sortName = line.sortName == line.name ? nil : line.sortName
        let places = [line.country].compactMap(\.self) + (line.area?.codes ?? []) + [line.area?.name].compactMap(\.self)
        artist.origin = places.lazy.compactMap(descriptors.origin).first
        if line.type != "Person" {
            artist.era = line.lifeSpan?.begin.flatMap { PartialDate($0)?.year }.flatMap(descriptors.era)
        }
        artist.type = line.type.flatMap { descriptors.artistType($0, line.gender) }
        artist.links = Self.links(line.relations)
        var identifiers = (line.isnis ?? []).compactMap { MusicIdentifier(.isni, $0) }
        identifiers += [MusicIdentifier(.musicBrainzArtist, line.id)].compactMap(\.self)
        identifiers += Self.identifiers(line.relations)
        artist.identifiers = Set(identifiers)
        return artist
    }

    // MARK: - Releases

    func release(_ line: MusicBrainzLine.Release) -> [MusicChange] {
        var album = Album(id: EntityID(line.id), title: Name(line.title), credits: Self.credits(line.credits))
        album.date = (line.date ?? line.group?.firstDate).flatMap { PartialDate($0) }
        album.isCompilation = line.group?.secondaryTypes?.contains("Compilation") ?? false
        album.genres = genres([line.genres, line.group?.genres, line.tags, line.group?.tags])
        album.links = Self.links(line.relations)
        album.identifiers = Set(
            [
                MusicIdentifier(.musicBrainzRelease, line.id),
                line.group.flatMap { MusicIdentifier(.musicBrainzReleaseGroup, $0.id) },
                line.barcode.flatMap { MusicIdentifier(.barcode, $0) },
            ].compactMap(\.self) + Self.identifiers(line.relations)
        )
        var tracks: [MusicChange] = []
        for (index, medium) in (line.media ?? []).enumerated() {
            let position = medium.position ?? index + 1
            album.media.append(
                Album.Medium(
                    position: position,
                    title: medium.title.flatMap { $0.isEmpty ? nil : $0 },
                    format: medium.format,
                    trackCount: medium.trackCount ?? medium.tracks?.count
                )
            )
            for track in [medium.pregap].compactMap(\.self) + (medium.tracks ?? []) {
                tracks.append(.track(self.track(track, on: album, medium: position)))
            }
        }
        return [.album(album)] + tracks
    }

    func track(_ line: MusicBrainzLine.Track, on album: Album, medium: Int) -> Track {
        let credits = Self.credits(line.credits)
        // What says no more than the album is left to it.
        var track = Track(
            id: EntityID(line.id),
            title: Name(line.title),
            credits: credits == album.credits ? [] : credits,
            place: Track.Place(album: album.id, medium: medium, number: line.position.flatMap { $0 > 0 ? $0 : nil })
        )
        if let length = line.length ?? line.recording?.length, length > 0, length < 1e10 {
            track.duration = MediaTime(value: Int64(length.rounded()), timescale: 1_000)
        }
        track.genres = genres([line.recording?.genres, line.recording?.tags])
        var identifiers = (line.recording?.isrcs ?? []).compactMap { MusicIdentifier(.isrc, $0) }
        identifiers += [
            MusicIdentifier(.musicBrainzTrack, line.id),
            line.recording.flatMap { MusicIdentifier(.musicBrainzRecording, $0.id) },
        ].compactMap(\.self)
        track.identifiers = Set(identifiers)
        return track
    }

    private static func credits(_ lines: [MusicBrainzLine.Credit]?) -> [ArtistCredit] {
        var isFeatured = false
        return (lines ?? []).map { line in
            defer { isFeatured = isFeatured || line.joinphrase?.lowercased().contains("feat") == true }
            return ArtistCredit(
                line.name,
                artist: line.artist.map { EntityID($0.id) },
                joint: line.joinphrase ?? "",
                role: isFeatured ? .featured : .main
            )
        }
    }

    /// The genres that tags name, those with the most votes first.
    private func genres(_ lists: [[MusicBrainzLine.Tag]?]) -> [String] {
        // Genres are tags that are known as such: where there are any, the other tags are not asked.
        guard let tags = lists.lazy.compactMap(\.self).first(where: { tags in !tags.isEmpty }) else { return [] }
        var seen: Set<String> = []
        return tags.filter { ($0.count ?? 1) > 0 }
            .sorted { ($0.count ?? 1, $1.name) > ($1.count ?? 1, $0.name) }
            .compactMap { descriptors.genre($0.name) }
            .filter { seen.insert($0).inserted }
            .prefix(5).map(\.self)
    }

    private static func links(_ relations: [MusicBrainzLine.Relation]?) -> [ExternalLink] {
        (relations ?? []).compactMap { relation in
            guard let address = relation.url?.resource, let type = relation.type else { return nil }
            return ExternalLink(source: type, id: address, address: address)
        }
    }

    /// The identifiers at Wikidata and Discogs that addresses hold.
    private static func identifiers(_ relations: [MusicBrainzLine.Relation]?) -> [MusicIdentifier] {
        (relations ?? []).compactMap { $0.url.flatMap { MusicIdentifier(address: $0.resource) } }
    }

    /// Languages of aliases as ISO 639-3 codes, by their two letters.
    private static let languages = [
        "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "et": "est",
        "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "id": "ind", "it": "ita", "ja": "jpn",
        "ko": "kor", "lt": "lit", "lv": "lav", "nb": "nob", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por",
        "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur",
        "uk": "ukr", "vi": "vie", "zh": "zho",
    ]

    private static func sentence(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, _): "The member \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\"\(place(context))\" has another type"
        default: "The line is not JSON"
        }
    }
}
