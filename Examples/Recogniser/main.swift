import EarshotClient
import EarshotCore
import EarshotMedia
import EarshotMetadata
import Foundation

// Recognises music and looks it up with a recognition service.
//
//     Recogniser --demo                                   everything, in this process, with the sample music
//     Recogniser [--microphone FILE] COMMAND …            with the service of EARSHOT_SERVER, as EARSHOT_CLIENT
//
// Commands: microphone | file FILE… | fingerprint TEXT | text TITLE [ARTIST] [ALBUM] | lyrics WORDS [ARTIST] | track ID
//
// EARSHOT_SERVER is the address of the service, EARSHOT_CLIENT the client identifier that its operator gave. A file that
// stands for the microphone is heard at its own pace.

func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Recogniser: \(reason)\n".utf8))
    exit(1)
}

func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

/// Writes over what changes within a line, and ends lines that stay.
@MainActor
func show(_ screen: Screen) {
    let isTerminal = isatty(1) == 1
    if screen.isOver {
        write((isTerminal ? "\r\u{1B}[K" : "") + screen.lines.joined(separator: "\n") + "\n\n")
    } else if isTerminal {
        write("\r\u{1B}[K" + screen.lines.joined(separator: "   "))
    }
}

var arguments = Array(CommandLine.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
let language = String((environment["LANG"] ?? "en").prefix(2))
var heard: URL?
if let place = arguments.firstIndex(of: "--microphone"), place + 1 < arguments.count {
    heard = URL(fileURLWithPath: arguments[place + 1])
    arguments.removeSubrange(place...place + 1)
}
do {
    if arguments == ["--demo"] {
        let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Samples")
        write("Reading the sample music …\n")
        let demo = try await Demo(music: samples.appendingPathComponent("Music"))
        let sound = heard ?? demo.files[0]
        let app = RecogniserApp(
            service: demo.service,
            configuration: try ClientConfiguration(clientIdentifier: "00000000-DEMO"),
            // No waiting: the file is heard as fast as it can be read.
            microphone: { try await AssetReader.recording(sound) },
            language: language,
            draw: show
        )
        try await app.run(demo, unknown: samples.appendingPathComponent("Unknown/geoscape-theme-1.ogg"))
        exit(0)
    }
    guard let identifier = environment["EARSHOT_CLIENT"], !identifier.isEmpty else {
        stop("there is no client identifier: set EARSHOT_CLIENT to ID-TAG, as the operator of the service gave it.")
    }
    guard let address = environment["EARSHOT_SERVER"], let url = URL(string: address) else {
        stop("there is no service: set EARSHOT_SERVER to its address, or try --demo.")
    }
    var configuration = try ClientConfiguration(clientIdentifier: identifier)
    configuration.preferences.coverArt = true
    let sound = heard
    let app = RecogniserApp(
        service: HTTPRecognitionService(url, configuration: configuration),
        configuration: configuration,
        microphone: { () async throws -> any AudioSource in
            guard let sound else { return try await CaptureSource() }
            return PacedSource(try await AssetReader.recording(sound))
        },
        language: language,
        draw: show
    )
    // An interrupt cancels what is under way; a second one ends the program.
    signal(SIGINT, SIG_IGN)
    let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    interrupts.setEventHandler {
        MainActor.assumeIsolated {
            if app.screen.isCancelling { exit(130) }
            app.cancel()
        }
    }
    interrupts.resume()
    let rest = Array(arguments.dropFirst())
    let command = arguments.first
    while true {
        switch command {
        case "microphone": await app.find(.microphone, as: .microphone)
        case "file" where rest.count == 1: await app.find(.file(URL(fileURLWithPath: rest[0])), as: .file)
        case "file" where rest.count > 1: _ = await app.find(files: rest.map { URL(fileURLWithPath: $0) })
        case "fingerprint" where rest.count == 1:
            await app.find(.fingerprint(try Fingerprint(text: rest[0])), as: .fingerprint)
        case "text" where (1...3).contains(rest.count):
            let query = MusicQuery(
                artist: rest.count > 1 ? rest[1] : nil,
                album: rest.count > 2 ? rest[2] : nil,
                track: rest[0]
            )
            await app.find(.text(query), as: .text)
        case "lyrics" where (1...2).contains(rest.count):
            await app.find(.lyrics(LyricQuery(rest[0], artist: rest.count > 1 ? rest[1] : nil)), as: .lyrics)
        case "track" where rest.count == 1: await app.find(.track(EntityID(rest[0])), as: .track)
        default: stop("say what to do: microphone, file, fingerprint, text, lyrics or track; --demo shows all of it.")
        }
        guard app.screen.offersRetry, isatty(0) == 1, readLine() == "r" else { break }
    }
    exit(app.screen.failure == nil ? (app.screen.result?.matches.isEmpty == true ? 3 : 0) : 1)
} catch {
    stop((error as? EarshotError)?.message ?? "\(error)")
}
