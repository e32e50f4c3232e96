import Foundation

/// Drums from nothing but arithmetic: mono, from -1 to 1.
struct DrumKit {
    let sampleRate: Double

    /// A drum as a function of time.
    enum Drum: Character, CaseIterable {
        case kick = "k"
        case snare = "s"
        case hat = "h"

        /// What its stem is called.
        var name: String {
            switch self {
            case .kick: "Kick"
            case .snare: "Snare"
            case .hat: "Hat"
            }
        }

        /// How long it sounds, in seconds.
        var duration: Double {
            switch self {
            case .kick: 0.35
            case .snare: 0.22
            case .hat: 0.06
            }
        }
    }

    /// The samples of one hit. The noise is the same each time: a loop that is rendered twice is the same bytes.
    func hit(_ drum: Drum) -> [Float] {
        var noise = Noise(state: 0x5EED)
        var lowPassed = 0.0
        return (0..<Int(drum.duration * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            // Half a millisecond up, so that nothing clicks.
            let attack = min(1, time / 0.000_5)
            let white = noise.next()
            switch drum {
            case .kick:
                // A sine that falls from 160 to 45 Hz: its phase is the integral of the frequency.
                let fall = 0.05
                let phase = 2 * .pi * (45 * time + (160 - 45) * fall * (1 - exp(-time / fall)))
                return Float(0.9 * attack * sin(phase) * exp(-time / 0.09))
            case .snare:
                let tone = 0.35 * sin(2 * .pi * 185 * time) * exp(-time / 0.06)
                return Float(attack * (tone + 0.45 * white * exp(-time / 0.05)))
            case .hat:
                // What a low pass leaves: the high part.
                lowPassed += 0.25 * (white - lowPassed)
                return Float(0.3 * attack * (white - lowPassed) * exp(-time / 0.015))
            }
        }
    }
}

/// White noise that is always the same.
private struct Noise {
    var state: UInt64

    mutating func next() -> Double {
        // Marsaglia's xorshift of 64 bits.
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(Int64(bitPattern: state)) / Double(Int64.max)
    }
}
