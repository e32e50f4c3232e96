import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Buffers that do not follow each other")
struct GapTests {
    private static let music = SyntheticMusic(seed: 41, duration: 3)

    private func buffer(_ range: Range<Int>) -> AudioBuffer {
        AudioBuffer(Array(Self.music.samples()[range]), sampleRate: 16_000)
    }

    private func milliseconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1_000) }

    /// One second of audio at time 0, then what the caller appends.
    private func started(gaps: SignatureGenerator.GapPolicy = .refuse) throws -> SignatureGenerator {
        var generator = SignatureGenerator(gaps: gaps)
        try generator.append(buffer(0..<16_000), at: .zero)
        return generator
    }

    @Test("Ten milliseconds either way are jitter", arguments: [-10, -3, 0, 10] as [Int64])
    func tolerated(jitter: Int64) throws {
        var generator = try started()
        try generator.append(buffer(16_000..<32_000), at: milliseconds(1_000 + jitter))
        #expect(generator.duration == MediaTime(value: 2, timescale: 1))
    }

    @Test("Eleven are not, and the error says how many", arguments: [11, 500, -11, -1_000] as [Int64])
    func refused(deviation: Int64) throws {
        var generator = try started()
        let before = generator.signature()
        let failure = #expect(throws: EarshotError.self) {
            try generator.append(buffer(16_000..<32_000), at: milliseconds(1_000 + deviation))
        }
        #expect(failure?.code == .audioDiscontinuity)
        #expect(failure?.deviation == milliseconds(deviation))
        #expect(failure?.position == milliseconds(1_000))
        #expect(failure?.message.contains("\(abs(deviation)) ms") == true)
        // The generator is as before: the right buffer goes on.
        #expect(generator.signature() == before)
        try generator.append(buffer(16_000..<32_000), at: milliseconds(1_000))
        #expect(generator.duration == MediaTime(value: 2, timescale: 1))
    }

    @Test("Times of some buffers only are held against the sum of durations")
    func someTimes() throws {
        var generator = try started()
        try generator.append(buffer(16_000..<24_000))
        try generator.append(buffer(24_000..<32_000))
        try generator.append(buffer(32_000..<40_000), at: milliseconds(2_000))
        let failure = #expect(throws: EarshotError.self) {
            try generator.append(buffer(40_000..<48_000), at: milliseconds(2_400))
        }
        #expect(failure?.deviation == milliseconds(-100))
    }

    @Test("The first time may be any")
    func anyStart() throws {
        var generator = SignatureGenerator()
        try generator.append(buffer(0..<8_000))
        try generator.append(buffer(8_000..<16_000), at: MediaTime(value: -7_000, timescale: 3))
        try generator.append(buffer(16_000..<24_000), at: MediaTime(value: -7_000, timescale: 3) + milliseconds(500))
        #expect(generator.duration == milliseconds(1_500))
    }

    @Test("Silence in place of a gap keeps what follows in its place")
    func filled() throws {
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        try generator.append(buffer(0..<16_000), at: .zero)
        try generator.append(buffer(24_000..<48_000), at: milliseconds(1_500))
        let found = generator.signature()
        var silenced = Self.music.samples()
        for index in 16_000..<24_000 { silenced[index] = 0 }
        #expect(found.duration == MediaTime(value: 3, timescale: 1))
        #expect(try found == Signature.of(silenced))
        // Behind the gap the landmarks of the uncut music are found at their old times.
        let late = try Self.music.signature().landmarks.filter { $0.time > 1_000 }
        #expect(LandmarkComparison.share(of: late, in: found.landmarks) > 0.9)
    }

    @Test("A step back is refused even where gaps are filled, and so is a gap beyond ten minutes")
    func notFilled() throws {
        for deviation in [-500, 600_001] as [Int64] {
            var generator = try started(gaps: .fillWithSilence)
            let failure = #expect(throws: EarshotError.self) {
                try generator.append(buffer(16_000..<17_000), at: milliseconds(1_000 + deviation))
            }
            #expect(failure?.code == .audioDiscontinuity)
            #expect(failure?.deviation == milliseconds(deviation))
            #expect(generator.duration == MediaTime(value: 1, timescale: 1))
        }
    }

    @Test(
        "Times beyond all measure are refused without harm",
        arguments: [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
            MediaTime(value: .max, timescale: 1), MediaTime(value: .min, timescale: 1),
        ] as [MediaTime]
    )
    func senseless(time: MediaTime) throws {
        for policy in [SignatureGenerator.GapPolicy.refuse, .fillWithSilence] {
            var generator = try started(gaps: policy)
            #expect(code { try generator.append(buffer(16_000..<17_000), at: time) } == .audioDiscontinuity)
            #expect(generator.duration == MediaTime(value: 1, timescale: 1))
        }
        // As the very first time it may stand, if it is one; what follows is held against it.
        var generator = SignatureGenerator()
        let first = code { try generator.append(buffer(0..<1_000), at: time) }
        #expect(first == (time.isNumeric ? nil : .audioDiscontinuity))
        _ = code { try generator.append(buffer(1_000..<2_000), at: .zero) }
        #expect(generator.duration <= MediaTime(value: 2_000, timescale: 16_000))
    }
}
