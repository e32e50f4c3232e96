import EarshotClient
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import Foundation

// Recognizes music and looks it up with a recognition service.
//
//     Recognizer --demo                                   everything, in this process, with the sample music
//     Recognizer [OPTIONS] COMMAND …                      with the service of EARSHOT_SERVER, as EARSHOT_CLIENT
//     Recognizer help                                     pictograms and a demonstration
//
// Commands: microphone | file FILE… | fingerprint TEXT | text TITLE [ARTIST] [ALBUM] | lyrics WORDS [ARTIST] | track ID
//
// Options:
//     --microphone FILE       a file that stands for the microphone; it is heard at its own pace
//     --group album|genre     put results together by what they share
//     --genre ID              show only results of a genre, by its identifier
//     --set NAME=VALUE        a setting of the client by its name, such as content.lang=jpn
//
// EARSHOT_SERVER is the address of the service, EARSHOT_CLIENT the client identifier that its operator gave. In a terminal
// the keys of the last line work at any time; h opens help.

let terminal = Terminal()

@MainActor
func leave(_ status: Int32) -> Never {
    terminal.close()
    exit(status)
}

@MainActor
func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Recognizer: \(reason)\n".utf8))
    leave(1)
}

/// Takes an option with its value off the arguments.
@MainActor
func value(of option: String, in arguments: inout [String]) -> String? {
    guard let place = arguments.firstIndex(of: option) else { return nil }
    guard place + 1 < arguments.count else { stop("\(option) takes a value behind it.") }
    defer { arguments.removeSubrange(place...place + 1) }
    return arguments[place + 1]
}

/// Has the keys of the terminal work, and what interrupts it.
///
/// - Returns: What somebody wants once an operation is over.
@MainActor
func listen(_ app: RecognizerApp) -> AsyncStream<Screen.Key> {
    let (wishes, continuation) = AsyncStream.makeStream(of: Screen.Key.self)
    terminal.takeKeys { key in
        guard key == .again || key == .end else { return app.press(key) }
        if app.screen.keys.contains(key) { continuation.yield(key) }
    }
    // An interrupt cancels what is under way; a second one ends the program.
    terminal.takeInterrupts {
        if app.screen.isCancelling || app.screen.isOver || app.screen.job == nil { leave(130) }
        app.cancel()
    }
    return wishes
}

var arguments = Array(CommandLine.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
let language = String((environment["LANG"] ?? "en").prefix(2))
do {
    let heard = value(of: "--microphone", in: &arguments).map { URL(fileURLWithPath: $0) }
    let genre = value(of: "--genre", in: &arguments)
    var grouping: MatchGroups.Kind?
    if let name = value(of: "--group", in: &arguments) {
        guard let kind = MatchGroups.Kind(rawValue: name) else {
            stop("there is no group by \(name): say album or genre.")
        }
        grouping = kind
    }
    var settings: [(name: String, value: String)] = []
    while let setting = value(of: "--set", in: &arguments) {
        let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { stop("--set takes NAME=VALUE, such as content.lang=jpn.") }
        settings.append((String(parts[0]), String(parts[1])))
    }
    let debugLog: RecognitionClient.DebugLog?
    #if DEBUG
        // For developers only: no build for release knows this option.
        if let place = arguments.firstIndex(of: "--debug") {
            arguments.remove(at: place)
            settings.append((ConfigurationKey.debugEnabled.rawValue, "1"))
        }
        debugLog = { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    #else
        debugLog = nil
    #endif
    if arguments == ["help"] {
        Terminal.write(Help.everything.joined(separator: "\n") + "\n")
        leave(0)
    }
    if arguments == ["--demo"] {
        let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Samples")
        Terminal.write("Reading the sample music …\n")
        let demo = try await Demo(music: samples.appendingPathComponent("Music"))
        let sound = heard ?? demo.files[0]
        var configuration = try ClientConfiguration(clientIdentifier: "00000000-DEMO")
        for setting in settings { try configuration.setValue(setting.value, forKey: setting.name) }
        let app = RecognizerApp(
            service: demo.service,
            configuration: configuration,
            // No waiting: the file is heard as fast as it can be read.
            microphone: { try await AssetReader.recording(sound) },
            language: language,
            feedback: TerminalBell(),
            debugLog: debugLog,
            draw: { terminal.show($0) }
        )
        let wishes = listen(app)
        app.tell(.group(grouping))
        app.tell(.only(genre: genre))
        try await app.run(demo, unknown: samples.appendingPathComponent("Unknown/geoscape-theme-1.ogg"))
        if terminal.hasKeys { for await wish in wishes where wish == .end { break } }
        leave(0)
    }
    guard let identifier = environment["EARSHOT_CLIENT"], !identifier.isEmpty else {
        stop("there is no client identifier: set EARSHOT_CLIENT to ID-TAG, as the operator of the service gave it.")
    }
    guard let address = environment["EARSHOT_SERVER"], let url = URL(string: address) else {
        stop("there is no service: set EARSHOT_SERVER to its address, or try --demo.")
    }
    var configuration = try ClientConfiguration(clientIdentifier: identifier)
    configuration.preferences.coverArt = true
    for setting in settings { try configuration.setValue(setting.value, forKey: setting.name) }
    let app = RecognizerApp(
        service: HTTPRecognitionService(url, configuration: configuration),
        configuration: configuration,
        microphone: { () async throws -> any AudioSource in
            guard let heard else { return try await CaptureSource() }
            return PacedSource(try await AssetReader.recording(heard))
        },
        language: language,
        feedback: TerminalBell(),
        debugLog: debugLog,
        draw: { terminal.show($0) }
    )
    var wishes = listen(app).makeAsyncIterator()
    app.tell(.group(grouping))
    app.tell(.only(genre: genre))
    let rest = Array(arguments.dropFirst())
    let command = arguments.first
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
    // Where keys work, the first screen says what there is, with help.
    case nil where terminal.hasKeys: break
    default:
        stop("say what to do: microphone, file, fingerprint, text, lyrics, track or help; --demo shows all of it.")
    }
    while terminal.hasKeys, await wishes.next() == .again { await app.findAgain() }
    let ofMany = command == "file" && rest.count > 1
    let foundNothing = ofMany ? app.matchedFiles == 0 : app.screen.result?.matches.isEmpty == true
    leave(app.screen.failure == nil ? (foundNothing ? 3 : 0) : 1)
} catch {
    stop((error as? EarshotError)?.message ?? "\(error)")
}
