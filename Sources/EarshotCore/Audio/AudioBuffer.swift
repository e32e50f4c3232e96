/// A buffer of interleaved PCM frames in memory.
public struct AudioBuffer: Hashable, Sendable {
    /// The samples, interleaved, in one of the two sample types.
    public enum Samples: Hashable, Sendable {
        /// Signed 16-bit integers; full scale is 32,768.
        case int16([Int16])
        /// Floating point; full scale is 1.
        case float32([Float])
    }

    /// The sample rate, in hertz.
    public let sampleRate: Int
    /// The number of channels, which is the number of samples in one frame.
    public let channelCount: Int
    /// The interleaved samples.
    public let samples: Samples

    /// Creates a buffer from interleaved floating-point samples.
    ///
    /// - Parameters:
    ///   - samples: `frames × channelCount` samples; full scale is 1.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels. It must divide the number of samples.
    public init(_ samples: [Float], sampleRate: Int, channelCount: Int = 1) {
        self.init(.float32(samples), count: samples.count, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// Creates a buffer from interleaved 16-bit integer samples.
    ///
    /// - Parameters:
    ///   - samples: `frames × channelCount` samples; full scale is 32,768.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels. It must divide the number of samples.
    public init(_ samples: [Int16], sampleRate: Int, channelCount: Int = 1) {
        self.init(.int16(samples), count: samples.count, sampleRate: sampleRate, channelCount: channelCount)
    }

    private init(_ samples: Samples, count: Int, sampleRate: Int, channelCount: Int) {
        precondition(channelCount >= 1 && count % channelCount == 0, "a buffer holds whole frames")
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The number of frames in the buffer.
    public var frameCount: Int {
        switch samples {
        case .int16(let samples): samples.count / channelCount
        case .float32(let samples): samples.count / channelCount
        }
    }

    /// The sample rate, channel count and sample type of the buffer.
    public var format: AudioFormat {
        let type: AudioFormat.SampleType =
            switch samples {
            case .int16: .int16
            case .float32: .float32
            }
        return AudioFormat(sampleRate: sampleRate, channelCount: channelCount, sampleType: type)
    }

    /// The duration of the buffer: ``frameCount`` divided by ``sampleRate``.
    public var duration: MediaTime { MediaTime(frames: Int64(frameCount), sampleRate: sampleRate) }
}
