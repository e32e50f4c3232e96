package import EarshotCore
import Foundation

/// Made-up music whose every sound is known: notes with harmonics over a beat, and short bursts in place of drums.
///
/// All of it is a sum of damped sine waves whose place in time is known, so that the same piece can be rendered at any
/// rate, from any instant, faster or slower, higher or lower, without resampling. One seed always gives one piece.
package struct SyntheticMusic: Sendable {
    /// One damped sine wave.
    struct Partial: Sendable {
        /// When it sets in and how long it sounds, in seconds.
        var start, length: Double
        /// In hertz.
        var frequency: Double
        var amplitude: Double
        /// How fast it dies away, a second.
        var decay: Double
        /// In radians.
        var phase: Double
    }

    /// How a rendering differs from the piece.
    package struct Change: Hashable, Sendable {
        /// Seconds of the piece in one second of the rendering.
        package var speed = 1.0
        /// How much higher the rendering sounds, as a ratio of frequencies.
        package var pitch = 1.0

        /// Nothing is changed.
        package static let none = Change()

        /// The same notes at another tempo and height.
        package init(speed: Double = 1, pitch: Double = 1) {
            self.speed = speed
            self.pitch = pitch
        }

        /// As a record that turns at another speed: tempo and height change together.
        package static func played(_ ratio: Double) -> Change { Change(speed: ratio, pitch: ratio) }
    }

    let partials: [Partial]
    /// How long the piece is, in seconds.
    package let duration: Double

    /// A piece of its own.
    package init(seed: UInt64, duration: Double) {
        var generator = SeededGenerator(seed: seed)
        var partials: [Partial] = []
        let beat = Double.random(in: 0.19...0.31, using: &generator)
        let scale = [0, 2, 3, 5, 7, 9, 10]
        let root = Double.random(in: 180...260, using: &generator)
        var time = 0.0
        while time < duration {
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                Self.addNote(at: time, root: root, scale: scale, beat: beat, to: &partials, using: &generator)
            }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                Self.addBurst(at: time, to: &partials, using: &generator)
            }
            // No two beats are alike, so that no place is like another.
            time += beat * Double.random(in: 0.8...1.25, using: &generator)
        }
        self.partials = partials.sorted { $0.start < $1.start }
        self.duration = duration
    }

    init(partials: [Partial], duration: Double) {
        self.partials = partials
        self.duration = duration
    }

    private static func addNote(
        at time: Double,
        root: Double,
        scale: [Int],
        beat: Double,
        to partials: inout [Partial],
        using generator: inout SeededGenerator
    ) {
        let degree = scale[Int.random(in: 0..<scale.count, using: &generator)]
        let octave = Int.random(in: 0...2, using: &generator)
        let pitch = root * exp2(Double(degree) / 12 + Double(octave))
        let length = beat * Double.random(in: 1...3, using: &generator)
        let loudness = Double.random(in: 0.03...0.12, using: &generator)
        for harmonic in 1...5 where pitch * Double(harmonic) < 3_900 {
            partials.append(
                Partial(
                    start: time,
                    length: length,
                    frequency: pitch * Double(harmonic),
                    amplitude: loudness * Double.random(in: 0.4...1, using: &generator) / Double(harmonic),
                    decay: Double.random(in: 2...6, using: &generator),
                    phase: Double.random(in: 0..<2 * .pi, using: &generator)
                )
            )
        }
    }

    private static func addBurst(at time: Double, to partials: inout [Partial], using generator: inout SeededGenerator)
    {
        for _ in 0..<12 {
            partials.append(
                Partial(
                    start: time,
                    length: 0.06,
                    frequency: 200 * exp2(Double.random(in: 0...4.2, using: &generator)),
                    amplitude: 0.02,
                    decay: 40,
                    phase: Double.random(in: 0..<2 * .pi, using: &generator)
                )
            )
        }
    }

    /// This piece up to an instant, and another behind it.
    package func followed(by other: SyntheticMusic, at instant: Double) -> SyntheticMusic {
        let later = other.partials.map { partial in
            var moved = partial
            moved.start += instant
            return moved
        }
        return SyntheticMusic(
            partials: partials.filter { $0.start < instant } + later,
            duration: instant + other.duration
        )
    }
}

// MARK: - Rendering

extension SyntheticMusic {
    /// Samples of the piece; before its start and behind its end there is silence.
    ///
    /// - Parameters:
    ///   - start: Where to begin, in seconds of the piece.
    ///   - seconds: How long the rendering is.
    ///   - sampleRate: In hertz.
    ///   - change: What differs from the piece.
    package func samples(
        from start: Double = 0,
        seconds: Double? = nil,
        sampleRate: Int = 16_000,
        change: Change = .none
    ) -> [Float] {
        let count = Int(((seconds ?? duration) * Double(sampleRate)).rounded())
        var output = [Float](repeating: 0, count: count)
        output.withUnsafeMutableBufferPointer { output in
            for partial in partials {
                Self.add(partial, from: start, rate: Double(sampleRate), change: change, to: output)
            }
        }
        return output
    }

    /// A buffer of ``samples(from:seconds:sampleRate:change:)``.
    package func buffer(
        from start: Double = 0,
        seconds: Double? = nil,
        sampleRate: Int = 16_000,
        change: Change = .none
    ) -> AudioBuffer {
        AudioBuffer(
            samples(from: start, seconds: seconds, sampleRate: sampleRate, change: change),
            sampleRate: sampleRate
        )
    }

    private static func add(
        _ partial: Partial,
        from start: Double,
        rate: Double,
        change: Change,
        to output: UnsafeMutableBufferPointer<Float>
    ) {
        let frequency = partial.frequency * change.pitch
        guard frequency < 0.49 * rate else { return }
        let onset = (partial.start - start) / change.speed
        let length = partial.length / change.speed
        let first = max(0, Int((onset * rate).rounded(.up)))
        let last = min(output.count, Int(((onset + length) * rate).rounded(.down)))
        guard first < last else { return }
        let step = 2 * .pi * frequency / rate
        let decay = partial.decay * change.speed / rate
        let age = Double(first) / rate - onset
        func values(from index: Double) -> SIMD4<Double> {
            SIMD4(
                (0..<4).map { lane in
                    let index = index + Double(lane)
                    let phase = 2 * .pi * frequency * age + step * index + partial.phase
                    return partial.amplitude * exp(-partial.decay * change.speed * age - decay * index) * sin(phase)
                }
            )
        }
        // A damped wave by its recurrence, from each sample to the fourth behind it.
        let (forward, back) = (2 * exp(-4 * decay) * cos(4 * step), exp(-8 * decay))
        var (before, now) = (values(from: -4), values(from: 0))
        // Eight milliseconds to rise and twenty to end, so that no edge clicks.
        let lanes = SIMD4<Double>(0, 1, 2, 3)
        let (rise, fall) = (1 / 0.008 / rate, 1 / 0.02 / rate)
        var opening = age / 0.008 + lanes * rise
        var closing = (length - age) / 0.02 - lanes * fall
        for index in stride(from: first, to: last, by: 4) {
            let samples = now * pointwiseMin(SIMD4(repeating: 1), pointwiseMin(opening, closing))
            for lane in 0..<min(4, last - index) { output[index + lane] += Float(samples[lane]) }
            (before, now) = (now, forward * now - back * before)
            opening += 4 * rise
            closing -= 4 * fall
        }
    }
}
