import EarshotDSP
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Landmarks stand where the sound is")
struct LandmarkTests {
    /// A tone that swells and fades around an instant.
    private func tone(at instant: Double, frequency: Double, loudness: Double = 0.2) -> (Double) -> Double {
        { time in
            let distance = (time - instant) / 0.03
            return loudness * exp(-0.5 * distance * distance) * sin(2 * .pi * frequency * time)
        }
    }

    private func render(_ tones: [(Double) -> Double], seconds: Double, rate: Int) -> [Float] {
        (0..<Int(seconds * Double(rate))).map { index in
            Float(tones.reduce(0) { $0 + $1(Double(index) / Double(rate)) })
        }
    }

    /// The landmark nearest to a place.
    private func nearest(_ signature: Signature, seconds: Double, frequency: Double) -> (steps: Double, rise: Double)? {
        let place = log2(frequency / FrequencyAxis.frequency(ofBin: 0)) * 384
        return signature.landmarks
            .map { (Double($0.time) - seconds * 500, Double($0.frequency) - place) }
            .min { abs($0.0) + abs($0.1) < abs($1.0) + abs($1.1) }
    }

    @Test("A tone gives a landmark within 6 ms and a third of a bin of it")
    func tones() throws {
        property("tones", rounds: 6) { generator in
            let instants = [0.4, 0.9, 1.4].map { $0 + Double.random(in: -0.1...0.1, using: &generator) }
            let heights = instants.map { _ in 190 * exp2(Double.random(in: 0...4.8, using: &generator)) }
            let tones = zip(instants, heights).map { tone(at: $0, frequency: $1) }
            let signature = try Signature.of(render(tones, seconds: 1.8, rate: 16_000))
            return zip(instants, heights).allSatisfy { instant, height in
                guard let found = nearest(signature, seconds: instant, frequency: height) else { return false }
                return abs(found.steps) <= 3 && abs(found.rise) <= 2.7
            }
        }
    }

    @Test("Also where the audio was brought to the analysis rate", arguments: [8_000, 22_050, 48_000])
    func otherRates(rate: Int) throws {
        let places = [(0.31, 440.0), (0.83, 1_234.5), (1.31, 3_000)]
        let signature = try Signature.of(
            render(places.map { tone(at: $0.0, frequency: $0.1) }, seconds: 1.6, rate: rate),
            sampleRate: rate
        )
        for place in places {
            let found = try #require(nearest(signature, seconds: place.0, frequency: place.1))
            #expect(abs(found.steps) <= 3)
            #expect(abs(found.rise) <= 2.7)
        }
    }

    @Test("A quiet passage has as many landmarks as a loud one")
    func quiet() throws {
        let music = SyntheticMusic(seed: 11, duration: 4)
        // With the floor of noise that every recording has.
        let samples = Degradation.noisy(music.samples(), signalToNoise: 40, seed: 13)
        let loud = try Signature.of(samples)
        let quiet = try Signature.of(samples.map { $0 / 256 })
        // Nothing but the rounding of arithmetic tells the two apart.
        let shared = Set(loud.landmarks).intersection(quiet.landmarks).count
        #expect(shared * 100 >= loud.landmarks.count * 85)
        #expect(quiet.landmarks.count * 100 >= loud.landmarks.count * 95)
    }

    @Test("No second has more than its quota, also in noise", .requirements("R-CC-012"))
    func quota() throws {
        let signature = try Signature.of(Degradation.noise(count: 64_000, seed: 5).map { $0 * 0.1 })
        let times = signature.landmarks.map { Int($0.time) }
        for start in stride(from: 0, to: 2_000, by: 50) {
            #expect(times.count { (start..<start + 500).contains($0) } <= 120)
        }
        // Three bytes a landmark, one a block, and three for the bits of 64 ms: nothing from which audio could be made again.
        #expect(signature.data.count <= 52 + signature.landmarks.count * 3 + 4 + 63 * 3)
        #expect(signature.data.count <= 52 + 4 * 310)
        // The spectrogram, of which speech could be made, is not written unasked.
        #expect(signature.hasSpectrogram)
        #expect(try !Signature(data: signature.data).hasSpectrogram)
    }

    @Test("Landmarks ascend and lie inside the audio")
    func order() throws {
        let signature = try SyntheticMusic(seed: 12, duration: 3).signature()
        #expect(signature.landmarks == signature.landmarks.sorted())
        #expect(signature.landmarks.allSatisfy { $0.time <= 1_500 && $0.frequency < 1_920 && $0.tier < 10 })
        #expect(signature.landmarks.count > 60)
    }

    @Test("Silence gives no landmarks: not alone, not before and not behind the music")
    func silence() throws {
        let music = SyntheticMusic(seed: 14, duration: 1)
        let landmarks = try music.signature(from: -1.5, seconds: 5).landmarks
        #expect(landmarks.allSatisfy { (700..<1_800).contains($0.time) })
        #expect(landmarks.count > 20)
    }
}
