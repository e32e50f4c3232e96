public import EarshotCore
import EarshotSignatures

/// An analyzer of a running stream: level, silence, the kind of content, and the instants at which content changes.
///
/// Buffers may have any rate from 8,000 to 192,000 Hz and 1 to 8 channels; other audio counts as a gap. The division of
/// the stream into buffers does not affect the observations. Time counts from the first sample.
public struct StreamAnalyzer: Sendable {
    /// The rates that are heard, in hertz.
    public static let sampleRates = 8_000...192_000
    /// The numbers of channels that are heard.
    public static let channelCounts = 1...8
    /// The spectral part goes on ten times a second, so that observations come in one order however audio arrives.
    private static let frameStride = 10

    /// The beginning of the present stretch, and the samples heard of it at the present rate.
    private var origin = MediaTime.zero
    private var rate = 0
    private var samples = 0
    private var meterFrames = 0
    private var frameStart = 0

    private var meter = LevelMeter()
    private var spectral = SpectralAnalysis()

    /// Nothing heard yet.
    public init() {}

    /// The time of the stream so far, with its gaps.
    public var time: MediaTime {
        rate > 0 ? origin + MediaTime(frames: Int64(samples), sampleRate: rate) : origin
    }

    /// Hears the next audio.
    ///
    /// - Parameter buffer: Audio that follows directly on what was heard before.
    /// - Returns: The observations, in the order in which they became certain.
    public mutating func append(_ buffer: AudioBuffer) -> [AudioObservation] {
        guard Self.sampleRates.contains(buffer.sampleRate), Self.channelCounts.contains(buffer.channelCount) else {
            if buffer.sampleRate > 0 { skip(buffer.duration) }
            return []
        }
        if buffer.sampleRate != rate { change(to: buffer.sampleRate) }
        var observations: [AudioObservation] = []
        var place = 0
        while place < buffer.frameCount {
            let step = min(buffer.frameCount - place, frameEnd - samples)
            meter.add(buffer, frames: place..<place + step)
            place += step
            samples += step
            guard samples == frameEnd else { break }
            endFrame(&observations)
            // What is left of the buffer reaches the spectral part below.
            guard meterFrames.isMultiple(of: Self.frameStride) else { continue }
            hear(buffer, upTo: place)
            spectral.advance(origin: spectralOrigin, &observations)
        }
        hear(buffer, upTo: place)
        heard = 0
        return observations
    }

    /// Goes on behind a gap: what was heard is forgotten, and time goes on.
    ///
    /// - Parameter duration: The duration of the gap. A gap that is not a positive time only forgets.
    public mutating func skip(_ duration: MediaTime = .zero) {
        origin = time
        if duration.isNumeric, duration > .zero { origin += duration }
        samples = 0
        (meterFrames, frameStart) = (0, 0)
        meter = LevelMeter()
        spectral = SpectralAnalysis()
        spectralOrigin = origin
    }

    // MARK: - The grid

    /// The time at which the spectral part began to hear.
    private var spectralOrigin = MediaTime.zero
    /// Frames of the buffer in hand that the spectral part has.
    private var heard = 0

    /// The sample with which the frame of 10 ms ends.
    private var frameEnd: Int { (meterFrames + 1) * rate / LevelMeter.frameRate }

    private mutating func change(to newRate: Int) {
        origin = time
        rate = newRate
        (samples, meterFrames, frameStart) = (0, 0, 0)
    }

    private mutating func endFrame(_ observations: inout [AudioObservation]) {
        let count = frameEnd - frameStart
        frameStart = frameEnd
        meterFrames += 1
        let now = origin + MediaTime(frames: Int64(meterFrames), sampleRate: LevelMeter.frameRate)
        meter.endFrame(sampleCount: count) { observations.append(AudioObservation(time: now, content: $0)) }
    }

    private mutating func hear(_ buffer: AudioBuffer, upTo end: Int) {
        guard end > heard else { return }
        spectral.hear(heard == 0 && end == buffer.frameCount ? buffer : buffer.frames(heard..<end))
        heard = end
    }
}
