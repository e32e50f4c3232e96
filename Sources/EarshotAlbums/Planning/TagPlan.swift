public import EarshotCatalogs
public import EarshotCore
public import EarshotMedia
import EarshotMetadata
public import Foundation

/// What is to be written into one file so that its tags say what it was identified as.
public struct TagPlan: Sendable {
    /// A property that becomes another.
    public struct Difference: Hashable, Sendable {
        /// Its name in capitals: `TITLE`.
        public let name: String
        /// Its values now.
        public let old: [String]
        /// Its values afterwards.
        public let new: [String]
    }

    /// What is planned.
    public struct Options: Sendable {
        /// From which confidence on a file is changed, 0...1.
        public var leastConfidence = 0.8
        /// How files are named; they keep their names and folders when absent.
        public var template: RenameTemplate?
        /// The folder from which names of the template go.
        public var root: URL?

        /// The usual ones.
        public init() {}
    }

    /// The file, by the name that the question gave it.
    public let id: String
    /// What changes in its tags, in order of names.
    public let differences: [Difference]
    /// What is carried out.
    public let change: TagWriter.Change
    /// Where it goes, from the root on; nothing where it stays.
    public let path: String?

    /// Whether nothing is to be done.
    public var isEmpty: Bool { differences.isEmpty && change.edit.isEmpty && change.destination == nil }

    /// Plans for a file.
    ///
    /// Everything that the match does not name stays as it is: comments, genres, lyrics, pictures, frames that nobody knows.
    ///
    /// - Parameters:
    ///   - decision: What the file was identified as.
    ///   - tags: What it says of itself now.
    ///   - cover: Put in where the file has no front cover.
    ///   - options: What is planned.
    /// - Returns: Nothing for a file without a match, or with one that is not sure enough.
    /// - Throws: `metadataInvalid` where the match gives no name by the template.
    public init?(
        _ decision: FileDecision,
        tags: TagFile,
        cover: TagPicture? = nil,
        options: Options = Options()
    ) throws(EarshotError) {
        guard let match = decision.match, decision.confidence >= options.leastConfidence else { return nil }
        id = decision.file
        var edit = TagEdit()
        var differences: [Difference] = []
        for (name, values) in Self.properties(of: match).sorted(by: { $0.key < $1.key }) {
            let old = tags[name]
            guard old != values, !Self.isSame(name, old, values) else { continue }
            try edit.set(name, to: values)
            differences.append(Difference(name: name, old: old, new: values))
        }
        self.differences = differences
        if let cover, !tags.pictures.contains(where: { $0.kind == cover.kind }) { edit.set(cover) }
        var destination: URL?
        var path: String?
        if let template = options.template, let root = options.root {
            let properties = tags.properties.merging(edit.properties) { $1 }
            let wanted = try template.path(for: properties, suffix: tags.url.pathExtension)
            let url = root.appendingPathComponent(wanted)
            if url.standardizedFileURL.path != tags.url.standardizedFileURL.path { (destination, path) = (url, wanted) }
        }
        self.path = path
        change = TagWriter.Change(file: tags.url, edit: edit, destination: destination)
    }

    /// The properties that a match names, as TagLib's property map has them.
    static func properties(of match: MusicMatch) -> [String: [String]] {
        var properties: [String: [String]] = [:]
        func set(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { properties[name] = [value] }
        }
        set("TITLE", match.trackTitle)
        set("ARTIST", match.artist)
        set("ALBUM", match.albumTitle)
        set("ALBUMARTIST", match.albumArtist)
        set("DATE", match.albumReleaseYear)
        if match.trackNumber > 0 { set("TRACKNUMBER", String(match.trackNumber)) }
        set(
            "TRACKTOTAL",
            (match.discTrackCount ?? (match.albumTrackCount > 0 ? match.albumTrackCount : nil)).map(String.init)
        )
        set("DISCNUMBER", match.discNumber.map(String.init))
        set("DISCTOTAL", match.discCount.map(String.init))
        let names: [CatalogueIdentifier.Scheme: String] = [
            .musicBrainzRecording: "MUSICBRAINZ_TRACKID", .musicBrainzTrack: "MUSICBRAINZ_RELEASETRACKID",
            .musicBrainzRelease: "MUSICBRAINZ_ALBUMID", .musicBrainzReleaseGroup: "MUSICBRAINZ_RELEASEGROUPID",
            .isrc: "ISRC",
        ]
        for text in (match.trackIdentifiers ?? []) + (match.albumIdentifiers ?? []) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let scheme = CatalogueIdentifier.Scheme(rawValue: String(parts[0])),
                let name = names[scheme]
            else { continue }
            properties[name, default: []].append(String(parts[1]))
        }
        return properties
    }

    /// Whether two values say the same in other forms: `3/12` names number and total, a date its year.
    private static func isSame(_ name: String, _ old: [String], _ new: [String]) -> Bool {
        guard let before = old.first, let after = new.first, old.count == 1, new.count == 1 else { return false }
        switch name {
        case "TRACKNUMBER", "DISCNUMBER":
            return before.split(separator: "/").first.flatMap { Int($0) } == Int(after)
        case "DATE": return before.hasPrefix(after)
        default: return false
        }
    }
}
