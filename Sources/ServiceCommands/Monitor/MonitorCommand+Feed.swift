import ArgumentParser
import CommandKit
import Earshot
import EarshotAPI
import EarshotBroadcast
import EarshotClient
import EarshotMusic
import EarshotStations
import Foundation
import Synchronization

extension MonitorCommand {
    struct Feed: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "feed",
            abstract:
                "Send a running channel to a service, so that apps hear which channel they hear, and how far behind.",
            discussion: """
                Fingerprints are sent every four seconds, and never audio. Connections that break off are made again, and \
                begin with the last half hour. Ctrl-C ends it, once what waits is sent or five seconds are over. The client \
                needs the right to feed channels: `earshot admin client add "Feeds" --right channels`.

                EXAMPLES
                  earshot monitor feed seven --url http://tv.example/7 --server https://tv.example --client ID-TAG
                """
        )

        @Argument(help: "The channel, as the programme guide names it.") var channel: String
        @OptionGroup var source: SourceOptions
        @OptionGroup var service: ServiceOptions

        /// The most by which the system's clock may differ from the stream's before dates follow it, in seconds.
        private static let tolerance = 2.0
        private static let longestPause = 30.0
        /// The longest time for sending waiting chunks after an interruption, in seconds.
        private static let lastStretch = 5.0
        /// Failures that may be over at the next attempt.
        private static let passing: Set<EarshotError.Code> = [
            .networkUnavailable, .timedOut, .serviceBusy, .tooManyRequests, .storeUnavailable, .searchIncomplete,
            .tokenRejected, .serviceFailure,
        ]

        func run() async throws {
            let (service, _) = try service.connect()
            // Wrong identifiers are told before anything is heard.
            _ = try await service.bundles()
            let queue = FeedQueue()
            let channel = EntityID<BroadcastChannel>(channel)
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
            let sending = Task {
                do {
                    try await Self.send(queue, channel, service)
                } catch {
                    // There is nothing to be heard for.
                    hearing.cancel()
                    throw error
                }
            }
            let interruption = Interruption(takesTermination: true) {
                hearing.cancel()
                Task {
                    try? await Task.sleep(for: .seconds(Self.lastStretch))
                    sending.cancel()
                }
            }
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
            do {
                try await sending.value
            } catch let error where sending.isCancelled {
                let unsent = queue.unsent
                let waiting = DisplayText.plural(unsent, "piece was", "pieces were")
                throw EarshotError(
                    .cancelled,
                    unsent == 0
                        ? "The feed was interrupted before the service confirmed the last chunks: run the command again."
                        : "Interrupted, and \(waiting) not sent: no service took them.",
                    cause: error
                )
            }
            Terminal.note("Sent \(DisplayText.plural(queue.count, "piece", "pieces")) of \(channel.rawValue)")
        }

        private static func send(
            _ queue: FeedQueue,
            _ channel: EntityID<BroadcastChannel>,
            _ service: HTTPRecognitionService
        ) async throws {
            var pause = 1.0
            while true {
                let began = ContinuousClock.now
                let connection = queue.connect()
                defer { connection.close() }
                do {
                    let writer = try LiveFeedWriter(channel: channel)
                    let feed = Mutex<(writer: LiveFeedWriter, hasBegun: Bool)>((writer, false))
                    let bytes = AsyncStream<Data> {
                        let isFirst = feed.withLock { feed in
                            defer { feed.hasBegun = true }
                            return !feed.hasBegun
                        }
                        if isFirst { return writer.header }
                        guard let piece = await connection.next() else { return nil }
                        // The pieces of a feeder ascend, and are short.
                        return try? feed.withLock { feed in try feed.writer.data(of: piece) }
                    }
                    _ = try await service.feed(channel, bytes)
                    if queue.isOver, queue.isDrained { return }
                } catch {
                    // What will not be better the next time ends it.
                    guard Self.passing.contains(error.code), !Task.isCancelled else { throw error }
                    Terminal.note("\(error.message) Trying again in \(Int(pause)) s.")
                }
                if began.duration(to: .now) > .seconds(60) { pause = 1 }
                try await Task.sleep(for: .seconds(pause))
                pause = min(pause * 2, longestPause)
            }
        }
    }
}
