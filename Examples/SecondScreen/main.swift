import EarshotCore
import EarshotMedia
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation

// A second screen for the television: says what is on, and more about it, from what is heard.
//
//     SecondScreen --store FOLDER --bundle ADS.earbundle                         with the default microphone
//     SecondScreen --store FOLDER --guide guide.sqlite --file evening.wav        a file, as if it were heard
//     SecondScreen --store FOLDER --file evening.wav --fast                      a file, as fast as it goes
//     ffmpeg -i tv.ts -f s16le -ar 16000 -ac 1 - | SecondScreen --store FOLDER --pcm 16000
//
// Lookups go to the store of bundles, then to the service of --server, where one is named; details come from the guide.
// Ctrl-C ends it.

/// Has the monitor hear what the app was called with, until that ends.
func listen(_ arguments: Arguments, _ monitor: Monitor, _ time: StreamClock, _ tell: @escaping (Screen.Event) -> Void)
    async throws
{
    if let file = arguments.file, arguments.isFast {
        let reader = try await AssetReader(URL(fileURLWithPath: file))
        return try await monitor.run(reader, advancing: time)
    }
    var backend = MicrophoneBackend.device()
    if let file = arguments.file {
        backend = .file(URL(fileURLWithPath: file))
    } else if arguments.rate != nil {
        backend = .descriptor(0)
    } else if let name = arguments.device {
        guard let device = await CaptureDevice.all().first(where: { $0.id == name || $0.name == name }) else {
            throw EarshotError(
                .microphoneUnavailable,
                "There is no device \(name): `earshot devices` lists those there are."
            )
        }
        backend = .device(device)
    }
    let configuration = AudioConfiguration(sampleRate: arguments.rate ?? 44_100)
    try monitor.initializeAudio(configuration)
    try monitor.start()
    let microphone = Microphone(configuration, from: backend)
    microphone.add(monitor)
    let events = microphone.events
    try await microphone.start()
    var failure: EarshotError?
    for await event in events {
        tell(.microphone(event))
        if case .failed(let error) = event { failure = error }
        if case .ended = event { break }
    }
    // What is being looked up when a file ends is still told.
    await monitor.settled()
    monitor.stop()
    if let failure { throw failure }
}

do {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    let store = BundleStore(folder: URL(fileURLWithPath: arguments.store))
    for bundle in arguments.bundles { try await store.ingest(FileBundleSource(URL(fileURLWithPath: bundle))) }
    let guide = try arguments.guide.map { try SQLiteGuideStore(url: URL(fileURLWithPath: $0)) }
    let service = try recognitionService(arguments.server, client: arguments.client)
    let time = StreamClock()
    var options = Monitor.Options()
    if arguments.isFast { options.clock = time.clock }
    let monitor = try Monitor(registration: .local, store: store, service: service, options: options)
    monitor.properties.optimization = try OptimizationMode(name: arguments.mode)
    monitor.properties.cacheOnly = service == nil

    let app = SecondScreenApp(queries: guide.map { GuideQueries(guide: $0) }, isVerbose: arguments.isVerbose) { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
    let (events, continuation) = AsyncStream.makeStream(of: Screen.Event.self)
    let ear = MonitorEar(continuation)
    monitor.setStatusReceiver(ear)
    monitor.setResultReceiver(ear)
    let showing = Task { for await event in events { app.take(event) } }
    do {
        try await listen(arguments, monitor, time) { continuation.yield($0) }
    } catch {
        continuation.finish()
        await showing.value
        throw error
    }
    continuation.finish()
    await showing.value
    await app.settle()
    withExtendedLifetime(ear) {}
    exit(app.screen.hits > 0 ? 0 : 3)
} catch {
    FileHandle.standardError.write(Data("SecondScreen: \((error as? EarshotError)?.message ?? "\(error)")\n".utf8))
    exit(1)
}
