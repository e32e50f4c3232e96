import EarshotCore
@testable import EarshotDSP
import Foundation
import TestSupport
import Testing

@Suite("Refined positions")
struct PrecisionRefinerTests {
    private static let rate = 8_000
    private static let piece = SyntheticMusic(seed: 11, duration: 24)
    private static let other = SyntheticMusic(seed: 12, duration: 24)

    /// The piece, rendered where it is asked for.
    private struct Rendering: ReferenceAudio {
        let piece: SyntheticMusic

        func samples(_ frames: Range<Int>, sampleRate: Int) -> [Float] {
            let rate = Double(sampleRate)
            return piece.samples(
                from: Double(frames.lowerBound) / rate,
                seconds: Double(frames.count) / rate,
                sampleRate: sampleRate
            )
        }
    }

    private static func line(_ offset: Double, _ speed: Double) -> ReferenceAlignment {
        ReferenceAlignment(offset: MediaTime(seconds: offset, preferredTimescale: 1_000_000_000), speedSkew: speed - 1)
    }

    @Test(
        "a position that is wrong by up to 50 ms becomes exact to a sample, at any speed, in noise and in a narrow band",
        arguments: [(0.97, false), (1.00, false), (1.03, false), (1.00, true), (1.03, true)]
    )
    func exact(speed: Double, isNarrow: Bool) async throws {
        var generator = SeededGenerator(seed: UInt64(speed * 100) + (isNarrow ? 7 : 0))
        for error in [-0.05, 0.03] {
            let offset = Double.random(in: 2...15, using: &generator)
            var captured = Self.piece.samples(
                from: offset,
                seconds: 5,
                sampleRate: Self.rate,
                change: .played(speed)
            )
            if isNarrow {
                // There and back again, so that the filter delays nothing.
                for _ in 0..<2 {
                    captured = Degradation.bandLimited(captured, from: 300, to: 3_400, sampleRate: Self.rate)
                    captured.reverse()
                }
            }
            captured = Degradation.noisy(captured, signalToNoise: 10, seed: generator.next())
            var reference = Rendering(piece: Self.piece)
            let given = Self.line(offset + error, speed + .random(in: -0.000_5...0.000_5, using: &generator))
            let found = try await PositionRefiner()
                .refine(given, captured: captured, sampleRate: Self.rate, in: &reference)
            let refinement = try #require(found, "speed \(speed), off by \(error)")
            let place = refinement.line.position(at: MediaTime(seconds: 2.5)).seconds
            #expect(abs(place - offset - 2.5 * speed) < 1 / Double(Self.rate), "speed \(speed), off by \(error)")
            #expect(abs(refinement.line.speedSkew + 1 - speed) < 1e-4)
            #expect(refinement.confidence > 0.5 && refinement.confidence <= 1)
            #expect(!refinement.isInverted)
        }
    }

    @Test("the time of the first sample moves the line with it, and turned polarity is noticed")
    func start() async throws {
        let captured = Self.piece.samples(from: 7, seconds: 4, sampleRate: Self.rate).map { -$0 }
        var reference = Rendering(piece: Self.piece)
        let start = MediaTime(seconds: 100)
        let found = try await PositionRefiner().refine(
            Self.line(7.02 - 100, 1),
            captured: captured,
            sampleRate: Self.rate,
            from: start,
            in: &reference
        )
        let refinement = try #require(found)
        #expect(abs(refinement.line.position(at: start).seconds - 7) < 1e-4)
        #expect(abs(refinement.correction.seconds + 0.02) < 1e-4)
        #expect(refinement.isInverted)
    }

    @Test("nothing is said of another piece, of noise, of silence, and of what is too short")
    func nothing() async throws {
        var reference = Rendering(piece: Self.piece)
        let captures = [
            Self.other.samples(from: 5, seconds: 4, sampleRate: Self.rate),
            Degradation.noise(count: 4 * Self.rate, seed: 5),
            [Float](repeating: 0, count: 4 * Self.rate),
            Self.piece.samples(from: 5, seconds: 0.3, sampleRate: Self.rate),
            [],
            // The same piece, a second away from where it is said to be.
            Self.piece.samples(from: 6, seconds: 4, sampleRate: Self.rate),
        ]
        for (index, captured) in captures.enumerated() {
            let found = try await PositionRefiner()
                .refine(Self.line(5, 1), captured: captured, sampleRate: Self.rate, in: &reference)
            #expect(found == nil, "capture \(index)")
        }
        await #expect(throws: EarshotError.self) {
            _ = try await PositionRefiner()
                .refine(Self.line(5, 1), captured: captures[0], sampleRate: 4_000, in: &reference)
        }
    }

    @Test("two recordings are aligned with the drift of their clocks")
    func alignment() async throws {
        let (offset, speed) = (3.217, 1 / (1 + 80e-6))
        var reference = Rendering(piece: Self.piece)
        let recorded = Degradation.noisy(
            Self.piece.samples(from: offset, seconds: 16, sampleRate: 16_000, change: .played(speed)),
            signalToNoise: 10,
            seed: 3
        )
        var recording = SamplesInMemory(samples: recorded)
        let found = try await RecordingAligner().align(
            &recording,
            lasting: MediaTime(seconds: 16),
            to: &reference,
            lasting: MediaTime(seconds: 24),
            near: Self.line(offset + 0.03, 1.000_2),
            in: MediaTime(seconds: 2)..<MediaTime(seconds: 12)
        )
        let alignment = try #require(found)
        #expect(abs(alignment.line.offset.seconds - offset) < 5e-5)
        #expect(abs(alignment.driftPartsPerMillion - 80) < 4)
        #expect(alignment.confidence > 0.8)
        #expect(abs(alignment.overlap.upperBound.seconds - 16) < 0.01)
        var unrelated = SamplesInMemory(
            samples: Self.other.samples(from: offset, seconds: 16, sampleRate: 16_000)
        )
        let none = try await RecordingAligner().align(
            &unrelated,
            lasting: MediaTime(seconds: 16),
            to: &reference,
            lasting: MediaTime(seconds: 24),
            near: Self.line(offset, 1),
            in: .zero..<MediaTime(seconds: 16)
        )
        #expect(none == nil)
    }
}
