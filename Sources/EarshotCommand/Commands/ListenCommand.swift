import ArgumentParser
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

            Exit status 3: the source ended, and nothing was recognised.
            """
    )

    @Option(name: .shortAndLong, help: "The catalog.", completion: .file(extensions: ["earcat", "earstore"]))
    var catalog: String

    @Option(name: .shortAndLong, help: "The device to capture from, as `earshot devices` names it.")
    var device: String?

    @Option(name: .shortAndLong, help: "The address of a stream; it is opened again when it breaks off.")
    var url: String?

    @Option(name: .shortAndLong, help: "A file, played as if live.", completion: .file())
    var file: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Raw samples on standard input: s16le or f32le, hertz, channels.", valueName: "type:rate:n")
    )
    var pcm: PCMArgument?

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

    @Flag(name: .long, help: "Add what is recognised to the history: `earshot history`.")
    var history = false

    @Flag(name: .long, help: "Print one JSON object a line.")
    var jsonl = false

    func validate() throws {
        let sources = [device != nil, url != nil, file != nil, pcm != nil].filter(\.self).count
        if sources > 1 { throw ValidationError("Choose one of --device, --url, --file and --pcm.") }
        if fast, file == nil { throw ValidationError("--fast goes with --file.") }
        if history, file != nil {
            throw ValidationError("--history does not go with --file: files are not part of it.")
        }
    }

    func run() async throws {
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        var configuration = TimedContentPlayer.Configuration()
        configuration.lookAhead = lookAhead.map { MediaTime(seconds: $0) }
        let follower = ContentFollower(
            timelines: try await ContentArgument.timelines(content, in: catalog),
            configuration: configuration
        )
        let keeper = history ? HistoryKeeper(isMicrophone: url == nil && pcm == nil) : nil
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
        if let file {
            let options = AssetReader.Options(blockFrames: 2_048)
            let reader = try await AssetReader(URL(fileURLWithPath: file), options: options)
            if fast {
                try await listener.race(through: reader)
            } else {
                try await listener.listen(to: PacedSource(reader), events: nil)
            }
        } else if let pcm {
            try await listener.listen(to: try PCMSource(format: pcm.format), events: nil)
        } else if let url {
            guard let address = URL(string: url), address.scheme != nil else {
                throw EarshotError(.assetNotFound, "\(url) is no address: give one such as http://…, or use --file.")
            }
            let source = try await LiveSource(address)
            try await listener.listen(to: source, events: source.events)
        } else {
            let source = try await CaptureSource(try await Self.device(named: device))
            try await listener.listen(to: source, events: source.events)
        }
        try await keeper?.finish()
        if !listener.hasMatched { throw ExitCode(3) }
    }

    private static func device(named name: String?) async throws -> CaptureDevice? {
        guard let name else { return nil }
        let devices = await CaptureDevice.all()
        if let device = devices.first(where: { $0.id == name || $0.name == name }) { return device }
        throw EarshotError(
            .deviceUnavailable,
            "There is no capture device named \(name): `earshot devices` lists those there are."
        )
    }
}

/// Which matches are reported, on the command line.
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

/// The format of raw samples on the command line.
struct PCMArgument: ExpressibleByArgument {
    let format: AudioFormat

    init?(argument: String) {
        let parts = argument.split(separator: ":")
        guard parts.count == 3, let rate = Int(parts[1]), let channels = Int(parts[2]), rate > 0, channels > 0 else {
            return nil
        }
        let types: [Substring: AudioFormat.SampleType] = ["s16le": .int16, "f32le": .float32]
        guard let type = types[parts[0]] else { return nil }
        format = AudioFormat(sampleRate: rate, channelCount: channels, sampleType: type)
    }
}
