/// A run of interleaved PCM frames in memory.
public struct AudioBuffer: Hashable, Sendable {
    /// The samples, interleaved, in one of the two sample types.
    public enum Samples: Hashable, Sendable {
        /// Signed 16-bit integers; full scale is 32,768.
        case int16([Int16])
        /// Floating point; full scale is 1.
        case float32([Float])
    }

    /// Frames a second, in hertz.
    public let sampleRate: Int
    /// Samples in one frame.
    public let channelCount: Int
    /// The samples, interleaved.
    public let samples: Samples

    /// A buffer of interleaved 32-bit samples.
    ///
    /// - Parameters:
    ///   - samples: `frames × channelCount` samples; full scale is 1.
    ///   - sampleRate: Frames a second, in hertz.
    ///   - channelCount: Samples in one frame. It must divide the number of samples.
    public init(_ samples: [Float], sampleRate: Int, channelCount: Int = 1) {
        self.init(.float32(samples), count: samples.count, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// A buffer of interleaved 16-bit samples.
    ///
    /// - Parameters:
    ///   - samples: `frames × channelCount` samples; full scale is 32,768.
    ///   - sampleRate: Frames a second, in hertz.
    ///   - channelCount: Samples in one frame. It must divide the number of samples.
    public init(_ samples: [Int16], sampleRate: Int, channelCount: Int = 1) {
        self.init(.int16(samples), count: samples.count, sampleRate: sampleRate, channelCount: channelCount)
    }

    private init(_ samples: Samples, count: Int, sampleRate: Int, channelCount: Int) {
        precondition(channelCount >= 1 && count % channelCount == 0, "a buffer holds whole frames")
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Frames held.
    public var frameCount: Int {
        switch samples {
        case .int16(let samples): samples.count / channelCount
        case .float32(let samples): samples.count / channelCount
        }
    }

    /// The layout of the samples.
    public var format: AudioFormat {
        let type: AudioFormat.SampleType =
            switch samples {
            case .int16: .int16
            case .float32: .float32
            }
        return AudioFormat(sampleRate: sampleRate, channelCount: channelCount, sampleType: type)
    }

    /// The duration of the buffer.
    public var duration: MediaTime { MediaTime(frames: Int64(frameCount), sampleRate: sampleRate) }
}
