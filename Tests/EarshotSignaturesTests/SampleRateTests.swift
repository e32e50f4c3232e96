import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("The same music at every rate")
struct SampleRateTests {
    private static let music = SyntheticMusic(seed: 31, duration: 4)
    private static let reference = Result { try music.signature() }

    @Test(
        "Most landmarks stand at the same place, and the duration is exact",
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000]
    )
    func rates(rate: Int) throws {
        let expected = try Self.reference.get()
        let found = try Self.music.signature(sampleRate: rate)
        #expect(found.duration == expected.duration)
        #expect(found.duration == MediaTime(value: 4, timescale: 1))
        // Half the rate of 8,000 Hz ends the axis early, and the filter takes what is near that end.
        let share = LandmarkComparison.share(of: expected.landmarks, in: found.landmarks)
        #expect(share > (rate < 12_000 ? 0.75 : 0.9), "\(rate) Hz: \(share)")
    }

    @Test("The rate may change midway; the timeline goes on")
    func change() throws {
        let expected = try Self.reference.get()
        var generator = SignatureGenerator()
        try generator.append(Self.music.buffer(seconds: 1.5, sampleRate: 44_100))
        try generator.append(Self.music.buffer(from: 1.5, seconds: 1, sampleRate: 48_000))
        try generator.append(Self.music.buffer(from: 2.5, seconds: 1.5, sampleRate: 16_000))
        let found = generator.signature()
        #expect(found.duration == expected.duration)
        #expect(LandmarkComparison.share(of: expected.landmarks, in: found.landmarks) > 0.8)
    }

    @Test("The number of channels and the type of samples may change midway too")
    func changeOfLayout() throws {
        let samples = Self.music.samples()
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(Array(samples[..<32_000]), sampleRate: 16_000))
        let rest = samples[32_000...].flatMap { [$0, $0] }
        try generator.append(AudioBuffer(rest, sampleRate: 16_000, channelCount: 2))
        #expect(try generator.signature() == Self.reference.get())
    }

    @Test("Outside 8,000 to 192,000 Hz is refused", .requirements("R-CC-002"), arguments: [0, 7_999, 192_001, .max])
    func limits(rate: Int) throws {
        var generator = SignatureGenerator()
        let failure = #expect(throws: EarshotError.self) {
            try generator.append(AudioBuffer([0.1, 0.2] as [Float], sampleRate: rate))
        }
        #expect(failure?.code == .audioFormatInvalid)
        #expect(failure?.message.contains("\(rate) Hz") == true)
        #expect(generator.duration == .zero)
    }

    @Test("Nine channels are refused, eight are not", .requirements("R-CC-002"))
    func channelLimit() throws {
        var generator = SignatureGenerator()
        let nine = AudioBuffer([Float](repeating: 0, count: 9), sampleRate: 16_000, channelCount: 9)
        let failure = #expect(throws: EarshotError.self) { try generator.append(nine) }
        #expect(failure?.code == .audioFormatInvalid)
        #expect(failure?.message.contains("9 channels") == true)
        try generator.append(AudioBuffer([Float](repeating: 0, count: 8), sampleRate: 16_000, channelCount: 8))
        #expect(generator.duration == MediaTime(value: 1, timescale: 16_000))
    }
}
