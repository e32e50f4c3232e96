import ArgumentParser
import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation

/// Where the time of a followed station goes.
struct Follow: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follow a recording as a station is followed; print what it plays, and the processor time an hour."
    )

    @Argument(help: "The recording.") var file: String
    @Option(help: "A catalog of what it plays.") var catalog: String
    @Flag(help: "Follow it as a station with short spots.") var spots = false
    @Flag(help: "Print only the time.") var quiet = false

    /// Audio that is appended at once: a second, about what a connection delivers.
    private static let block = Recording.sampleRate

    func run() throws {
        let recording = try Recording(contentsOf: URL(fileURLWithPath: file))
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        var tracker = try PlayTracker(catalog, options: spots ? .spots : PlayTracker.Options())
        let began = ProcessorTime.now
        for start in stride(from: 0, to: recording.samples.count, by: Self.block) {
            let part = recording.samples[start..<min(start + Self.block, recording.samples.count)]
            report(try tracker.append(AudioBuffer(Array(part), sampleRate: Recording.sampleRate)), at: tracker.time)
        }
        report(try tracker.finish(), at: tracker.time)
        let taken = (ProcessorTime.now - began).processor
        print(String(format: "%.1f s of processor time an hour, without decoding", taken * 3600 / recording.seconds))
    }

    private func report(_ changes: [PlayTracker.Change], at time: MediaTime) {
        guard !quiet else { return }
        for change in changes {
            let (word, tracked) =
                switch change {
                case .began(let play): ("began", play)
                case .updated(let play): ("updated", play)
                case .ended(let play): ("ended", play)
                case .withdrawn(let play): ("withdrawn", play)
                }
            let range = tracked.queryRange
            print(
                String(
                    format: "%8.1f %@ %d %@ %.2f-%.2f %.1f",
                    time.seconds,
                    word,
                    tracked.number,
                    "\(tracked.id)",
                    range.lowerBound.seconds,
                    range.upperBound.seconds,
                    tracked.score
                )
            )
        }
    }
}
