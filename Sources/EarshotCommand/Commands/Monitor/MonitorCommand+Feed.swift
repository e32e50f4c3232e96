import ArgumentParser
import Earshot
import EarshotAPI
import EarshotClient
import EarshotMetadata
import EarshotMonitor
import Foundation

extension MonitorCommand {
    struct Feed: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "feed",
            abstract:
                "Send a running channel to a service, so that apps hear which channel they hear, and how far behind.",
            discussion: """
                Fingerprints are sent every four seconds, and never audio. Connections that break off are made again; what \
                comes meanwhile, up to half an hour, is sent then. The client has to be one that may change references: \
                `earshot admin client add "Feeds" --references`.

                EXAMPLES
                  earshot monitor feed seven --url http://tv.example/7 --server https://tv.example --client ID-TAG
                """
        )

        @Argument(help: "The channel, as the programme guide names it.") var channel: String
        @OptionGroup var source: SourceOptions
        @OptionGroup var service: ServiceOptions

        /// How far the clock on the wall may lie beside the stream's before dates follow it, in seconds.
        private static let tolerance = 2.0
        private static let longestPause = 30.0
        /// What may be over the next time.
        private static let passing: Set<EarshotError.Code> = [
            .networkUnavailable, .timedOut, .serviceBusy, .storeUnavailable, .tokenRejected, .serviceFailure,
        ]

        func run() async throws {
            let (service, _) = try service.connect()
            // Wrong identifiers are told before anything is heard.
            _ = try await service.bundles()
            let queue = FeedQueue()
            let channel = EntityID<BroadcastChannel>(channel)
            let sending = Task { try await Self.send(queue, channel, service) }
            let hearing = Task {
                defer { queue.finish() }
                var feeder = LiveFeeder()
                var begin: Date?
                for try await block in try await source.live() {
                    let (buffer, time) = (block.buffer, block.time)
                    let now = Date().addingTimeInterval(-buffer.duration.seconds)
                    let told = begin.map { $0.addingTimeInterval(time.seconds) }
                    if told.map({ abs($0.timeIntervalSince(now)) > Self.tolerance }) ?? true {
                        begin = now.addingTimeInterval(-time.seconds)
                    }
                    for piece in try feeder.append(buffer, at: begin.map { $0 + time.seconds } ?? now) {
                        queue.append(piece)
                    }
                }
                for piece in try feeder.finish() { queue.append(piece) }
            }
            let interruption = Interruption(ending: { hearing.cancel() })
            defer { withExtendedLifetime(interruption) {} }
            do {
                try await hearing.value
            } catch is CancellationError {
                // It was asked for.
            } catch let error as EarshotError where error.code == .cancelled {
                _ = error
            } catch {
                sending.cancel()
                throw error
            }
            try await sending.value
            Console.note("Sent \(Wording.plural(queue.count, "piece", "pieces")) of \(channel.rawValue)")
        }

        private static func send(
            _ queue: FeedQueue,
            _ channel: EntityID<BroadcastChannel>,
            _ service: HTTPRecognitionService
        ) async throws {
            var pause = 1.0
            while true {
                let before = queue.count
                do {
                    let pieces = queue.connect()
                    let first = try LiveFeedWriter(channel: channel)
                    let (bytes, out) = AsyncStream.makeStream(of: Data.self)
                    out.yield(first.header)
                    let writing = Task {
                        var writer = first
                        for await piece in pieces {
                            if let data = try? writer.data(of: piece) { out.yield(data) }
                        }
                        out.finish()
                    }
                    defer {
                        queue.disconnect()
                        writing.cancel()
                    }
                    _ = try await service.feed(channel, bytes)
                    if queue.isOver { return }
                } catch {
                    // What will not be better the next time ends it.
                    guard Self.passing.contains(error.code) else { throw error }
                    if queue.count > before + FeedQueue.connectedLimit { pause = 1 }
                    Console.note("\(error.message) Trying again in \(Int(pause)) s.")
                }
                try await Task.sleep(for: .seconds(pause))
                pause = min(pause * 2, longestPause)
            }
        }
    }
}
