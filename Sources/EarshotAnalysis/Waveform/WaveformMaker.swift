public import EarshotCore

/// Computes a waveform of audio block by block.
///
/// Memory does not grow with the audio: if there are more buckets than the limit, pairs are merged.
public struct WaveformMaker: Sendable {
    /// The sample rate of the audio, in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    private let mostBuckets: Int
    private var framesPerBucket: Int
    private var frameCount: Int64 = 0
    private var buckets: [WaveformBucket] = []
    /// The run that is being filled: for each channel its extremes and the sum of its squares.
    private var low: [Float]
    private var high: [Float]
    private var squares: [Double]
    private var filled = 0

    /// Creates a waveform maker.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the audio, in hertz.
    ///   - channelCount: The number of channels; at least 1.
    ///   - framesPerBucket: The number of frames in a bucket before any merge.
    ///   - mostBuckets: The largest number of buckets of each channel; after a merge at least half as many.
    public init(sampleRate: Int, channelCount: Int, framesPerBucket: Int = 256, mostBuckets: Int = 1 << 19) {
        self.sampleRate = sampleRate
        self.channelCount = max(1, channelCount)
        self.framesPerBucket = max(1, framesPerBucket)
        self.mostBuckets = max(2, mostBuckets)
        low = [Float](repeating: .infinity, count: self.channelCount)
        high = [Float](repeating: -.infinity, count: self.channelCount)
        squares = [Double](repeating: 0, count: self.channelCount)
    }

    /// Adds audio of the maker's rate and channels. Buffers of other formats are ignored, and samples that are not
    /// numbers count as silence.
    public mutating func append(_ buffer: AudioBuffer) {
        guard buffer.sampleRate == sampleRate, buffer.channelCount == channelCount else { return }
        switch buffer.samples {
        case .int16(let samples): append(samples) { Float($0) / 32_768 }
        case .float32(let samples): append(samples) { $0.isFinite ? $0 : 0 }
        }
    }

    private mutating func append<Sample>(_ samples: [Sample], _ value: (Sample) -> Float) {
        let channels = channelCount
        let frames = samples.count / channels
        var frame = 0
        while frame < frames {
            let taken = min(framesPerBucket - filled, frames - frame)
            for channel in 0..<channels {
                var (lowest, highest, sum) = (low[channel], high[channel], squares[channel])
                var index = frame * channels + channel
                for _ in 0..<taken {
                    let sample = value(samples[index])
                    if sample < lowest { lowest = sample }
                    if sample > highest { highest = sample }
                    sum += Double(sample * sample)
                    index += channels
                }
                (low[channel], high[channel], squares[channel]) = (lowest, highest, sum)
            }
            frame += taken
            filled += taken
            frameCount += Int64(taken)
            if filled == framesPerBucket { close() }
        }
    }

    private mutating func close() {
        guard filled > 0 else { return }
        for channel in 0..<channelCount {
            let level = (squares[channel] / Double(filled)).squareRoot()
            buckets.append(WaveformBucket(minimum: low[channel], maximum: high[channel], rms: Float(level)))
            (low[channel], high[channel], squares[channel]) = (.infinity, -.infinity, 0)
        }
        filled = 0
        guard buckets.count / channelCount >= mostBuckets, buckets.count / channelCount % 2 == 0 else { return }
        let merged = current.coarser(by: 2)
        (buckets, framesPerBucket) = (merged.buckets, merged.framesPerBucket)
    }

    private var current: Waveform {
        Waveform(
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerBucket: framesPerBucket,
            frameCount: frameCount,
            buckets: buckets
        )
    }

    /// The waveform so far; the last bucket may be short.
    public var waveform: Waveform {
        var copy = self
        copy.close()
        return copy.current
    }
}
