import ArgumentParser
import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation

/// Whether a session lasts: hours of audio, faster than they are heard.
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play recordings one after the other for hours and note memory and every change of recording.",
        discussion: "Between recordings are two seconds of silence now and then; every third one is not in the catalog."
    )

    @Argument(help: "A folder with the references' recordings.") var folder: String
    @Option(help: "A catalog of them.") var catalog: String
    @Option(help: "A folder with recordings that are not in it.") var foreign: String
    @Option(help: "Hours of audio.") var hours = 24.0
    @Option(help: "Seconds that are played of each recording, at most.") var seconds = 90.0
    @Flag(help: "Only print what would be played.") var plan = false

    func run() async throws {
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        func files(_ path: String) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { !$0.hasPrefix(".") }
                .map { URL(fileURLWithPath: path).appendingPathComponent($0) }
        }
        let (known, unknown) = (try files(folder), try files(foreign))
        var random = SeededGenerator(seed: 7)
        let clock = Feed.Clock()
        let session = MatchSession(
            catalog: catalog,
            options: MatchSession.Options(repeats: .itemChanges, clock: clock.clock)
        )
        var position = 0
        var (played, found, missed, falsely) = (0, 0, 0, 0)
        var delays: [Double] = []
        var nextReport = 0.0
        let start = ProcessorTime.now
        while Double(position) < hours * 3600 * Double(Recording.sampleRate) {
            let isKnown = played % 3 != 2
            let file = (isKnown ? known : unknown).randomElement(using: &random)
            guard let file else { break }
            let whole = try Recording(contentsOf: file)
            let count = Int(seconds * Double(Recording.sampleRate))
            let from = Int.random(in: 0...max(0, whole.samples.count - count), using: &random)
            var piece = whole.piece(from: from, count: count)
            if played % 4 == 1 { piece.samples += [Float](repeating: 0, count: 2 * Recording.sampleRate) }
            let truth = isKnown ? file.deletingPathExtension().lastPathComponent : nil
            let begin = Double(position) / Double(Recording.sampleRate)
            if plan {
                print(String(format: "%.1f s: ", begin) + file.lastPathComponent + (isKnown ? "" : ", foreign"))
                position += piece.samples.count
                played += 1
                continue
            }
            var wasFound = false
            let feed = Feed(recording: piece, clock: clock, start: position)
            for try await event in session.events(from: feed) {
                guard case .matched(let match, _) = event, let id = match.references.first?.id.rawValue else {
                    continue
                }
                let name = URL(fileURLWithPath: id).deletingPathExtension().lastPathComponent
                let now = clock.now.seconds
                if name == truth {
                    if !wasFound { delays.append(now - begin) }
                    wasFound = true
                } else if truth == nil || now - begin > 5 {
                    falsely += 1
                    print("at \(begin) s: \(name) in place of \(truth ?? "nothing, in \(file.lastPathComponent)")")
                }
            }
            position += piece.samples.count
            played += 1
            if isKnown { wasFound ? (found += 1) : (missed += 1) }
            if isKnown, !wasFound { print("at \(begin) s: \(truth ?? "") was missed") }
            let hour = Double(position) / Double(Recording.sampleRate) / 3600
            if hour >= nextReport {
                print(String(format: "%.1f h: %.1f MB", hour, Double(Self.residentBytes()) / 1e6))
                nextReport += 2
            }
        }
        delays.sort()
        let used = ProcessorTime.now - start
        let total = Double(position) / Double(Recording.sampleRate)
        print("recordings \(played): known and found \(found), missed \(missed), false \(falsely)")
        if !delays.isEmpty {
            print(
                String(
                    format: "delay median %.2f s, 95 %% %.2f s",
                    delays[delays.count / 2],
                    delays[delays.count * 95 / 100]
                )
            )
        }
        print(
            String(
                format: "processor %.1f s for %.1f h: %.2f %% of a core, decoding included",
                used.processor,
                total / 3600,
                100 * used.processor / total
            )
        )
    }

    private static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
