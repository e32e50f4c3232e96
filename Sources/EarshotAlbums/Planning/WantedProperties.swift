import EarshotCatalogs
import EarshotMedia
import EarshotMetadata

/// The properties that a match names and a file does not say yet, as TagLib's property map has them.
struct WantedProperties {
    private(set) var values: [String: [String]] = [:]
    private let tags: TagFile

    init(_ match: MusicMatch, _ tags: TagFile) {
        self.tags = tags
        set("TITLE", match.trackTitle)
        setArtists("ARTIST", match.artist)
        set("ALBUM", match.albumTitle)
        setArtists("ALBUMARTIST", match.albumArtist)
        // A date names its year.
        if let year = match.albumReleaseYear, tags["DATE"].count != 1 || tags["DATE"].first?.hasPrefix(year) != true {
            set("DATE", year)
        }
        setCount(
            "TRACK",
            match.trackNumber > 0 ? match.trackNumber : nil,
            match.discTrackCount ?? (match.albumTrackCount > 0 ? match.albumTrackCount : nil)
        )
        setCount("DISC", match.discNumber, match.discCount)
        setIdentifiers(match)
    }

    private mutating func set(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty, tags[name] != [value] else { return }
        values[name] = [value]
    }

    // MARK: - Artists

    /// Writes a credit, unless the file has its artists one by one.
    private mutating func setArtists(_ name: String, _ credit: String?) {
        let old = tags[name]
        guard let credit, old.count < 2 || Self.words(old.joined(separator: " ")) != Self.words(credit) else { return }
        set(name, credit)
    }

    /// The words of a credit without those that join artists.
    private static func words(_ text: String) -> [Substring] {
        let joining: Set<Substring> = [
            "and", "feat", "featuring", "ft", "with", "vs", "versus", "x", "und", "et", "y", "e",
        ]
        return SearchText(text).folded.split { !$0.isLetter && !$0.isNumber }.filter { !joining.contains($0) }
    }

    // MARK: - Numbers

    /// Writes a number and how many there are: of ID3, MP4 and APE both stand in one place, of Vorbis comments in two.
    ///
    /// - Parameter name: `TRACK` or `DISC`.
    private mutating func setCount(_ name: String, _ number: Int?, _ total: Int?) {
        guard number != nil || total != nil else { return }
        let key = name + "NUMBER"
        let old = tags[key].first ?? ""
        let parts = old.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let (oldNumber, oldTotal) = (parts.first.flatMap(Self.number), parts.count > 1 ? Self.number(parts[1]) : nil)
        let names = ["\(name)TOTAL", "TOTAL\(name)S"]
        let known = names.filter { !tags[$0].isEmpty }
        // A file may have the total of an album behind the number even so.
        if tags.container.format == .vorbisComments, parts.count < 2 || !known.isEmpty {
            if let total {
                // Players know both names: the one that the file has.
                for name in known.isEmpty ? [names[0]] : known
                where tags[name].first.flatMap(Self.number) != total { set(name, String(total)) }
            }
            if let number, number != oldNumber || parts.count > 1 && total != nil && total != oldTotal {
                set(key, parts.count > 1 ? "\(number)/\(total.map(String.init) ?? parts[1])" : String(number))
            }
            return
        }
        guard let number = number ?? oldNumber else { return }
        let newTotal = total ?? oldTotal
        guard number != oldNumber || newTotal != oldTotal || tags[key].count > 1 else { return }
        set(key, newTotal.map { "\(number)/\($0)" } ?? String(number))
    }

    private static func number(_ text: String) -> Int? {
        Int(text.filter { !$0.isWhitespace })
    }

    // MARK: - Identifiers

    private mutating func setIdentifiers(_ match: MusicMatch) {
        var wanted: [String: [String]] = [:]
        for text in (match.trackIdentifiers ?? []) + (match.albumIdentifiers ?? []) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let scheme = CatalogueIdentifier.Scheme(rawValue: String(parts[0])),
                let name = Self.names[scheme]
            else { continue }
            wanted[name, default: []].append(String(parts[1]))
        }
        for (name, new) in wanted {
            let old = tags[name]
            let known = Set(old.map { $0.uppercased() })
            let missing = new.filter { !known.contains($0.uppercased()) }
            guard !missing.isEmpty else { continue }
            // A recording may have several, all of them right. A file is of one album, so that there another is instead.
            values[name] = Self.several.contains(name) ? old + missing : new
        }
    }

    private static let names: [CatalogueIdentifier.Scheme: String] = [
        .musicBrainzRecording: "MUSICBRAINZ_TRACKID", .musicBrainzTrack: "MUSICBRAINZ_RELEASETRACKID",
        .musicBrainzRelease: "MUSICBRAINZ_ALBUMID", .musicBrainzReleaseGroup: "MUSICBRAINZ_RELEASEGROUPID",
        .isrc: "ISRC",
    ]
    private static let several: Set<String> = ["ISRC", "MUSICBRAINZ_TRACKID"]
}
