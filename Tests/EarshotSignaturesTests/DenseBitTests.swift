import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Bits of a signature")
struct DenseBitTests {
    private static let music = SyntheticMusic(seed: 71, duration: 6)

    @Test("There is a row every 64 ms, also at the end", arguments: [0.1, 0.128, 0.2, 1, 3.3])
    func rows(seconds: Double) throws {
        let signature = try Self.music.signature(from: 0, seconds: seconds)
        // Windows of 128 ms begin every 16 ms; the last ones reach over the end by up to half of themselves.
        let windows = signature.bits.map { _ in Int((seconds * 1_000 - 128) / 16) + 1 } ?? 0
        let rows = signature.bits?.rows.count ?? 0
        #expect(rows * 4 >= windows)
        #expect(rows * 4 <= windows + 8)
        #expect(signature.bits == nil || rows > 0)
    }

    @Test("They are the same however the audio is cut into buffers")
    func buffers() throws {
        let samples = Self.music.samples()
        let whole = try Signature.of(samples)
        property("bits of buffers", rounds: 5) { generator in
            var parts = SignatureGenerator()
            var rest = samples[...]
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...9_000, using: &generator))
                try parts.append(AudioBuffer(Array(rest.prefix(count)), sampleRate: 16_000))
                rest = rest.dropFirst(count)
            }
            return parts.signature().bits == whole.bits
        }
    }

    @Test("Where a band grows louder than the one above it, its bit is set")
    func rise() throws {
        // From 1 s on a tone of 447 Hz, in the middle of band 6 (428 to 494 Hz): 48 bins an octave above 180 Hz, ten a band.
        let samples = (0..<32_000).map { index -> Float in
            index < 16_000 ? 0 : 0.5 * sin(2 * .pi * 460 * Float(index) / 16_000)
        }
        let noisy = Degradation.noisy(samples, signalToNoise: 40, seed: 5)
        let rows = try #require(try Signature.of(noisy).bits).rows
        // A window ends 128 ms behind its begin, so that rows from about 0.9 s on hear the tone come.
        let changing = rows[13...16]
        #expect(changing.contains { $0 >> 6 & 1 == 1 && $0 >> 5 & 1 == 0 })
    }

    @Test("A file with bits has version 2, and stays readable")
    func golden() throws {
        let signature = Signature(
            configuration: .standard,
            duration: MediaTime(value: 2, timescale: 10),
            landmarks: [Landmark(time: 5, frequency: 1_919, tier: 0)],
            bits: DenseBits(rows: [0x01_0203, 0x7F_FFFF])
        )
        // By hand from `Docs/formats/signature.md`, but for the checksum.
        let vector =
            "4541525348534947" + "0200" + "0000" + "01000000" + "0200000000000000" + "0a000000" + "01000000"
            + "01000000" + "01"
            + "f0f702" + "02000000" + "030201" + "ffff7f"
        let digits = SignatureFileTests.digits(signature.data)
        #expect(digits.dropLast(8) == vector)
        #expect(try Signature(data: signature.data) == signature)
    }

    @Test(
        "Rows that no recording can have are refused",
        arguments: [[], [0x80_0000], Array(repeating: 0, count: 19)] as [[UInt32]]
    )
    func refused(rows: [UInt32]) throws {
        let signature = Signature(
            configuration: .standard,
            duration: MediaTime(value: 2, timescale: 10),
            landmarks: [],
            bits: DenseBits(rows: rows)
        )
        let failure = #expect(throws: EarshotError.self) { try Signature(data: signature.data) }
        #expect(failure?.code == .signatureInvalid)
        #expect(failure?.message.contains("breaks the rules") == true)
    }

    @Test("Every length but the right one is refused")
    func cut() throws {
        let data = try Self.music.signature(from: 0, seconds: 1).data
        for count in stride(from: data.count - 1, to: data.count - 60, by: -1) {
            #expect(code { _ = try Signature(data: data.prefix(count)) } == .signatureInvalid)
        }
        #expect(code { _ = try Signature(data: data + [0]) } == .signatureInvalid)
    }

    @Test("A stream that forgets its beginning makes no more of them")
    func forgotten() throws {
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(Self.music.samples(), sampleRate: 16_000))
        generator.forget(before: MediaTime(value: 2, timescale: 1))
        #expect(generator.signature().bits == nil)
    }
}
