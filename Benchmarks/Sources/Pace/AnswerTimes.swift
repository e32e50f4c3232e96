import BenchmarkSupport
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotRecognition
import EarshotSignatures
import Foundation

/// Times until a monitor says what is on, over made-up music that a catalog holds.
struct AnswerTimes {
    /// Seconds of each piece that are heard; without an answer by then there is none.
    private static let heard = 10

    private let catalog: Catalog
    private let pieces: [AudioBuffer]

    /// Makes the pieces and the catalog.
    init(count: Int) throws {
        var (catalog, pieces) = (Catalog(), [AudioBuffer]())
        for number in 0..<count {
            let piece = Self.piece(seed: UInt64(number) + 1)
            var generator = SignatureGenerator()
            try generator.append(piece)
            try catalog.add(generator.signature(), representing: [], id: ReferenceID("piece-\(number)"))
            pieces.append(piece)
        }
        (self.catalog, self.pieces) = (catalog, pieces)
    }

    /// Seconds from the start of a monitor to its first match, of each piece in each mode. All run at the same time, so that a
    /// machine with other work to do delays both modes alike. A piece without an answer takes forever.
    func measure(_ modes: [OptimizationMode]) async throws -> [OptimizationMode: [Double]] {
        try await withThrowingTaskGroup(of: (OptimizationMode, Double).self) { group in
            for piece in pieces {
                for mode in modes {
                    let catalog = catalog
                    group.addTask { (mode, try await Self.answer(piece, mode, catalog)) }
                }
            }
            var times: [OptimizationMode: [Double]] = [:]
            for try await (mode, time) in group { times[mode, default: []].append(time) }
            return times
        }
    }

    private static func answer(_ piece: AudioBuffer, _ mode: OptimizationMode, _ catalog: Catalog) async throws
        -> Double
    {
        let monitor = try Monitor(
            registration: .local,
            local: { (signature: Signature) -> Result<[MonitorMatch], EarshotError> in
                do throws(EarshotError) {
                    let references = try catalog.match(signature)?.references ?? []
                    return .success(references.map { MonitorMatch(title: $0.id.rawValue) })
                } catch {
                    return .failure(error)
                }
            },
            service: nil
        )
        monitor.properties.optimization = mode
        let results = monitor.results
        try monitor.initializeAudio()
        let clock = ContinuousClock()
        let start = clock.now
        try monitor.start()
        let first = Task {
            for await result in results where !result.matches.isEmpty {
                let duration = clock.now - start
                return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            }
            return Double.infinity
        }
        let feed = Task {
            // Whoever waits for a match by then waits in vain.
            defer { first.cancel() }
            for tenth in 0..<heard * 10 {
                try await clock.sleep(until: start + .milliseconds((tenth + 1) * 100))
                try monitor.submit(piece.frames(tenth * 1_600..<(tenth + 1) * 1_600))
            }
            await monitor.settled()
        }
        let time = await first.value
        feed.cancel()
        monitor.stop()
        return time
    }

    /// Twenty seconds of notes with harmonics that die away, at irregular beats.
    private static func piece(seed: UInt64) -> AudioBuffer {
        let rate = 16_000
        var samples = [Float](repeating: 0, count: 20 * rate)
        var random = SeededGenerator(seed: seed)
        var begin = 0
        while begin < samples.count {
            let frequency = 180 * pow(2, Double(random.integer(in: 0..<30)) / 12)
            for harmonic in 1...4 {
                let step = 2 * Double.pi * frequency * Double(harmonic) / Double(rate)
                let level = 0.2 / Double(harmonic)
                for index in begin..<min(samples.count, begin + rate / 2) {
                    let time = Double(index - begin)
                    samples[index] += Float(level * sin(step * time) * exp(-6 * time / Double(rate)))
                }
            }
            begin += rate / 20 + random.integer(in: 0..<rate / 5)
        }
        return AudioBuffer(samples, sampleRate: rate)
    }
}
