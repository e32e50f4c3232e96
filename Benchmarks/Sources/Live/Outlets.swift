import ArgumentParser
import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation

/// Whether outlets of one programme are told apart by the pitch at which they play it.
struct Outlets: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play recordings 1 % and 2 % fast and read off which outlet they come from.",
        discussion: "Each reference gets two media items, limited to skews of 0.5 to 1.5 % and of 1.5 to 2.5 %."
    )

    @Argument(help: "A folder of recordings.") var folder: String
    @Option(help: "Recordings, at most, evenly out of all.") var limit = 25
    @Option(help: "Seconds that are played of each.") var seconds = 12.0

    func run() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { !$0.hasPrefix(".") }
        let chosen = (0..<min(limit, names.count)).map { names[$0 * names.count / min(limit, names.count)] }
        var catalog = Catalog()
        var recordings: [Recording] = []
        for name in chosen {
            let recording = try Recording(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
            recordings.append(recording)
            let items = try [("A", 0.005, 0.015), ("B", 0.015, 0.025)].map { outlet, low, high in
                try MediaItem(properties: [
                    .title: .string(outlet), .frequencySkewRanges: [[.real(low), .real(high)]],
                ])
            }
            try catalog.add(try recording.signature(), representing: items, id: ReferenceID(name))
        }
        var (right, wrong, silent) = (0, 0, 0)
        for (name, recording) in zip(chosen, recordings) {
            for (outlet, speed) in [("A", 1.01), ("B", 1.02)] {
                let start = Int(min(20, max(0, recording.seconds - seconds * speed - 1)) * Double(Recording.sampleRate))
                let played = Playback.stretch(of: recording, from: start, seconds: seconds, speed: speed)
                let clock = Feed.Clock()
                let session = MatchSession(
                    catalog: catalog,
                    options: MatchSession.Options(repeats: .all, clock: clock.clock)
                )
                // What is said when the clip is over: the first seconds may not tell.
                var last: MatchedMediaItem?
                var changes = 0
                for try await event in session.events(from: Feed(recording: played, clock: clock)) {
                    guard case .matched(let match, _) = event, let item = match.mediaItems.first else { continue }
                    if last?.title != item.title { changes += 1 }
                    last = item
                }
                if last?.title == outlet, last?.match.id == ReferenceID(name) {
                    right += 1
                } else if let last {
                    wrong += 1
                    print(
                        "\(name) \(outlet): \(last.title ?? "no item"), skew \(last.frequencySkew), \(changes) changes"
                    )
                } else {
                    silent += 1
                    print("\(name) \(outlet): nothing heard")
                }
            }
        }
        print("right \(right), wrong \(wrong), not heard \(silent)")
    }
}
