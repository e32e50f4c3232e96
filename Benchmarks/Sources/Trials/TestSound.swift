import BenchmarkSupport
import Foundation

/// Sounds that are nobody's music, ten seconds each, at 16 kHz.
struct TestSound {
    let name: String
    let recording: Recording

    private static let rate = Double(Recording.sampleRate)
    private static let count = 10 * Recording.sampleRate

    private init(_ name: String, _ sample: (Double) -> Double) {
        self.name = name
        recording = Recording((0..<Self.count).map { Float(sample(Double($0) / Self.rate)) })
    }

    /// All of them; the same seed gives the same noise.
    static func all(seed: UInt64) -> [TestSound] {
        var random = SeededGenerator(seed: seed)
        func noise() -> Double { random.unit() * 2 - 1 }
        var sounds = [TestSound("digital zero") { _ in 0 }]
        sounds.append(TestSound("one bit of dither") { _ in (noise() > 0 ? 1 : 0) / 32_768 })
        for frequency in [200.0, 440, 1_000, 2_500, 5_000] {
            sounds.append(TestSound("tone, \(Int(frequency)) Hz") { 0.5 * sin(2 * .pi * frequency * $0) })
        }
        sounds.append(
            TestSound("sweep, 100 to 7,000 Hz") {
                0.5 * sin(2 * .pi * 100 * 10 / log(70) * (pow(70, $0 / 10) - 1))
            }
        )
        sounds.append(TestSound("white noise") { _ in 0.3 * noise() })
        var (low, middle, high) = (0.0, 0.0, 0.0)
        sounds.append(
            TestSound("pink noise") { _ in
                let white = noise()
                low = 0.99765 * low + white * 0.0990460
                middle = 0.96300 * middle + white * 0.2965164
                high = 0.57000 * high + white * 1.0526913
                return 0.1 * (low + middle + high + white * 0.1848)
            }
        )
        sounds.append(TestSound("clipped noise") { _ in min(max(20 * noise(), -1), 1) })
        sounds.append(TestSound("mains hum, 50 Hz") { 0.2 * partials(of: 50, count: 20, at: $0) })
        let keys = [(697.0, 1_209.0), (770, 1_336), (852, 1_477), (941, 1_336), (697, 1_477)]
        sounds.append(
            TestSound("telephone keys") { time in
                let (first, second) = keys[Int(time * 4) % keys.count]
                return (time * 4).truncatingRemainder(dividingBy: 1) < 0.6
                    ? 0.3 * (sin(2 * .pi * first * time) + sin(2 * .pi * second * time)) : 0
            }
        )
        sounds.append(TestSound("single click") { abs($0 - 5) < 0.0005 ? 0.9 : 0 })
        sounds.append(
            TestSound("metronome, 120 a minute") { time in
                let since = (time * 2).truncatingRemainder(dividingBy: 1) / 2
                return 0.8 * exp(-since * 200) * sin(2 * .pi * 1_500 * since)
            }
        )
        let chord = [261.63, 329.63, 392.0]
        sounds.append(
            TestSound("sustained chord") { time in
                var sum = 0.0
                for note in chord { sum += 0.1 * partials(of: note, count: 6, at: time) }
                return sum
            }
        )
        sounds.append(drums(&random))
        return sounds
    }

    /// The partials of a tone, each weaker by its number.
    private static func partials(of frequency: Double, count: Int, at time: Double) -> Double {
        var sum = 0.0
        for number in 1...count {
            sum += sin(2 * .pi * frequency * Double(number) * time) / Double(number)
        }
        return sum
    }

    /// A kick, a snare and a hat at 173.3 beats a minute.
    private static func drums(_ random: inout SeededGenerator) -> TestSound {
        let beat = 60 / 173.3
        let noise = (0..<count).map { _ in random.unit() * 2 - 1 }
        return TestSound("drum loop, 173.3 a minute") { time in
            let number = Int(time / beat)
            let since = time - Double(number) * beat
            let hat = (time * 2 / beat).truncatingRemainder(dividingBy: 1) * beat / 2
            let hiss = noise[min(count - 1, Int(time * rate))]
            let thump = sin(2 * .pi * (50 + 60 * exp(-since * 30)) * since)
            let kick = number.isMultiple(of: 2) ? 0.8 * exp(-since * 18) * thump : 0
            let rattle = 0.4 * hiss + 0.3 * sin(2 * .pi * 190 * since)
            let snare = number.isMultiple(of: 2) ? 0 : exp(-since * 22) * rattle
            return kick + snare + 0.12 * exp(-hat * 60) * hiss
        }
    }
}
