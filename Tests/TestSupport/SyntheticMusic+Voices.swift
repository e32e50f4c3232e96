import Foundation

extension SyntheticMusic {
    /// How a person repeats a melody.
    package enum Voice: String, CaseIterable, Sendable {
        /// On an open vowel, with vibrato.
        case singing
        /// With the mouth closed.
        case humming
        /// Two octaves higher, without harmonics.
        case whistling
    }

    /// The melody of a part of the piece as a person repeats it by heart: at a tempo that wanders, in a key of the person's own, each
    /// note a little early or late, high or low. The notes are the lowest ones that set in together.
    ///
    /// - Parameters:
    ///   - start: The first note's place, in seconds of the piece.
    ///   - seconds: How long the rendering is.
    ///   - seed: Of tempo, key and errors.
    /// - Returns: Samples of one channel at 16 kHz.
    package func repeated(by voice: Voice, from start: Double, seconds: Double, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var lowest: [Double: Double] = [:]
        for partial in partials where partial.length > 0.07 && partial.start >= start {
            lowest[partial.start] = min(lowest[partial.start] ?? .infinity, partial.frequency)
        }
        let octaves = voice == .whistling ? 2.0 : 0
        let key = Double.random(in: -5...5, using: &generator) / 12 + octaves
        let tempo = Bool.random(using: &generator) ? 0.94 : 1.06
        // Octaves above 1 Hz at each sample: notes glide into each other within 60 ms.
        let rate = 16_000.0
        var pitches: [(time: Double, octaves: Double)] = []
        for (time, frequency) in lowest.sorted(by: { $0.key < $1.key }) {
            let error = Double.random(in: -40...40, using: &generator) / 1_200
            let delay = Double.random(in: -0.05...0.05, using: &generator)
            let moved = (time - start) * tempo + 0.15 * sin((time - start) / 2) + delay
            pitches.append((moved, log2(frequency) + key + error))
        }
        pitches.sort { $0.time < $1.time }
        var output = [Float](repeating: 0, count: Int(seconds * rate))
        guard var pitch = pitches.first?.octaves else { return output }
        var (next, phase) = (0, 0.0)
        for index in output.indices {
            let time = Double(index) / rate
            while next + 1 < pitches.count, pitches[next + 1].time <= time { next += 1 }
            pitch += (pitches[next].octaves - pitch) / (0.03 * rate)
            let depth = voice == .singing ? 50.0 : 20
            let frequency = exp2(pitch + depth / 1_200 * sin(2 * .pi * 5.5 * time))
            phase += 2 * .pi * frequency / rate
            output[index] = Float(Self.tone(of: voice, frequency: frequency, phase: phase))
        }
        return output
    }

    private static func tone(of voice: Voice, frequency: Double, phase: Double) -> Double {
        switch voice {
        case .whistling: 0.4 * sin(phase)
        case .humming: (1...6).reduce(0.0) { $0 + 0.3 * sin(phase * Double($1)) / Double($1 * $1) }
        case .singing:
            (1...16).reduce(0.0) { sum, harmonic in
                let height = frequency * Double(harmonic)
                guard height < 7_000 else { return sum }
                let formants = [(600.0, 200.0), (1_100, 250), (2_600, 400)]
                let level = formants.reduce(0.0) { $0 + exp(-pow((height - $1.0) / $1.1, 2)) }
                return sum + 0.25 * level * sin(phase * Double(harmonic)) / pow(Double(harmonic), 0.3)
            }
        }
    }
}
