public import EarshotCore
import Foundation

/// Finds the tempo and the beats of a recording, buffer by buffer.
///
/// ```swift
/// var analyzer = RhythmTracker()
/// for try await block in source { try analyzer.append(block) }
/// let rhythm = analyzer.result()
/// ```
///
/// Onsets are the spectral flux of `OnsetEnvelope`. The tempo is found in their `Tempogram`, one for the whole
/// recording, and the beats by dynamic programming. Buffers may have 1 to 8 channels, which are averaged, and any rate
/// from 8,000 to 192,000 Hz; numbers that are none are taken as silence. The result depends on the samples alone, not on
/// how they were cut into buffers. Kept are 800 bytes a second of audio, and three times as much for the time of a result. An analyzer is a value: a result does not end it.
public struct RhythmTracker: Sendable {
    /// The shortest audio for which a tempo is estimated: 6 s.
    public static let shortestDuration = MediaTime(value: 6, timescale: 1)
    /// The range of the least regularity that a tempo needs; white and brown noise of 6 to 20 s reaches 0.065, of 40 s
    /// 0.034, of two minutes 0.021. The threshold falls in the same way from 20 s on, and reaches its least at about a
    /// minute.
    private static let regularities = 0.06...0.1
    /// The least regularity that does not lower the confidence.
    private static let fullRegularity = 0.35
    /// The delay of an onset in the envelope, in samples at 16 kHz.
    private static let delay: Int64 = 320

    private var stream = AnalysisStream()
    private var envelope = OnsetEnvelope()

    /// Creates a tracker without audio.
    public init() {}

    /// The duration of the audio so far, including filled gaps.
    public var duration: MediaTime { stream.duration }

    /// Appends a buffer that continues the previous one.
    ///
    /// - Throws: `audioFormatInvalid` for a rate or a number of channels outside the limits. The analyzer is then as before
    ///   the call.
    public mutating func append(_ buffer: AudioBuffer) throws(EarshotError) {
        envelope.append(try stream.samples(of: buffer))
    }

    /// Appends the next block. A gap of up to ten minutes before it is filled with silence; up to 10 ms
    /// either way is taken as jitter. Beats are given on the timeline of the first block.
    ///
    /// - Throws: `audioFormatInvalid` as for a buffer; `audioDiscontinuity` for longer gaps and for a step back. The
    ///   analyzer is then as before the call.
    public mutating func append(_ block: AudioBlock) throws(EarshotError) {
        envelope.append(try stream.samples(of: block))
    }

    /// Returns the tempo and the beats of all audio so far.
    public func result() -> Rhythm {
        let none = Rhythm(tempo: nil, beats: [])
        guard duration >= Self.shortestDuration else { return none }
        var end = self
        end.envelope.append(end.stream.finish())
        end.envelope.finish()
        let envelope = OnsetEnvelope.evened(end.envelope.values)
        let lows = OnsetEnvelope.evened(end.envelope.lows)
        guard let candidates = TempoEstimator(envelope: envelope, lows: lows)?.candidates(),
            let best = candidates.first, best.regularity >= leastRegularity
        else { return none }
        let share = 1 / candidates.reduce(0) { $0 + exp($1.evidence - best.evidence) }
        let beats = BeatTracker(period: best.period).beats(in: envelope)
        let tempo = Tempo(
            beatsPerMinute: Self.tempo(of: beats) { abs($0 / best.beatsPerMinute - 1) < 0.002 } ?? best.beatsPerMinute,
            confidence: share * min(1, best.regularity / Self.fullRegularity),
            alternative: candidates.dropFirst().first?.beatsPerMinute
        )
        return Rhythm(tempo: tempo, beats: beats.map(time))
    }

    private var leastRegularity: Double {
        let bounds = Self.regularities
        let scale = (20 / max(1, duration.seconds)).squareRoot()
        return min(bounds.upperBound, max(bounds.lowerBound, bounds.upperBound * scale))
    }

    /// The tempo that beats have on average, if it is plausible: over many beats that is more exact than any lag,
    /// unless beats were placed where there are none.
    private static func tempo(of beats: [Int], isPlausible: (Double) -> Bool) -> Double? {
        guard let first = beats.first, let last = beats.last, beats.count >= 8 else { return nil }
        let tempo = 60 * OnsetEnvelope.rate * Double(beats.count - 1) / Double(last - first)
        return isPlausible(tempo) ? tempo : nil
    }

    private func time(ofValue place: Int) -> MediaTime {
        let sample = max(0, Int64(place) * Int64(OnsetEnvelope.hop) - Self.delay)
        return stream.startTime + MediaTime(frames: sample, sampleRate: AnalysisStream.sampleRate)
    }
}
