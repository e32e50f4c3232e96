package import EarshotClassification
package import EarshotCore
import Foundation

/// Sounds whose kind is known, and what an analyzer hears in them.
package enum ClassificationAudio {
    package static let rate = 16_000

    package static func silence(_ seconds: Double) -> [Float] {
        [Float](repeating: 0, count: Int(seconds * Double(rate)))
    }

    package static func sine(_ seconds: Double, frequency: Double = 1_000, amplitude: Float = 1, rate: Int = rate)
        -> [Float]
    {
        (0..<Int(seconds * Double(rate))).map { index in
            amplitude * Float(sin(2 * Double.pi * frequency * Double(index) / Double(rate)))
        }
    }

    package static func music(_ seed: UInt64, _ seconds: Double) -> [Float] {
        SyntheticMusic(seed: seed, duration: seconds).samples(seconds: seconds)
    }

    /// Noise through a one-pole low pass: white at 0, like a waterfall or wind towards 1.
    package static func noise(_ seed: UInt64, _ seconds: Double, smoothness: Float) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var last: Float = 0
        return (0..<Int(seconds * Double(rate))).map { _ in
            last = smoothness * last + (1 - smoothness) * Float.random(in: -1...1, using: &generator)
            return 0.5 * last
        }
    }

    /// A clip of speech, played until the time is full.
    package static func speech(_ name: String, _ seconds: Double) throws -> AudioBuffer {
        let file = packageFolder.appendingPathComponent("Tests/ClassificationClips/\(name).ul")
        let samples = try Data(contentsOf: file).map(expand)
        let count = Int(seconds * 8_000)
        return AudioBuffer((0..<count).map { samples[$0 % samples.count] }, sampleRate: 8_000)
    }

    /// A byte of G.711 mu-law.
    private static func expand(_ byte: UInt8) -> Int16 {
        let code = ~byte
        let magnitude = ((Int(code & 0x0F) << 3) + 0x84) << (Int(code & 0x70) >> 4) - 0x84
        return Int16(clamping: code & 0x80 != 0 ? -magnitude : magnitude)
    }

    package static func observe(_ samples: [Float], rate: Int = rate) -> [AudioObservation] {
        var analyzer = StreamAnalyzer()
        return analyzer.append(AudioBuffer(samples, sampleRate: rate))
    }

    package static func kinds(_ observations: [AudioObservation]) -> [(
        time: Double, kind: AudioKind, confidence: Double
    )] {
        observations.compactMap { observation in
            guard case .classification(let found) = observation.content else { return nil }
            return (observation.time.seconds, found.kind, found.confidence)
        }
    }

    package static func transitions(_ observations: [AudioObservation]) -> [(score: Double, at: Double)] {
        observations.compactMap { observation in
            guard case .transition(let score, let instant) = observation.content else { return nil }
            return (score, instant.seconds)
        }
    }

    package static func ratios(_ observations: [AudioObservation]) -> [Double] {
        observations.compactMap { if case .silentRatio(let ratio) = $0.content { ratio } else { nil } }
    }

    package static func levels(_ observations: [AudioObservation]) -> [Double] {
        observations.compactMap { if case .level(let level) = $0.content { level } else { nil } }
    }
}
