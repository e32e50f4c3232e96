public import EarshotCore
import Foundation

/// Makes a position that is known to some hundredths of a second exact to about a sample, where audio of the reference is
/// at hand.
///
/// Landmarks are 16 ms apart, and what a match says is good to some milliseconds. The refiner correlates short blocks of
/// what was heard with the same stretches of the reference (`PhaseCorrelation`), at the speed of the match, and lays a
/// line through the delays of the blocks. It says nothing where the blocks do not agree.
///
/// ```swift
/// let line = ReferenceAlignment(offset: match.offset, speedSkew: match.speedSkew)
/// var refiner = PositionRefiner()
/// if let exact = try await refiner.refine(line, captured: samples, sampleRate: 16_000, in: &reference) {
///     print("\(exact.correction.seconds * 1000) ms beside the match")
/// }
/// ```
public struct PositionRefiner: Sendable {
    /// The line that the blocks agree on.
    public struct Refinement: Hashable, Sendable {
        /// The exact line. Its times are those of the line that was given.
        public let line: ReferenceAlignment
        /// The time by which the position in the middle of the captured audio is later than the given line said.
        public let correction: MediaTime
        /// The standard error of the correction as far as the blocks differ.
        public let uncertainty: MediaTime
        /// The share of the blocks with sound that agree, from 0 to 1.
        public let confidence: Double
        /// `true` if what was heard has its polarity turned round.
        public let isInverted: Bool
    }

    /// The largest error of a given line, in seconds: 60 ms.
    static let search = 0.06
    /// Speeds beside the given one that are tried when that gives nothing: a match of a few seconds knows its speed to
    /// about a thousandth.
    private static let speedTrials = [0, 0.001, -0.001, 0.002, -0.002, 0.003, -0.003]
    /// The largest probability of chance at which a line is accepted.
    static let chance = 1e-4

    /// A refiner.
    public init() {}

    /// Refines a position.
    ///
    /// - Parameters:
    ///   - line: The line of the captured audio on the reference, right to within 50 ms, as a match gives it.
    ///   - captured: Mono samples of what was heard; 1.5 s at least, 3 to 10 s are best.
    ///   - sampleRate: Their rate, in hertz, which the reference is asked for too. 16,000 is enough.
    ///   - start: The time of the first sample on the timeline of `line`.
    ///   - reference: Audio of the reference.
    /// - Returns: The exact line; `nil` if the correlation has no clear peak: other audio, another take of it, too much
    ///   noise, or too little sound.
    /// - Throws: Errors of the reference; `audioFormatInvalid` for a rate outside 8,000 to 192,000 Hz;
    ///   `CancellationError`.
    public func refine(
        _ line: ReferenceAlignment,
        captured: [Float],
        sampleRate: Int,
        from start: MediaTime = .zero,
        in reference: inout some ReferenceAudio
    ) async throws -> Refinement? {
        guard (8_000...192_000).contains(sampleRate) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio at \(sampleRate) Hz cannot be aligned: convert it to 8,000 to 192,000 Hz."
            )
        }
        guard line.speed > 0.5, line.speed < 2, line.offset.isNumeric, start.isNumeric else { return nil }
        // On the timeline of the samples, whose first instant is zero.
        let origin = start.seconds
        let local = ReferenceAlignment(seconds: line.place(origin), speed: line.speed)
        var recording = SamplesInMemory(samples: captured)
        guard let coarse = try await coarseLine(local, &recording, sampleRate, &reference) else { return nil }
        guard
            let fine = try await Self.step(
                coarse,
                &recording,
                &reference,
                sampleRate: sampleRate,
                blockSeconds: min(1, Double(captured.count) / Double(sampleRate) / 2),
                search: 0.01,
                tolerance: 0.000_2,
                maximumSlope: 0.000_5
            )
        else { return nil }
        let middle = Double(captured.count) / Double(sampleRate) / 2
        let correction = fine.line.place(middle) - local.place(middle)
        guard abs(correction) <= Self.search + 0.005 else { return nil }
        return Refinement(
            line: ReferenceAlignment(seconds: fine.line.place(-origin), speed: fine.line.speed),
            correction: MediaTime(seconds: correction, preferredTimescale: 1_000_000_000),
            uncertainty: MediaTime(seconds: fine.fit.valueError, preferredTimescale: 1_000_000_000),
            confidence: fine.share,
            isInverted: fine.isInverted
        )
    }

    private func coarseLine(
        _ line: ReferenceAlignment,
        _ recording: inout SamplesInMemory,
        _ sampleRate: Int,
        _ reference: inout some ReferenceAudio
    ) async throws -> ReferenceAlignment? {
        var best: Step?
        for trial in Self.speedTrials {
            // Turned about the middle, where the match is most exact.
            let middle = Double(recording.samples.count) / Double(sampleRate) / 2
            let turned = ReferenceAlignment(
                seconds: line.offset.seconds - trial * middle,
                speed: line.speed + trial
            )
            let step = try await Self.step(
                turned,
                &recording,
                &reference,
                sampleRate: sampleRate,
                blockSeconds: 0.4,
                search: Self.search,
                tolerance: 0.000_5,
                maximumSlope: 0.002
            )
            guard let step else { continue }
            if step.share > 0.7 { return step.line }
            if step.share > best?.share ?? 0 { best = step }
        }
        return best?.line
    }

    private struct Step {
        var line: ReferenceAlignment
        var fit: FittedLine
        var share: Double
        var isInverted: Bool
    }

    /// One round: blocks over all of the recording, a line through what they say.
    private static func step(
        _ line: ReferenceAlignment,
        _ recording: inout SamplesInMemory,
        _ reference: inout some ReferenceAudio,
        sampleRate: Int,
        blockSeconds: Double,
        search: Double,
        tolerance: Double,
        maximumSlope: Double
    ) async throws -> Step? {
        // The power of two at or below, so that short audio has several blocks.
        let wanted = max(256, Int(blockSeconds * Double(sampleRate)))
        let blockSize = 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
        var meter = DelayMeter(sampleRate: sampleRate, blockSize: blockSize, search: search)
        let starts = meter.starts(in: 0..<recording.samples.count, limit: 16, overlap: 0.5)
        let (audible, clear) = try await meter.measure(at: starts, of: &recording, in: &reference, on: line)
        let (isInverted, measurements) = clear.ofOnePolarity
        guard
            let fit = FittedLine.fit(
                measurements.points,
                tolerance: tolerance,
                maximumSlope: maximumSlope,
                reach: search
            ), fit.chance < Self.chance, 3 * fit.members.count >= audible
        else { return nil }
        return Step(
            line: line.corrected(by: fit),
            fit: fit,
            share: Double(fit.members.count) / Double(max(1, audible)),
            isInverted: isInverted
        )
    }
}
