import EarshotCatalogs
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import EarshotTags

/// The properties that a match names and a file does not say yet, as TagLib's property map has them.
struct TargetTags {
    /// The part of a match that is sure enough to be written.
    enum Extent: Int, Comparable {
        /// The piece: which of the albums that have it the file is from is anybody's guess.
        case track
        /// The album too, but not which edition of it.
        case album
        /// All of it.
        case edition

        static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
    }

    private(set) var values: [String: [String]] = [:]
    private let tags: TagFile

    init(_ match: MusicMatch, _ tags: TagFile, _ extent: Extent = .edition) {
        self.tags = tags
        set("TITLE", match.track.title)
        setArtists("ARTIST", match.artist.name)
        setIdentifiers(match, extent)
        guard extent >= .album else { return }
        set("ALBUM", match.album.title)
        setArtists("ALBUMARTIST", match.album.artist)
        // A date names its year.
        if extent >= .edition, let year = match.album.releaseYear,
            tags["DATE"].count != 1 || tags["DATE"].first?.hasPrefix(year) != true
        {
            set("DATE", year)
        }
        setCount(
            "TRACK",
            match.track.number > 0 ? match.track.number : nil,
            match.track.discTrackCount ?? (match.album.trackCount > 0 ? match.album.trackCount : nil)
        )
        setCount("DISC", match.track.discNumber, match.album.discCount)
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

    private mutating func setIdentifiers(_ match: MusicMatch, _ extent: Extent) {
        var wanted: [String: [String]] = [:]
        for text in (match.track.identifiers ?? []) + (match.album.identifiers ?? []) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let scheme = MusicIdentifier.Scheme(rawValue: String(parts[0])),
                let (name, least) = Self.names[scheme], extent >= least
            else { continue }
            wanted[name, default: []].append(String(parts[1]))
        }
        for (name, new) in wanted {
            let old = tags[name]
            let known = Set(old.map { $0.uppercased() })
            let missing = new.filter { !known.contains($0.uppercased()) }
            guard !missing.isEmpty else { continue }
            // A recording may have several, all of them right where one is. A file is of one album, so that there another is instead.
            let isAddition = Self.several.contains(name) && missing.count < new.count
            values[name] = isAddition ? old + missing : new
        }
    }

    private static let names: [MusicIdentifier.Scheme: (name: String, least: Extent)] = [
        .isrc: ("ISRC", .track), .musicBrainzRecording: ("MUSICBRAINZ_TRACKID", .track),
        .musicBrainzReleaseGroup: ("MUSICBRAINZ_RELEASEGROUPID", .album),
        .musicBrainzTrack: ("MUSICBRAINZ_RELEASETRACKID", .edition),
        .musicBrainzRelease: ("MUSICBRAINZ_ALBUMID", .edition),
    ]
    private static let several: Set<String> = ["ISRC", "MUSICBRAINZ_TRACKID"]
}
