import Foundation

extension SyntheticMusic {
    /// The same piece as a band plays it on a stage: in tune with itself a little higher or lower, at a tempo that wanders, every note a
    /// little early or late, each instrument with other harmonics, and a drummer who does what comes to mind.
    ///
    /// - Parameter seed: Of tempo, tuning, sounds and errors.
    package func performedLive(seed: UInt64) -> SyntheticMusic {
        var generator = SeededGenerator(seed: seed)
        let tuning = Double.random(in: -30...30, using: &generator) / 1_200
        let tempo = Double.random(in: 0.96...1.04, using: &generator)
        // Partials that set in together are the harmonics of notes, which musicians play together.
        var delays: [Double: Double] = [:]
        var played: [Partial] = []
        for partial in partials {
            let delay = delays[partial.start] ?? Double.random(in: -0.04...0.04, using: &generator)
            delays[partial.start] = delay
            var moved = partial
            moved.start = max(0, partial.start * tempo + 0.2 * sin(partial.start / 3) + delay)
            if partial.length < 0.07 {
                moved.frequency *= exp2(Double.random(in: -1...1, using: &generator))
                moved.start += Double.random(in: -0.1...0.1, using: &generator)
            } else {
                moved.frequency *= exp2(tuning + Double.random(in: -8...8, using: &generator) / 1_200)
            }
            moved.amplitude *= Double.random(in: 0.3...1.8, using: &generator)
            moved.decay *= Double.random(in: 0.4...1.5, using: &generator)
            moved.phase = Double.random(in: 0..<2 * .pi, using: &generator)
            played.append(moved)
        }
        return SyntheticMusic(partials: played.sorted { $0.start < $1.start }, duration: duration * tempo + 0.2)
    }
}
