import EarshotCore
import EarshotFingerprints
import EarshotMusic
import Foundation

/// Collects the metadata of the recordings of tracks, for one answer. Each recording and artist is read once.
struct AcoustIDMetadata {
    /// The most releases of a recording in an answer: some are on hundreds.
    private static let mostPlaces = 100
    /// The most recordings of a track in an answer: those with the most sources.
    private static let mostLinks = 25
    /// The most submitted texts of a track in an answer, for tracks without other metadata.
    private static let mostTexts = 10

    let music: any MusicStore
    let fingerprints: any FingerprintTrackStore
    let layout: AcoustIDLayout
    private var albums: [EntityID<Album>: Album?] = [:]
    private var artists: [EntityID<Artist>: String] = [:]
    private var entries: [UUID: [AcoustIDEntry]] = [:]

    init(music: any MusicStore, fingerprints: any FingerprintTrackStore, layout: AcoustIDLayout) {
        self.music = music
        self.fingerprints = fingerprints
        self.layout = layout
    }

    /// Returns the members of the results of tracks besides their ids and scores.
    mutating func members(of tracks: [UUID]) async throws(EarshotError) -> [UUID: [String: JSONValue]] {
        guard layout.asksForAnything, !tracks.isEmpty else { return [:] }
        let links = try await fingerprints.links(of: tracks, limit: Self.mostLinks)
        let texts =
            layout.asksForUserMetadata ? try await fingerprints.metadata(of: tracks, limit: Self.mostTexts) : [:]
        var members: [UUID: [String: JSONValue]] = [:]
        for track in Set(tracks) {
            var recordings: [(id: String, sources: Int, entries: [AcoustIDEntry])] = []
            for link in links[track] ?? [] where !link.isDisabled {
                // If only ids are requested, the music store need not be read.
                let entries = layout.asksForEntries ? try await entries(of: link.recording) : []
                recordings.append((link.recording.text, link.sources, entries))
            }
            var found = layout.members(recordings)
            if recordings.allSatisfy({ $0.entries.isEmpty }), let texts = texts[track] {
                var told: [JSONValue] = []
                if case .array(let values) = found["recordings"] { told = values }
                found["recordings"] = .array(told + texts.map(layout.userRecording))
            }
            members[track] = found
        }
        return members
    }

    // MARK: - Entries

    private mutating func entries(of recording: UUID) async throws(EarshotError) -> [AcoustIDEntry] {
        if let known = entries[recording] { return known }
        var found: [AcoustIDEntry] = []
        if let identifier = MusicIdentifier(.musicBrainzRecording, recording.text) {
            for track in try await music.tracks(with: identifier).prefix(Self.mostPlaces) {
                found.append(try await entry(track, recording))
            }
        }
        entries[recording] = found
        return found
    }

    private mutating func entry(_ track: Track, _ recording: UUID) async throws(EarshotError) -> AcoustIDEntry {
        var album: Album?
        if let place = track.place { album = try await self.album(place.album) }
        let albumArtists = try await values(album?.credits ?? [])
        let artists = track.credits.isEmpty ? albumArtists : try await values(track.credits)
        let seconds = track.duration.flatMap { $0.isNumeric ? $0.seconds : nil }
        var entry = AcoustIDEntry(
            recording: recording.text,
            title: track.title.text,
            duration: seconds,
            artists: artists,
            isrcs: track.identifiers.filter { $0.scheme == .isrc }.map(\.value).sorted()
        )
        // Clients identify releases by their MBIDs, so a release without one is left out.
        guard let place = track.place, let album,
            let release = Self.id(album.identifiers, .musicBrainzRelease, album.id.rawValue)
        else { return entry }
        entry.release = AcoustIDEntry.Release(
            id: release,
            title: album.title.text,
            group: album.identifiers.first { $0.scheme == .musicBrainzReleaseGroup }?.value ?? "",
            isCompilation: album.isCompilation,
            date: album.date.map { date in
                var value: JSONValue = ["year": .integer(date.year)]
                value["month"] = date.month.map(JSONValue.integer)
                value["day"] = date.day.map(JSONValue.integer)
                return value
            },
            mediumCount: album.media.count,
            trackCount: album.trackCount,
            artists: albumArtists
        )
        let medium = album.media.first { $0.position == place.medium }
        entry.place = AcoustIDEntry.Place(
            medium: place.medium,
            format: medium?.format,
            mediumTitle: medium?.title,
            trackCount: medium?.trackCount,
            id: Self.id(track.identifiers, .musicBrainzTrack, track.id.rawValue) ?? "",
            position: place.number ?? 0,
            title: track.title.text,
            artists: artists,
            duration: seconds
        )
        return entry
    }

    private mutating func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album? {
        if let known = albums[id] { return known }
        let album = try await music.album(id)
        albums[id] = .some(album)
        return album
    }

    /// Returns the artists of credits with their MBIDs. The id is empty if there is none, because clients expect the member.
    private mutating func values(_ credits: [ArtistCredit]) async throws(EarshotError) -> JSONValue {
        var values: [JSONValue] = []
        for credit in credits where credit.role == .main || credit.role == .featured {
            var id = ""
            if let artist = credit.artist { id = try await self.id(of: artist) }
            var value: JSONValue = ["id": .string(id), "name": .string(credit.name)]
            if !credit.joint.isEmpty { value["joinphrase"] = .string(credit.joint) }
            values.append(value)
        }
        return .array(values)
    }

    private mutating func id(of artist: EntityID<Artist>) async throws(EarshotError) -> String {
        if let known = artists[artist] { return known }
        let identifiers = try await music.artist(artist)?.identifiers ?? []
        let id = Self.id(identifiers, .musicBrainzArtist, artist.rawValue) ?? ""
        artists[artist] = id
        return id
    }

    /// Returns the identifier of a scheme: the stated one, or the entity's own id if it is an MBID, as after an import.
    private static func id(
        _ identifiers: Set<MusicIdentifier>,
        _ scheme: MusicIdentifier.Scheme,
        _ own: String
    ) -> String? {
        identifiers.filter { $0.scheme == scheme }.map(\.value).min() ?? UUID(uuidString: own)?.text
    }
}

extension AcoustIDLayout {
    /// Returns the submitted metadata of a track in place of a recording without an id.
    func userRecording(_ metadata: SubmittedMetadata) -> JSONValue {
        func artists(_ name: String?) -> JSONValue? { name.map { [["name": .string($0)]] } }
        var value: JSONValue = [:]
        guard !words.contains("recordingids") else { return value }
        value["title"] = metadata.track.map(JSONValue.string)
        value["artists"] = artists(metadata.artist)
        var album: JSONValue = [:]
        album["title"] = metadata.album.map(JSONValue.string)
        album["artists"] = artists(metadata.albumArtist)
        guard album != [:] else { return value }
        if words.contains("releasegroups") {
            value["releasegroups"] = [album]
        } else if words.contains("releases") {
            if let year = metadata.year { album["date"] = ["year": .integer(year)] }
            value["releases"] = [album]
        }
        return value
    }
}
