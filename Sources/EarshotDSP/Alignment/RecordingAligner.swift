public import EarshotCore
import Foundation

/// Lays one recording of an event on another to a fraction of a millisecond, with the drift between their clocks.
///
/// It begins at a line that landmarks gave for a part of the recordings, measures the delay of blocks there, and goes from
/// that line on to blocks spread over all that the two share.
public struct RecordingAligner: Sendable {
    /// Frames a second at which recordings are compared, in hertz.
    public static let sampleRate = 16_000

    /// The largest error of a line of landmarks, in seconds.
    private static let search = 0.1
    /// Samples of a block: 1 s in the first round, 2 s in the second.
    private static let (firstBlock, secondBlock) = (1 << 14, 1 << 15)
    /// Blocks of the second round, at most.
    public static let blockLimit = 96
    private static let firstLimit = 24

    /// An aligner.
    public init() {}

    /// Aligns two recordings.
    ///
    /// - Parameters:
    ///   - recording: The recording that is laid on the other one.
    ///   - duration: Its duration.
    ///   - reference: The recording on whose timeline it is laid.
    ///   - referenceDuration: The duration of the reference.
    ///   - line: The line of the recording on the reference, right to within 0.1 s in `range`.
    ///   - range: The stretch of the recording for which that is known.
    ///   - progress: Called after each block with the share that is done, from 0 to 1.
    /// - Returns: The alignment; `nil` if the blocks do not agree.
    /// - Throws: Errors of the recordings, and `CancellationError`.
    public func align(
        _ recording: inout some ReferenceAudio,
        lasting duration: MediaTime,
        to reference: inout some ReferenceAudio,
        lasting referenceDuration: MediaTime,
        near line: ReferenceAlignment,
        in range: Range<MediaTime>,
        progress: (Double) -> Void = { _ in }
    ) async throws -> RecordingAlignment? {
        let lengths = (recording: duration.seconds, reference: referenceDuration.seconds)
        var first = DelayMeter(sampleRate: Self.sampleRate, blockSize: Self.firstBlock, search: Self.search)
        let known = Self.overlap(line, lengths).clamped(to: range.lowerBound.seconds...range.upperBound.seconds)
        let starts = first.starts(in: Self.frames(known), limit: Self.firstLimit, overlap: 0.5)
        var done = 0
        let total = Double(starts.count + Self.blockLimit)
        let step = {
            done += 1
            progress(min(1, Double(done) / total))
        }
        let (audible, clear) = try await first.measure(
            at: starts,
            of: &recording,
            in: &reference,
            on: line,
            progress: step
        )
        guard
            let coarse = FittedLine.fit(
                clear.ofOnePolarity.measurements.points,
                tolerance: 0.001,
                maximumSlope: 0.002,
                reach: Self.search
            ), coarse.chance < PositionRefiner.chance, 4 * coarse.members.count >= audible
        else { return nil }
        let middle = line.corrected(by: coarse)
        return try await finish(middle, &recording, &reference, lengths, progress: step)
    }

    /// The second round, over all that the two share.
    private func finish(
        _ line: ReferenceAlignment,
        _ recording: inout some ReferenceAudio,
        _ reference: inout some ReferenceAudio,
        _ lengths: (recording: Double, reference: Double),
        progress: () -> Void
    ) async throws -> RecordingAlignment? {
        let shared = Self.overlap(line, lengths)
        let frames = Self.frames(shared)
        // Short recordings take shorter blocks, so that there are several.
        let blockSize = frames.count >= 6 * Self.secondBlock ? Self.secondBlock : Self.firstBlock / 2
        var meter = DelayMeter(sampleRate: Self.sampleRate, blockSize: blockSize, search: 0.05)
        let starts = meter.starts(in: frames, limit: Self.blockLimit, overlap: 0.5)
        let (audible, clear) = try await meter.measure(
            at: starts,
            of: &recording,
            in: &reference,
            on: line,
            progress: progress
        )
        let (isInverted, measurements) = clear.ofOnePolarity
        guard
            let fit = FittedLine.fit(
                measurements.points,
                tolerance: 0.000_5,
                maximumSlope: 0.000_5,
                reach: 0.05
            ), fit.chance < PositionRefiner.chance, 5 * fit.members.count >= audible
        else { return nil }
        let final = line.corrected(by: fit)
        let members = Set(fit.members)
        return RecordingAlignment(
            line: final,
            fit: fit,
            overlap: Self.overlap(final, lengths),
            blocks: measurements.enumerated().map { index, one in
                RecordingAlignment.Block(
                    time: one.time,
                    deviation: one.correction - fit.place(one.time),
                    clarity: one.peak.clarity,
                    isUsed: members.contains(index)
                )
            },
            audible: audible,
            isInverted: isInverted
        )
    }

    /// The seconds of the recording that lie within the reference.
    private static func overlap(
        _ line: ReferenceAlignment,
        _ lengths: (recording: Double, reference: Double)
    ) -> ClosedRange<Double> {
        let begin = min(max(0, -line.offset.seconds / line.speed), lengths.recording)
        let end = min(lengths.recording, (lengths.reference - line.offset.seconds) / line.speed)
        return begin...max(begin, end)
    }

    private static func frames(_ seconds: ClosedRange<Double>) -> Range<Int> {
        let rate = Double(sampleRate)
        let first = Int((seconds.lowerBound * rate).rounded(.up))
        return first..<max(first, Int((seconds.upperBound * rate).rounded(.down)))
    }
}
