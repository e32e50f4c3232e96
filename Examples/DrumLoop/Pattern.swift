/// Which drums are hit on which sixteenth: a line a drum, `x` for a hit.
struct Pattern {
    let lines: [(drum: DrumKit.Drum, steps: [Bool])]
    let beatsPerMinute: Double

    /// A bar of each drum, such as `k x...x...x...x...`.
    init(_ text: String, beatsPerMinute: Double) {
        lines = text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let drum = parts[0].first.flatMap(DrumKit.Drum.init) else { return nil }
            return (drum, parts[1].filter { "x.".contains($0) }.map { $0 == "x" })
        }
        self.beatsPerMinute = beatsPerMinute
    }

    /// Two bars of rock.
    static let rock = """
        k x..x..x.x..xx...x..x..x.x.x.x...
        s ....x.......x.......x.......x..x
        h x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.xx
        """

    /// Sixteenths of the longest line.
    var stepCount: Int { lines.map(\.steps.count).max() ?? 0 }

    /// Seconds from the begin to where it begins again.
    var duration: Double { Double(stepCount) / 4 * 60 / beatsPerMinute }

    /// The samples of one round. What rings over its end is heard at its begin, as when it is played round and round: so no click
    /// marks where it begins again.
    func render(sampleRate: Double) -> [Float] {
        var mix = [Float](repeating: 0, count: Int((duration * sampleRate).rounded()))
        for (_, samples) in stems(sampleRate: sampleRate) {
            for (place, value) in samples.enumerated() { mix[place] += value }
        }
        return mix
    }

    /// The same round of each drum alone, as loud as it is in the mix: together they are the mix.
    func stems(sampleRate: Double) -> [(drum: DrumKit.Drum, samples: [Float])] {
        let kit = DrumKit(sampleRate: sampleRate)
        let count = Int((duration * sampleRate).rounded())
        guard count > 0 else { return [] }
        var mix = [Float](repeating: 0, count: count)
        var stems: [(drum: DrumKit.Drum, samples: [Float])] = []
        for (drum, steps) in lines {
            let hit = kit.hit(drum)
            var samples = [Float](repeating: 0, count: count)
            for (step, isHit) in steps.enumerated() where isHit {
                let begin = Int((Double(step) / 4 * 60 / beatsPerMinute * sampleRate).rounded())
                for (place, value) in hit.enumerated() { samples[(begin + place) % count] += value }
            }
            for (place, value) in samples.enumerated() { mix[place] += value }
            stems.append((drum, samples))
        }
        let loudest = mix.map(abs).max() ?? 0
        let gain = loudest > 0 ? 0.8 / loudest : 1
        return stems.map { ($0.drum, $0.samples.map { $0 * gain }) }
    }
}
