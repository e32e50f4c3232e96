import Foundation
import TestSupport

/// Loops made by code, good and bad, of one channel.
struct LoopSamples {
    let name: String
    let samples: [Float]
    let sampleRate: Int

    init(_ name: String, _ samples: [Double], sampleRate: Int = 44_100) {
        self.name = name
        self.samples = samples.map { Float($0) }
        self.sampleRate = sampleRate
    }

    private static let rate = 44_100.0

    // MARK: - Sounds

    /// Partials with their levels and phases, for so many seconds.
    private static func tone(
        _ partials: [(frequency: Double, level: Double)],
        _ seconds: Double,
        phase: Double = 0
    ) -> [Double] {
        (0..<Int(seconds * rate)).map { place in
            partials.reduce(0) { $0 + $1.level * sin(2 * .pi * $1.frequency * Double(place) / rate + phase) }
        }
    }

    private static func noise(_ seconds: Double, _ level: Double, seed: UInt64) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<Int(seconds * rate)).map { _ in
            level * (0..<6).reduce(0) { sum, _ in sum + Double.random(in: -0.7...0.7, using: &generator) }
        }
    }

    private static func low(_ samples: [Double], _ share: Double) -> [Double] {
        var state = 0.0
        return samples.map {
            state += share * ($0 - state)
            return state
        }
    }

    private static func mixed(_ one: [Double], _ other: [Double]) -> [Double] { zip(one, other).map(+) }

    private static func scaled(_ samples: [Double], _ level: (Double) -> Double) -> [Double] {
        samples.enumerated().map { $1 * level(Double($0) / rate) }
    }

    /// The end faded into what stands before the begin, as samplers do it.
    private static func crossfaded(_ samples: [Double], _ seconds: Double) -> [Double] {
        let count = Int(seconds * rate)
        var loop = Array(samples.dropFirst(count))
        for place in 0..<count {
            let part = Double(place + 1) / Double(count)
            let end = loop.count - count + place
            loop[end] = loop[end] * (1 - part).squareRoot() + samples[place] * part.squareRoot()
        }
        return loop
    }

    private static func put(_ hit: [Double], at seconds: Double, in loop: inout [Double]) {
        let start = Int(seconds * rate)
        for (place, value) in hit.enumerated() where start + place < loop.count { loop[start + place] += value }
    }

    private static func kick(_ level: Double = 0.8) -> [Double] {
        var phase = 0.0
        return (0..<Int(0.3 * rate)).map { place in
            let time = Double(place) / rate
            phase += 2 * .pi * (50 + 100 * exp(-time * 40)) / rate
            return level * sin(phase) * exp(-time * 14)
        }
    }

    private static func snare(_ level: Double, seed: UInt64) -> [Double] {
        mixed(
            scaled(noise(0.2, level, seed: seed)) { exp(-$0 * 25) },
            scaled(tone([(190, level)], 0.2)) { exp(-$0 * 30) }
        )
    }

    private static func hat(_ level: Double, seed: UInt64) -> [Double] {
        let white = noise(0.06, level, seed: seed)
        return scaled(zip(white, [0] + white).map { $0 - $1 }) { exp(-$0 * 60) }
    }

    /// Two bars at 120: hits by their half beats.
    private static func drums(kicks: [Int], snares: [Int], hats: [Int], seed: UInt64) -> [Double] {
        var loop = [Double](repeating: 0, count: Int(4 * rate))
        for place in kicks { put(kick(), at: Double(place) * 0.25, in: &loop) }
        for place in snares { put(snare(0.3, seed: seed), at: Double(place) * 0.25, in: &loop) }
        for place in hats { put(hat(0.2, seed: seed + UInt64(place)), at: Double(place) * 0.25, in: &loop) }
        return loop
    }

    private static let chord = [(220.0, 0.2), (275.0, 0.2), (330.0, 0.2), (440.0, 0.1)]

    // MARK: - Sets

    /// Twenty that go on smoothly.
    static let good: [LoopSamples] = [
        LoopSamples("sine, whole periods", tone([(440, 0.5)], 1)),
        LoopSamples("sine, whole periods, from its top", tone([(440, 0.5)], 1, phase: .pi / 2)),
        LoopSamples("low sine", tone([(50, 0.7)], 1, phase: 1)),
        LoopSamples("high sine", tone([(7_000, 0.3)], 0.5, phase: 2)),
        LoopSamples("chord, whole periods", tone(chord, 2, phase: 0.7)),
        LoopSamples("buzz", tone((1...40).map { (110 * Double($0), 0.4 / Double($0)) }, 1)),
        LoopSamples("short buzz", tone((1...20).map { (100 * Double($0), 0.4 / Double($0)) }, 0.05, phase: 0.3)),
        LoopSamples("tremolo", scaled(tone(chord, 2)) { 1 + 0.5 * sin(2 * .pi * 4 * $0) }),
        LoopSamples("chord, crossfaded", crossfaded(tone([(221.3, 0.3), (278.9, 0.2), (333.7, 0.2)], 2.3), 0.2)),
        LoopSamples("noise", noise(2, 0.1, seed: 1)),
        LoopSamples("soft noise", low(noise(2, 0.2, seed: 2), 0.1)),
        LoopSamples("rumble, crossfaded", crossfaded(low(noise(2.5, 0.4, seed: 3), 0.01), 0.3)),
        LoopSamples("sea", crossfaded(scaled(noise(4.3, 0.1, seed: 4)) { 1.2 + sin(2 * .pi * 0.25 * $0) }, 0.3)),
        LoopSamples("noise over a chord", mixed(noise(2, 0.02, seed: 5), tone(chord, 2))),
        LoopSamples("drums from a kick", drums(kicks: [0, 4, 8, 12], snares: [2, 6, 10, 14], hats: [], seed: 6)),
        LoopSamples("drums from a snare", drums(kicks: [2, 10], snares: [0, 8], hats: [4, 6, 12, 14], seed: 7)),
        LoopSamples(
            "drums over a room",
            mixed(
                drums(kicks: [0, 6, 8], snares: [4, 12], hats: Array(0..<16), seed: 8),
                noise(4, 0.004, seed: 9)
            )
        ),
        LoopSamples(
            "a snare at the end, and a kick at the begin",
            drums(kicks: [0, 8], snares: [4, 12, 15], hats: Array(0..<16), seed: 10)
        ),
        LoopSamples(
            "a note that dies away",
            scaled(tone([(220, 0.5), (440, 0.2), (660, 0.1)], 2)) { min(1, $0 * 200) * exp(-3 * $0) }
        ),
        LoopSamples(
            "two chords",
            scaled(tone(chord, 1)) { min(1, $0 * 200, (1 - $0) * 50) }
                + scaled(tone([(246.9, 0.2), (311.1, 0.2), (370, 0.2)], 1)) { min(1, $0 * 200, (1 - $0) * 50) }
        ),
    ]

    /// Twenty that do not.
    static let bad: [LoopSamples] = [
        LoopSamples("sine, half a period over", tone([(440, 0.5)], 1.001_136)),
        LoopSamples("sine, a quarter over", tone([(440, 0.5)], 1.000_568)),
        LoopSamples("sine, from its top to zero", tone([(300, 0.4)], 1.000_833, phase: .pi / 2)),
        LoopSamples("low sine, cut", tone([(60, 0.7)], 1.004, phase: 0.5)),
        LoopSamples("soft sine, cut", tone([(440, 0.01)], 1.001)),
        LoopSamples("chord, cut", tone([(221.3, 0.2), (278.9, 0.2), (333.7, 0.2)], 1.234)),
        LoopSamples("other chord, cut", tone([(131.1, 0.3), (165.3, 0.2), (196.7, 0.2)], 0.777)),
        LoopSamples("buzz, cut", tone((1...8).map { (110 * Double($0), 0.3 / Double($0)) }, 1.003)),
        LoopSamples(
            "a chord over noise, cut",
            mixed(noise(1.234, 0.005, seed: 11), tone([(221.3, 0.3), (333.7, 0.3)], 1.234))
        ),
        LoopSamples("sine that grows by 6 dB", scaled(tone([(440, 0.4)], 1)) { $0 < 0.5 ? 1 : 0.5 }),
        LoopSamples("sine that falls by 6 dB", scaled(tone([(440, 0.4)], 1)) { $0 < 0.5 ? 0.5 : 1 }),
        LoopSamples("noise that grows by 10 dB", scaled(noise(2, 0.1, seed: 12)) { $0 < 1 ? 1 : 0.32 }),
        LoopSamples("noise that falls by 10 dB", scaled(noise(2, 0.1, seed: 13)) { $0 < 1 ? 0.32 : 1 }),
        LoopSamples("soft noise that grows by 8 dB", scaled(low(noise(2, 0.3, seed: 14), 0.2)) { $0 < 1 ? 1 : 0.4 }),
        LoopSamples("noise that ends before silence", scaled(noise(2, 0.1, seed: 15)) { $0 < 0.5 ? 0 : 1 }),
        LoopSamples("chord that is faded in over the loop", scaled(tone(chord, 2)) { 0.1 + 0.45 * $0 }),
        LoopSamples("sine whose middle moves", tone([(440, 0.3)], 1).enumerated().map { $0 < 22_050 ? $1 : $1 + 0.2 }),
        LoopSamples(
            "noise whose middle moves",
            noise(1, 0.05, seed: 16).enumerated().map { $0 < 22_050 ? $1 : $1 + 0.15 }
        ),
        LoopSamples(
            "silence whose middle moves",
            tone([(100, 0.001)], 1).enumerated().map { $0 < 22_050 ? $1 : $1 - 0.3 }
        ),
        LoopSamples("one wrong sample", Array(tone([(440, 0.3)], 1).dropLast()) + [0.9]),
    ]
}
