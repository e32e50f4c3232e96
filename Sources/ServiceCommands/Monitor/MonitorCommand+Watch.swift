import ArgumentParser
import CommandKit
import Earshot
import EarshotClient
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import Foundation

extension MonitorCommand {
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Watch one source and say what is on, as an app would.",
            discussion: """
                Lookups go to the store of bundles first, then to the service, where one is named. Without --device, --url, \
                --file or --pcm the default microphone is listened to. Ctrl-C ends it; Return asks for a lookup now.

                EXAMPLES
                  earshot monitor watch --store bundles/ --cache-only
                  earshot monitor watch --url http://radio.example/stream --server http://127.0.0.1:8080 --client ID-TAG
                  ffmpeg -i tv.ts -f s16le -ar 44100 -ac 1 - | earshot monitor watch --pcm s16le:44100:1 --jsonl

                Exit status 3: the source ended, and nothing was recognized.
                """
        )

        @OptionGroup var source: SourceOptions
        @OptionGroup var store: BundleStoreOptions
        @OptionGroup var service: ServiceOptions
        @OptionGroup var sending: SpectrogramOption

        @Option(
            name: .long,
            help: "The longest time without a recognition, in seconds, 0 for none; below 60 ask the operator."
        )
        var onlineInterval: Int?

        @Option(name: .long, help: "The longest time without a lookup in the store, in seconds, 0 for none.")
        var localInterval: Int?

        @Option(name: .long, help: "default, accuracy, speed or adaptive.")
        var optimization: String?

        @Flag(name: .long, help: "Never ask the service.")
        var cacheOnly = false

        @Flag(name: .long, help: "Print all that the monitor says, not results alone.")
        var verbose = false

        @Flag(name: .long, help: "Print one JSON object a line, with all that the monitor says.")
        var jsonl = false

        func run() async throws {
            var properties = MonitorProperties()
            if let onlineInterval { properties.onlineInterval = onlineInterval }
            if let localInterval { properties.localInterval = localInterval }
            if let optimization { properties.optimization = try OptimizationMode(name: optimization) }
            properties.cacheOnly = cacheOnly || service.address == nil
            let online = service.address == nil ? nil : try service.connect(sendsSpectrograms: sending.spectrograms).0
            let monitor = try Monitor(registration: .local, store: store.existing(), service: online)
            monitor.properties = properties
            monitor.isDebugLogging = verbose
            let report = MonitorReport(isJSON: jsonl, isVerbose: verbose)
            let statuses = monitor.statuses
            let results = monitor.results
            let teller = Task { for await event in statuses { report.take(event) } }
            let other = Task { for await result in results { report.take(result) } }
            defer {
                teller.cancel()
                other.cancel()
            }
            let reading = Task { try await source.run(on: monitor) }
            let interruption = Interruption(ending: { reading.cancel() })
            defer { withExtendedLifetime(interruption) {} }
            do {
                try await reading.value
            } catch is CancellationError {
                // It was asked for.
            } catch let error as EarshotError where error.code == .cancelled {
                _ = error
            }
            // What is on its way to the readers is still said.
            try? await Task.sleep(for: .milliseconds(100))
            if !report.hasMatched { throw ExitCode(3) }
        }
    }
}
