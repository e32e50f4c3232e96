import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import EarshotRecognition

/// Shows one entity, or says that there is none.
private func show(_ record: MusicRecord?, _ what: String, _ id: String, asJSON: Bool) throws {
    guard let record else {
        Terminal.note("There is no \(what) with the id \"\(id)\".")
        throw ExitCode(3)
    }
    if asJSON { return Terminal.print(try JSON.document(record)) }
    for line in record.lines { Terminal.print(line) }
}

struct TrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Show what is known of a track.",
        discussion: """
            EXAMPLES
              earshot track 1ac04871-5cfb-418c-8aed-a0a0a46d1146
              earshot track 1ac04871-5cfb-418c-8aed-a0a0a46d1146 --language jpn --json

            Exit status 3: there is no such track.
            """
    )

    @Argument(help: "The track's id.")
    var id: String

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: MusicOptions

    func run() async throws {
        if let (service, preferences) = try options.remote() {
            let match = try await service.track(EntityID(id), preferences)
            return try show(match.map { MusicRecord($0) }, "track", id, asJSON: json)
        }
        let store = try await options.database.existing()
        var record: MusicRecord?
        if let track = try await store.track(EntityID(id)) {
            record = MusicRecord(track, on: try await options.album(of: track, store), options.taste)
            record?.lyrics = try await store.lyrics(of: track.id).first?.lines.map(\.text)
        }
        try show(record, "track", id, asJSON: json)
    }
}

struct AlbumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "Show what is known of an album, with its tracks.",
        discussion: "Exit status 3: there is no such album."
    )

    @Argument(help: "The album's id.")
    var id: String

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: MusicOptions

    private struct Document: Encodable {
        let album: MusicRecord
        let tracks: [MusicRecord]
    }

    func run() async throws {
        if let (service, preferences) = try options.remote() {
            let match = try await service.album(EntityID(id), preferences)
            return try show(match.map { MusicRecord($0) }, "album", id, asJSON: json)
        }
        let store = try await options.database.existing()
        guard let album = try await store.album(EntityID(id)) else { return try show(nil, "album", id, asJSON: json) }
        let record = MusicRecord(album, options.taste)
        let tracks = try await store.tracks(of: album.id)
        let records = tracks.map { MusicRecord($0, on: album, options.taste) }
        if json { return Terminal.print(try JSON.document(Document(album: record, tracks: records))) }
        try show(record, "album", id, asJSON: false)
        Terminal.print("")
        for (track, record) in zip(tracks, records) {
            let number = track.place.map { place in
                (album.media.count > 1 ? "\(place.medium)." : "") + (place.number.map(String.init) ?? "-")
            }
            let guest = record.artist == album.credits.displayName ? "" : "  \(record.artist ?? "")"
            let length = track.duration.map { "  " + DisplayText.position($0) } ?? ""
            Terminal.print(
                "  \(number ?? "-")  \(record.title ?? "")\(guest)\(Terminal.dim(length + "  " + record.id))"
            )
        }
    }
}

struct ArtistCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artist",
        abstract: "Show what is known of an artist, with the albums.",
        discussion: "Exit status 3: there is no such artist."
    )

    @Argument(help: "The artist's id.")
    var id: String

    @Option(name: .long, help: "How many albums, at most.")
    var limit = 100

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: MusicOptions

    private struct Document: Encodable {
        let artist: MusicRecord
        let albums: [MusicRecord]
    }

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit must be 0 or more.") }
        guard options.service.server == nil else {
            throw ValidationError("A service tells no artists: use --database.")
        }
    }

    func run() async throws {
        let store = try await options.database.existing()
        guard let artist = try await store.artist(EntityID(id)) else {
            return try show(nil, "artist", id, asJSON: json)
        }
        let record = MusicRecord(artist, options.taste)
        let albums = try await store.albums(of: artist.id, offset: 0, limit: limit)
            .map { MusicRecord($0, options.taste) }
        if json { return Terminal.print(try JSON.document(Document(artist: record, albums: albums))) }
        try show(record, "artist", id, asJSON: false)
        if !albums.isEmpty { Terminal.print("") }
        for album in albums {
            Terminal.print("  \(album.date ?? "    ")  \(album.title ?? "")  \(Terminal.dim(album.id))")
        }
    }
}
