package import EarshotCore
import Foundation

/// The tags of an audio file as a description of a track, under the names that the usual programs write.
///
/// A value that cannot be parsed is ignored. Names of tags are compared without case, spaces and underscores, so that
/// `MusicBrainz Album Id`, `MUSICBRAINZ_ALBUMID` and `musicbrainz_albumid` are one.
package struct TrackTags: Sendable {
    private let values: [String: String]

    /// Creates the tags of a file.
    ///
    /// - Parameter tags: The values by name. Of names that compare equal, the first in order is used.
    package init(_ tags: [String: String]) {
        var values: [String: String] = [:]
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
            if !trimmed.isEmpty { values[Self.folded(name)] = values[Self.folded(name)] ?? trimmed }
        }
        self.values = values
    }

    /// The artist of the track, or the album artist if the tags name none.
    package var artist: String? { self["artist"] ?? albumArtist }
    /// The title of the track.
    package var title: String? { self["title"] }

    /// The album artist.
    package var albumArtist: String? { self["albumartist"] }
    /// The title of the album.
    package var album: String? { self["album"] }
    /// The genre, as the tags write it.
    package var genre: String? { self["genre"] }
    /// The artist of the track; `nil` if the tags name an album artist only.
    package var ownArtist: String? { self["artist"] }
    /// The track's number on its disc, counted from 1, and the number of tracks on it; `nil` for an absent one.
    package var place: (number: Int?, count: Int?) {
        let place = self["track", "tracknumber", "trck"].flatMap(FieldText.place)
        return (place?.number, place?.count ?? self["tracktotal", "totaltracks"].flatMap(FieldText.place)?.number)
    }
    /// The number of the disc in its set, counted from 1, and the number of discs; `nil` for an absent one.
    package var disc: (number: Int?, count: Int?) {
        let place = self["disc", "discnumber", "tpos"].flatMap(FieldText.place)
        return (place?.number, place?.count ?? self["disctotal", "totaldiscs"].flatMap(FieldText.place)?.number)
    }
    /// The date of the first publication.
    package var date: PartialDate? {
        self["originaldate", "originalyear", "date", "year"].flatMap(FieldText.date)
    }
    /// `true` if the album holds tracks of many artists.
    package var isCompilation: Bool {
        ["1", "true", "yes"].contains(self["compilation", "tcmp", "cpil"]?.lowercased() ?? "")
    }
    /// Identifiers of the recording, the track, the album and its artist that the trade and the public databases use.
    package var identifiers: Set<MusicIdentifier> {
        Set(
            [
                identifier(.musicBrainzRecording, "musicbrainztrackid"),
                identifier(.musicBrainzTrack, "musicbrainzreleasetrackid"), identifier(.isrc, "isrc", "tsrc"),
                identifier(.musicBrainzRelease, "musicbrainzalbumid"),
                identifier(.musicBrainzReleaseGroup, "musicbrainzreleasegroupid"),
                identifier(.barcode, "barcode", "upc"), identifier(.acoustID, "acoustidid"),
                identifier(.musicBrainzArtist, "musicbrainzartistid"),
            ]
            .compactMap(\.self)
        )
    }

    /// Builds the description of a track from the tags.
    ///
    /// - Parameters:
    ///   - duration: The duration of the file; `nil` if unknown.
    ///   - taxonomies: The names of genres and other descriptors.
    ///   - unknown: Collects texts that name no descriptor.
    /// - Throws: `metadataInvalid` if the file has no title.
    package func description(
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
        track.artist = ownArtist.map { party($0, .musicBrainzArtist, "musicbrainzartistid") }
        track.isCompilation = isCompilation
        // A collection without an artist of its own would fall apart into an album for each artist.
        if let name = albumArtist ?? (track.isCompilation ? "Various Artists" : nil) {
            track.albumArtist = party(name, .musicBrainzArtist, "musicbrainzalbumartistid")
        }
        if let name = album {
            track.album = party(name, .musicBrainzRelease, "musicbrainzalbumid")
            let others = [
                identifier(.musicBrainzReleaseGroup, "musicbrainzreleasegroupid"),
                identifier(.barcode, "barcode", "upc"), identifier(.discogsRelease, "discogsreleaseid"),
            ]
            track.album?.identifiers.formUnion(others.compactMap(\.self))
        }
        (track.number, track.trackCount) = place
        track.disc = disc.number
        track.date = date
        track.duration = duration.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil }
        track.genres = descriptor(.genre, genre, taxonomies, unknown).map { [$0] } ?? []
        track.mood = descriptor(.mood, self["mood", "tmoo"], taxonomies, unknown)
        track.tempo = descriptor(.tempo, self["tempo", "bpm", "tbpm"], taxonomies, unknown)
        return track
    }

    // MARK: - Values

    private subscript(names: String...) -> String? { names.lazy.compactMap { values[$0] }.first }

    private func identifier(_ scheme: MusicIdentifier.Scheme, _ names: String...) -> MusicIdentifier? {
        names.lazy.compactMap { values[$0] }.compactMap { MusicIdentifier(scheme, $0) }.first
    }

    /// Of several artists in one tag there are several identifiers, none of which is that of the whole: it has one of its own.
    private func party<Entity>(
        _ name: String,
        _ scheme: MusicIdentifier.Scheme,
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
