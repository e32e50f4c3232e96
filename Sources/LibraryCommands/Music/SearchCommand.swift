import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import EarshotRecognition

#if Service
    import EarshotClient
#endif

/// The languages in which found music is named, and the database that has it.
struct MusicOptions: ParsableArguments {
    @OptionGroup var database: MusicDatabase

    @OptionGroup(title: "Service") var service: ServiceOptions

    @Option(name: .long, help: "Name things in this language, where there are names: jpn, de.")
    var language: String?

    @Option(name: .long, help: "Show the genres of this country: JPN, DEU, USA.")
    var country: String?

    /// A service that music is asked of.
    typealias Remote = (service: any RecognitionService & AlbumRecognitionService, preferences: ContentPreferences)

    /// The service that is asked in place of a database, where one is named and no database is.
    func remote() throws -> Remote? {
        guard service.server != nil || (service.address != nil && database.database == nil) else { return nil }
        #if Service
            let (remote, preferences) = try service.connect(language: language, country: country) { configuration in
                for kind in DescriptorKind.allCases { configuration.preferences.levels[kind] = .extended }
                configuration.preferences.mood = true
                configuration.preferences.tempo = true
                configuration.preferences.origin = true
            }
            return (remote, preferences)
        #else
            throw LeftOutFeature.error("--server", "Service")
        #endif
    }

    var taste: MusicRecord.Taste { MusicRecord.Taste(language: language, country: country) }

    /// The entity of a hit, with the fields that are shown.
    func record(_ hit: MusicHit, _ store: any MusicStore) async throws -> MusicRecord? {
        var record: MusicRecord?
        switch hit.entity {
        case .track(let id):
            guard let track = try await store.track(id) else { return nil }
            record = MusicRecord(track, on: try await album(of: track, store), taste)
        case .album(let id): record = try await store.album(id).map { MusicRecord($0, taste) }
        case .artist(let id): record = try await store.artist(id).map { MusicRecord($0, taste) }
        case .lyrics(let id): record = try await store.lyrics(id).map { MusicRecord($0) }
        }
        record?.score = (hit.score * 1000).rounded() / 1000
        return record
    }

    func album(of track: Track, _ store: any MusicStore) async throws -> Album? {
        guard let place = track.place else { return nil }
        return try await store.album(place.album)
    }

    func show(_ hits: [MusicHit], _ store: any MusicStore, asJSON: Bool) async throws {
        var records: [MusicRecord] = []
        for hit in hits {
            if let record = try await record(hit, store) { records.append(record) }
        }
        if asJSON {
            Terminal.print(try JSON.document(["results": records]))
        } else if records.isEmpty {
            Terminal.print("Nothing was found.")
        } else {
            for record in records { Terminal.print(record.line) }
        }
        if records.isEmpty { throw ExitCode(3) }
    }
}

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find tracks, albums and artists by text.",
        discussion: """
            Words without an option are looked for in titles, albums and artists alike. With --track tracks are found, with \
            --album alone albums, with --artist alone artists. Case, accents, widths, kana, numbers in words or digits do \
            not matter, and small mistakes are forgiven where nothing fits as it is written.

            EXAMPLES
              earshot search moon river
              earshot search --artist "the tin foxes" --track lantern
              earshot search --album "morning rail" --json
              earshot search lant --typing

            Exit status 3: nothing was found.
            """
    )

    @Argument(help: "Words of a title, an album, an artist.")
    var words: [String] = []

    @Option(name: .long, help: "Words of the artist's name.")
    var artist: String?

    @Option(name: .long, help: "Words of the album's title.")
    var album: String?

    @Option(name: .long, help: "Words of the track's title.")
    var track: String?

    @Flag(name: .long, help: "The last word may be the beginning of a longer one.")
    var typing = false

    @Option(name: .long, help: "How many results, 1 to 100.")
    var limit = 10

    @Option(name: .long, help: "Leave out so many of the first results.")
    var offset = 0

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: MusicOptions

    func validate() throws {
        let texts = [words.joined(separator: " "), artist ?? "", album ?? "", track ?? ""]
        guard texts.contains(where: { !SearchQuery($0).terms.isEmpty }) else {
            throw ValidationError("There is nothing to search for: give words, --artist, --album or --track.")
        }
        guard (1...100).contains(limit) else { throw ValidationError("--limit must be 1 to 100.") }
        guard offset >= 0 else { throw ValidationError("--offset must be 0 or more.") }
    }

    func run() async throws {
        let query = MusicQuery(
            words.isEmpty ? nil : words.joined(separator: " "),
            artist: artist,
            album: album,
            track: track,
            isTyping: typing,
            offset: offset,
            limit: limit
        )
        if let (service, preferences) = try options.remote() {
            return try MusicRecord.show(try await service.search(query, preferences), asJSON: json)
        }
        let store = try await options.database.existing()
        try await options.show(try await store.search(query), store, asJSON: json)
    }
}

struct LyricsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lyrics",
        abstract: "Find tracks by words that are sung in them.",
        discussion: """
            The words need not be in order, nor all of them right.

            EXAMPLES
              earshot lyrics carry the lantern over the hill
              earshot lyrics "over the water" --artist "tin foxes" --json

            Exit status 3: nothing was found.
            """
    )

    @Argument(help: "Words of the song.")
    var words: [String]

    @Option(name: .long, help: "Words of the artist's name.")
    var artist: String?

    @Option(name: .long, help: "How many results, 1 to 100.")
    var limit = 10

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: MusicOptions

    func validate() throws {
        guard !SearchQuery(words.joined(separator: " ")).terms.isEmpty else {
            throw ValidationError("The search has no words: give some words of the song.")
        }
        guard (1...100).contains(limit) else { throw ValidationError("--limit must be 1 to 100.") }
    }

    func run() async throws {
        let query = LyricQuery(words.joined(separator: " "), artist: artist, limit: limit)
        if let (service, preferences) = try options.remote() {
            return try MusicRecord.show(try await service.search(query, preferences), asJSON: json)
        }
        let store = try await options.database.existing()
        try await options.show(try await store.search(query), store, asJSON: json)
    }
}
