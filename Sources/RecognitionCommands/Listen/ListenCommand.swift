import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Listen to a microphone, a stream or a file, and say what is heard and where it is.",
        discussion: """
            Without --device, --url, --file or --pcm the default microphone is listened to. Ctrl-C ends it.

            Timed content is that which the catalog's items bring with them, and that of --content: a file in any form \
            that `earshot timed` reads, for the reference that it names, or given as ID=FILE.

            EXAMPLES
              earshot listen --catalog music.earcat
              earshot listen -c episodes.earcat --content lesson.json
              earshot listen -c music.earcat --url http://radio.example/stream --jsonl
              earshot listen -c music.earcat --file concert.flac --fast --jsonl
              arecord -f S16_LE -r 16000 -c 1 | earshot listen -c music.earcat --pcm s16le:16000:1

            Exit status 3: the source ended, and nothing was recognized.
            """
    )

    @OptionGroup var catalog: CatalogOption

    @OptionGroup var source: SourceOptions

    @Flag(name: .long, help: "With --file: as fast as the machine can.")
    var fast = false

    @Option(name: .long, help: ArgumentHelp("Timed content for a reference.", valueName: "[id=]file"))
    var content: [String] = []

    @Option(name: .long, help: "Announce entries of timed content so many seconds before they begin.")
    var lookAhead: Double?

    @Option(name: .long, help: "Which matches to report: all, items or entries.")
    var repeats: RepeatArgument = .entries

    @Flag(name: .long, help: "End with the first match.")
    var once = false

    @Option(name: .customLong("for"), help: "End after this time: seconds, m:ss or h:mm:ss.")
    var limit: TimeArgument?

    @Flag(name: .long, help: "Add what is recognized to the history: `earshot history`.")
    var history = false

    @Flag(name: .long, help: "Print one JSON object a line.")
    var jsonl = false

    func validate() throws {
        if fast, source.file == nil { throw ValidationError("--fast goes with --file.") }
        #if !Library
            if history { throw LeftOutFeature.error("--history", "Library") }
        #endif
        if history, source.file != nil {
            throw ValidationError("--history does not go with --file: files are not part of it.")
        }
    }

    func run() async throws {
        let catalog = try self.catalog.open()
        var configuration = TimedContentPlayer.Configuration()
        configuration.lookAhead = lookAhead.map { MediaTime(seconds: $0) }
        let follower = TimedContentScheduler(
            timelines: try await ContentArgument.timelines(content, in: catalog),
            configuration: configuration
        )
        let keeper = history ? HistoryRecorder(isMicrophone: source.url == nil && source.pcm == nil) : nil
        let listener = Listener(
            catalog: catalog,
            follower: follower,
            repeats: repeats.filter,
            report: ListenReport(isJSON: jsonl, timelines: follower.timelines),
            limit: limit?.time,
            isOnce: once,
            history: keeper
        )
        let interruption = Interruption(ending: listener.interrupt)
        defer { withExtendedLifetime(interruption) {} }
        switch try await source.open() {
        case .file(let reader) where fast: try await listener.race(through: reader)
        case .file(let reader): try await listener.listen(to: PacedSource(reader), events: nil)
        case .samples(let samples): try await listener.listen(to: samples, events: nil)
        case .stream(let stream): try await listener.listen(to: stream, events: stream.events)
        case .device(let device): try await listener.listen(to: device, events: device.events)
        }
        try await keeper?.finish()
        if !listener.hasMatched { throw ExitCode(3) }
    }
}

/// The option for which matches are reported.
enum RepeatArgument: String, ExpressibleByArgument, CaseIterable {
    case all, items, entries

    var filter: RepeatFilter {
        switch self {
        case .all: .all
        case .items: .itemChanges
        case .entries: .entryChanges
        }
    }
}
