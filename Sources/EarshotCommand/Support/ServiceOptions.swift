import ArgumentParser
import EarshotClient
import EarshotCore
import EarshotMetadata
import Foundation

/// The recognition service that a command asks, and what is wanted of it.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The address of a recognition service.", discussion: "Without it EARSHOT_SERVER.")
    )
    var server: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The client identifier, ID-TAG, for the service.", discussion: "Without it EARSHOT_CLIENT.")
    )
    var client: String?

    /// The address of the service; nothing when none is named.
    var address: String? { Self.value(server, "EARSHOT_SERVER") }

    /// The client identifier; nothing when none is named.
    var identifier: String? { Self.value(client, "EARSHOT_CLIENT") }

    private static func value(_ option: String?, _ name: String) -> String? {
        let text = option ?? ProcessInfo.processInfo.environment[name]
        return text?.isEmpty == false ? text : nil
    }

    /// The service, and what is wanted of it.
    func connect(
        language: String? = nil,
        country: String? = nil,
        _ change: (inout ClientConfiguration) throws -> Void = { _ in }
    ) throws -> (HTTPRecognitionService, ContentPreferences) {
        guard let address else {
            throw EarshotError(
                .configurationInvalid,
                "No service is named: give --server with its address, or set EARSHOT_SERVER."
            )
        }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw EarshotError(
                .configurationInvalid,
                "\(address) is no address of a service: --server takes one that begins with http:// or https://."
            )
        }
        guard let identifier else {
            throw EarshotError(
                .configurationInvalid,
                "There is no client identifier: give --client ID-TAG as the operator of the service gave it."
            )
        }
        var configuration = try ClientConfiguration(clientIdentifier: identifier)
        // Two letters of a language are taken too, as where music is looked up on this machine.
        if let language {
            try configuration.setValue(ISOCodes.language(language) ?? language, forKey: "content.lang")
        }
        if let country { try configuration.setValue(country, forKey: "content.country") }
        try change(&configuration)
        return (HTTPRecognitionService(url, configuration: configuration), configuration.preferences)
    }
}

/// What a service answered, as commands print it.
extension MusicRecord {
    init(_ match: MusicMatch) {
        let isTrack = match.trackID != nil || match.trackTitle != nil
        self.init(
            kind: isTrack ? "track" : match.albumID != nil ? "album" : "artist",
            id: match.trackID?.rawValue ?? (isTrack ? "" : match.albumID?.rawValue ?? match.artistID?.rawValue ?? "")
        )
        artist = isTrack ? match.artist : match.albumArtist ?? match.artist
        title = isTrack ? match.trackTitle : match.albumTitle
        album = isTrack ? match.albumTitle : nil
        albumID = isTrack ? match.albumID?.rawValue : nil
        date = match.albumReleaseYear
        trackNumber = isTrack && match.trackNumber > 0 ? match.trackNumber : nil
        trackCount = isTrack || match.albumTrackCount < 0 ? nil : match.albumTrackCount
        seconds = match.trackDuration
        let genre = isTrack ? match.trackGenre : match.albumGenre
        genres = genre.isEmpty ? nil : genre.map(\.name)
        mood = match.mood.first?.name
        tempo = match.tempo.first?.name
        origin = match.origin.isEmpty ? nil : match.origin.map(\.name)
        era = match.era.isEmpty ? nil : match.era.map(\.name)
        artistType = match.artistType.isEmpty ? nil : match.artistType.map(\.name)
        identifiers = isTrack ? match.trackIdentifiers : nil
        links = isTrack ? match.trackLinks : match.albumLinks
        score = match.score
    }

    /// Prints what a search found.
    static func show(_ matches: [MusicMatch], asJSON: Bool) throws {
        let records = matches.map { MusicRecord($0) }
        if asJSON {
            Console.say(try JSON.document(["results": records]))
        } else if records.isEmpty {
            Console.say("Nothing was found.")
        } else {
            for record in records { Console.say(record.line) }
        }
        if records.isEmpty { throw ExitCode(3) }
    }
}
