public import EarshotCore
import Foundation

/// The tags of an audio file as a description of a track, under the names that the usual programs write.
///
/// Tags are what they are: a value that cannot be read is left out. Names of tags fold case, spaces and underscores, so that
/// `MusicBrainz Album Id`, `MUSICBRAINZ_ALBUMID` and `musicbrainz_albumid` are one.
public struct TrackTags: Sendable {
    private let values: [String: String]

    /// Tags of a file.
    ///
    /// - Parameter tags: Values by name; of names that are one here, the first in order stays.
    public init(_ tags: [String: String]) {
        var values: [String: String] = [:]
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
            if !trimmed.isEmpty { values[Self.folded(name)] = values[Self.folded(name)] ?? trimmed }
        }
        self.values = values
    }

    /// Who performs it; the album's artist where that is not said.
    public var artist: String? { self["artist"] ?? albumArtist }
    /// What the piece is called.
    public var title: String? { self["title"] }

    private var albumArtist: String? { self["albumartist"] }

    /// What the tags say.
    ///
    /// - Parameters:
    ///   - duration: How long the file lasts, where that is known.
    ///   - taxonomies: How genres and other descriptors are named.
    ///   - unknown: Told of texts that name no descriptor.
    /// - Throws: `metadataInvalid` when the file has no title.
    public func description(
        duration: MediaTime? = nil,
        taxonomies: Taxonomies = .builtIn,
        unknown: UnknownDescriptors? = nil
    ) throws(EarshotError) -> TrackDescription {
        guard let title else {
            throw EarshotError(.metadataInvalid, "The file has no tag that names its title: add one with a tag editor.")
        }
        var track = TrackDescription(title: Name(title))
        if let recording = identifier(.musicBrainzRecording, "musicbrainztrackid") {
            track.id = EntityID(recording.value)
            track.identifiers.insert(recording)
        }
        track.identifiers.formUnion(
            [identifier(.musicBrainzTrack, "musicbrainzreleasetrackid"), identifier(.isrc, "isrc", "tsrc")]
                .compactMap(\.self)
        )
        track.artist = self["artist"].map { party($0, .musicBrainzArtist, "musicbrainzartistid") }
        track.isCompilation = ["1", "true", "yes"].contains(self["compilation", "tcmp", "cpil"]?.lowercased() ?? "")
        // A collection without an artist of its own would fall apart into an album for each artist.
        if let name = albumArtist ?? (track.isCompilation ? "Various Artists" : nil) {
            track.albumArtist = party(name, .musicBrainzArtist, "musicbrainzalbumartistid")
        }
        if let name = self["album"] {
            track.album = party(name, .musicBrainzRelease, "musicbrainzalbumid")
            let others = [
                identifier(.musicBrainzReleaseGroup, "musicbrainzreleasegroupid"),
                identifier(.barcode, "barcode", "upc"),
            ]
            track.album?.identifiers.formUnion(others.compactMap(\.self))
        }
        let place = self["track", "tracknumber", "trck"].flatMap(FieldText.place)
        track.number = place?.number
        track.trackCount = place?.count ?? self["tracktotal", "totaltracks"].flatMap(FieldText.place)?.number
        track.disc = self["disc", "discnumber", "tpos"].flatMap(FieldText.place)?.number
        track.date = self["originaldate", "originalyear", "date", "year"].flatMap(FieldText.date)
        track.duration = duration.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil }
        track.genres = descriptor(.genre, self["genre"], taxonomies, unknown).map { [$0] } ?? []
        track.mood = descriptor(.mood, self["mood", "tmoo"], taxonomies, unknown)
        track.tempo = descriptor(.tempo, self["tempo", "bpm", "tbpm"], taxonomies, unknown)
        return track
    }

    // MARK: - Values

    private subscript(names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

    private func identifier(_ scheme: CatalogueIdentifier.Scheme, _ names: String...) -> CatalogueIdentifier? {
        names.lazy.compactMap { values[$0] }.compactMap { CatalogueIdentifier(scheme, $0) }.first
    }

    /// Of several artists in one tag there are several identifiers, none of which is that of the whole: it has one of its own.
    private func party<Entity>(
        _ name: String,
        _ scheme: CatalogueIdentifier.Scheme,
        _ tag: String
    ) -> TrackDescription.Party<Entity> {
        var party = TrackDescription.Party<Entity>(Name(name))
        if let identifier = identifier(scheme, tag) {
            party.id = EntityID(identifier.value)
            party.identifiers = [identifier]
        }
        return party
    }

    private func descriptor(
        _ kind: DescriptorKind,
        _ text: String?,
        _ taxonomies: Taxonomies,
        _ unknown: UnknownDescriptors?
    ) -> String? {
        guard let text else { return nil }
        if let node = taxonomies.node(kind, matching: text) { return node.id }
        unknown?.add(text, kind)
        return nil
    }

    private static func folded(_ name: String) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "_" })
    }
}
