import Foundation

/// What happens to audio on its way to a listener, in a form that is the same each time.
package enum Degradation {
    /// The audio with white noise, the power of both at a ratio.
    ///
    /// - Parameters:
    ///   - samples: The audio.
    ///   - decibels: How far the audio stands above the noise.
    ///   - seed: Which noise.
    package static func noisy(_ samples: [Float], signalToNoise decibels: Double, seed: UInt64) -> [Float] {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        // The sum of two equal spreads over −1...1 has a power of two thirds.
        let scale = Float((power / pow(10, decibels / 10) * 1.5).squareRoot())
        let noise = self.noise(count: samples.count, seed: seed)
        return zip(samples, noise).map { $0 + $1 * scale }
    }

    /// White noise between −2 and 2.
    package static func noise(count: Int, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let bits = generator.next()
            let high = Int32(truncatingIfNeeded: bits >> 32)
            let low = Int32(truncatingIfNeeded: bits)
            return Float(high) * 0x1p-31 + Float(low) * 0x1p-31
        }
    }

    /// The audio without what a narrow line cuts off: two poles on either side.
    package static func bandLimited(_ samples: [Float], from low: Double, to high: Double, sampleRate: Int) -> [Float] {
        let rate = Double(sampleRate)
        let down = Float(1 - exp(-2 * .pi * high / rate))
        let up = Float(exp(-2 * .pi * low / rate))
        var (first, second, heldInput, heldOutput) = (Float(0), Float(0), Float(0), Float(0))
        return samples.map { sample in
            first += down * (sample - first)
            second += down * (first - second)
            heldOutput = up * (heldOutput + second - heldInput)
            heldInput = second
            return heldOutput
        }
    }

    /// The audio played at another speed: tempo and pitch change together. Values between samples are interpolated by a
    /// windowed sinc of 16 taps.
    ///
    /// - Parameter speed: Seconds of the audio in one second of the result.
    package static func resampled(_ samples: [Float], speed: Double) -> [Float] {
        let reach = 8
        return (0..<Int(Double(samples.count) / speed)).map { index in
            let position = Double(index) * speed
            let whole = Int(position)
            var sum = 0.0
            for tap in max(0, whole - reach + 1)...min(samples.count - 1, whole + reach) {
                let distance = Double(tap) - position
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
                let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
                sum += Double(samples[tap]) * sinc * window
            }
            return Float(sum)
        }
    }
}
