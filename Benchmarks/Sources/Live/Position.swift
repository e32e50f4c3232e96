import ArgumentParser
import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation

/// How far the predicted position is from where playback really is.
struct Position: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play stretches of references as if live and hold the predicted position against the true one."
    )

    @Argument(help: "A folder with the references' recordings.") var folder: String
    @Option(help: "A catalog of them.") var catalog: String
    @Option(help: "Seconds that are played of each.") var seconds = 60.0
    @Option(help: "Recordings that are played, at most, evenly out of all.") var limit = 20
    @Option(parsing: .upToNextOption, help: "Speeds of playback.") var speeds = [0.97, 1.0, 1.03]
    @Option(help: "A recording of noise that is mixed in.") var noise: String?
    @Option(help: "How far the music stands above it, in decibels.") var ratio = 10.0
    @Flag(help: "Refine the position every five seconds with the reference's audio.") var refine = false

    func run() async throws {
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        let background = try noise.map { try Recording(contentsOf: URL(fileURLWithPath: $0)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { !$0.hasPrefix(".") }
        let chosen = (0..<min(limit, names.count)).map { names[$0 * names.count / min(limit, names.count)] }
        var limits = Limits()
        print("speed recordings found lock-p50-s error-p50-ms error-p99-ms error-max-ms beyond-250-ms unpredicted")
        for speed in speeds {
            var locks: [Double] = []
            var errors: [Double] = []
            var (beyond, unknown, found) = (0, 0, 0)
            for name in chosen {
                let whole = try Recording(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
                let start = Int(min(20, max(0, whole.seconds - seconds * speed)) * Double(Recording.sampleRate))
                var played = Playback.stretch(of: whole, from: start, seconds: seconds, speed: speed)
                if let background {
                    played = played.mixed(with: background.looped(to: played.samples.count), ratio: ratio)
                }
                let outcome = try await track(
                    played,
                    of: whole,
                    in: catalog,
                    truth: URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent,
                    start: Double(start) / Double(Recording.sampleRate),
                    speed: speed
                )
                if let lock = outcome.lock {
                    found += 1
                    locks.append(lock)
                }
                errors += outcome.errors
                beyond += outcome.errors.count { $0 > 0.25 }
                unknown += outcome.unknown
            }
            errors.sort()
            locks.sort()
            // Of clean audio 100 ms are allowed, with noise 10 dB below the music 250.
            let allowed = noise == nil ? 0.1 : 0.25
            let ids = requirements("R-CC-063")
            limits.hold(ids, "worst error, in seconds,", errors.last ?? .infinity, atMost: allowed)
            limits.hold(ids, "most recordings were followed", found * 2 > chosen.count)
            func at(_ sorted: [Double], _ share: Double, _ scale: Double = 1000) -> String {
                guard !sorted.isEmpty else { return "-" }
                return String(format: "%.1f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * scale)
            }
            print(
                speed,
                chosen.count,
                found,
                at(locks, 0.5, 1),
                at(errors, 0.5),
                at(errors, 0.99),
                at(errors, 1),
                beyond,
                unknown
            )
        }
        try limits.finish()
    }

    private func track(
        _ played: Recording,
        of whole: Recording,
        in catalog: Catalog,
        truth: String,
        start: Double,
        speed: Double
    ) async throws -> (lock: Double?, errors: [Double], unknown: Int) {
        let clock = Feed.Clock()
        let kept = MediaTime(value: refine ? 4 : 0, timescale: 1)
        let options = MatchSession.Options(repeats: .all, clock: clock.clock, keptAudio: kept)
        let session = MatchSession(catalog: catalog, options: options)
        var audio = RecordingAudio(recording: whole)
        var refinedAt = 0.0
        var wasRefined = false
        var position: LivePosition?
        var heard: MatchedMediaItem?
        var lock: Double?
        var errors: [Double] = []
        var unknown = 0
        var blocks = Feed(recording: played, clock: clock).makeAsyncIterator()
        while let block = try await blocks.next() {
            for event in await session.events(in: block.buffer, at: block.time) {
                guard case .matched(let match, _) = event, let item = match.mediaItems.first else { continue }
                let name = URL(fileURLWithPath: item.match.id.rawValue).deletingPathExtension().lastPathComponent
                position = name == truth ? item.position : nil
                heard = name == truth ? item : nil
            }
            let now = clock.now
            if refine, let heard, let lock, now.seconds >= max(lock + 3, refinedAt + 5) {
                refinedAt = now.seconds
                _ = try await session.refine(heard, in: &audio)
                // What came before the first time is not counted.
                if !wasRefined { errors = [] }
                wasRefined = true
            }
            guard let position else {
                unknown += lock == nil ? 0 : 1
                continue
            }
            let error = abs(position.current.seconds - start - now.seconds * speed)
            if lock == nil, error < 0.25 { lock = now.seconds }
            if lock != nil { errors.append(error) }
        }
        return (lock, errors, unknown)
    }
}

/// Recordings as they are played.
enum Playback {
    /// A stretch played at another speed, pitch with it; values between samples by a windowed sinc of 32 taps.
    static func stretch(of recording: Recording, from start: Int, seconds: Double, speed: Double) -> Recording {
        let count = Int(seconds * Double(Recording.sampleRate))
        guard speed != 1 else { return recording.piece(from: start, count: count) }
        let samples = recording.samples
        let reach = 16
        var played: [Float] = []
        played.reserveCapacity(count)
        for index in 0..<count {
            let place = Double(start) + Double(index) * speed
            let whole = Int(place)
            guard whole + reach < samples.count else { break }
            var sum = 0.0
            for tap in max(0, whole - reach + 1)...whole + reach {
                let distance = Double(tap) - place
                let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
                sum += Double(samples[tap]) * sinc * (0.5 + 0.5 * cos(.pi * distance / Double(reach)))
            }
            played.append(Float(sum))
        }
        return Recording(played)
    }
}

extension Recording {
    /// Repeated until it is so long.
    func looped(to count: Int) -> Recording {
        guard !samples.isEmpty else { return Recording([Float](repeating: 0, count: count)) }
        return Recording((0..<count).map { samples[$0 % samples.count] })
    }
}
