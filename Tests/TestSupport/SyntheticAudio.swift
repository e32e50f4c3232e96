import EarshotCore
import Foundation

/// Signals whose tempo and key are known.
package enum SyntheticAudio {
    /// The sample rate of the signals, in hertz.
    package static let rate = 44_100

    /// A short burst of noise on every beat.
    ///
    /// - Parameters:
    ///   - tempo: Beats a minute.
    ///   - begin: When the first is heard, in seconds.
    package static func clicks(tempo: Double, seconds: Double, begin: Double = 0.25, rate: Int = rate) -> [Float] {
        var generator = SeededGenerator(seed: 5)
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        for number in 0... {
            let start = Int((begin + Double(number) * 60 / tempo) * Double(rate))
            guard start < samples.count else { break }
            for index in start..<min(samples.count, start + rate / 50) {
                let decay = exp(-Double(index - start) / Double(rate) * 200)
                samples[index] = Float(Double.random(in: -0.8...0.8, using: &generator) * decay)
            }
        }
        return samples
    }

    /// White noise.
    package static func noise(seconds: Double, level: Float = 0.3, seed: UInt64 = 1) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        return (0..<Int(seconds * Double(rate))).map { _ in Float.random(in: -level...level, using: &generator) }
    }

    /// The chords of a key, tonic, subdominant, dominant and tonic, one a second, as notes with four harmonics.
    ///
    /// - Parameters:
    ///   - tonic: In semitones above C.
    ///   - cents: How far all of it is tuned above A4 = 440 Hz.
    package static func cadence(tonic: Int, minor: Bool, cents: Double = 0, repeats: Int = 2) -> [Float] {
        let third = minor ? 3 : 4
        let chords = [[0, third, 7], [5, 5 + third, 12], [7, 11, 14], [0, third, 7]]
        return (0..<repeats).flatMap { _ in
            chords.flatMap { chord in
                sum(of: chord.map { 440 * pow(2, (Double($0 + tonic - 21) + cents / 100) / 12) }, seconds: 1)
            }
        }
    }

    private static func sum(of fundamentals: [Double], seconds: Double) -> [Float] {
        (0..<Int(seconds * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            var value = 0.0
            for fundamental in fundamentals {
                for harmonic in 1...4 {
                    value += sin(2 * .pi * fundamental * Double(harmonic) * time) / Double(harmonic * harmonic)
                }
            }
            return Float(value * 0.15 * exp(-time))
        }
    }
}
