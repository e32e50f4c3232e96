import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

// Makes a drum loop from arithmetic, and publishes it as a piece that other apps open with its tempo, its loop points and its pattern;
// without a service it saves the piece as a package.
//
//   DrumLoop [TEMPO] [PACKAGE.earpiece]
//
// EARSHOT_SERVER is the address of a service and EARSHOT_CLIENT what its operator gave for the app `drumloop`. The first time somebody logs in:
// the code is typed in where the app says. `earshot piece register-scheme drumloop -- PROGRAM` tells the desktop about the app.
let arguments = CommandLine.arguments.dropFirst()
let environment = ProcessInfo.processInfo.environment
let tempo = arguments.first.flatMap(Double.init) ?? 112
// Nothing can be counted by a tempo that none can be.
guard FixedTempo.range.contains(FixedTempo(tempo).beatsPerMinute) else {
    fail("\(arguments.first ?? "") is no tempo: give beats a minute, from 1 to 999.999")
}
let pattern = Pattern(Pattern.rock, beatsPerMinute: tempo)

do {
    let length = Microseconds(Int64((pattern.duration * 1_000_000).rounded()))
    let draft = try PieceDraft(
        title: "Drums at \(tempo.formatted(.number.grouping(.never)))",
        length: length,
        tempo: FixedTempo(tempo),
        loop: LoopMarkers(start: 0, end: length),
        timeSignature: TimeSignature(upper: 4, lower: 4),
        // Drums have no key, and the app knows it.
        tonality: .atonal
    )
    let providers = LoopProviders(pattern: pattern, text: Pattern.rock)
    if let file = arguments.first(where: { $0.hasSuffix(".earpiece") }) {
        try await save(draft, providers, to: URL(fileURLWithPath: file))
    } else {
        try await publish(draft, providers)
    }
} catch let error as DraftErrors {
    fail(error.description)
} catch let error as EarshotError {
    fail(error.message)
} catch {
    fail("\(error)")
}

/// Publishes at a service, and tells how far it is.
func publish(_ draft: PieceDraft, _ providers: LoopProviders) async throws {
    guard let address = environment["EARSHOT_SERVER"], let service = URL(string: address) else {
        fail("name a service with EARSHOT_SERVER, or a file that ends in .earpiece")
    }
    var configuration = PieceClient.Configuration(
        applicationIdentifier: "drumloop",
        apiKey: environment["EARSHOT_CLIENT"],
        service: service
    )
    configuration.tokenStore = FileTokenStore(FileTokenStore.usualFolder())
    configuration.login = DeviceCodeLogin { device in
        print("Log in at \(device.address.absoluteString) with the code \(device.userCode)")
    }
    let client = try PieceClient.setUp(configuration)
    let flow = client.dropFlow(draft, providers)
    for await event in flow {
        switch event {
        case .rendering(let part): print("rendering the \(part.rawValue)")
        case .uploading(let part, fraction: 1): print("sent the \(part.rawValue)")
        default: break
        }
    }
    let piece = try await flow.piece
    print("\(piece.title), \(piece.label): \(piece.address.absoluteString)")
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("DrumLoop: \(message)\n".utf8))
    exit(1)
}
