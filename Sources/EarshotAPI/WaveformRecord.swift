/// The waveform of a file, in the JSON format of audiowaveform.
public struct WaveformRecord: Hashable, Sendable, Codable {
    /// The version of the format: 2.
    public var version: Int
    /// The number of channels of the waveform.
    public var channels: Int
    /// The sample rate of the file, in hertz.
    public var sampleRate: Int
    /// The number of frames in one bucket.
    public var samplesPerPixel: Int
    /// The number of bits of a value in ``data``: 8 or 16.
    public var bits: Int
    /// The number of buckets of each channel.
    public var length: Int
    /// The minimum and maximum sample of each bucket. Within a bucket the channels follow each other.
    public var data: [Int]
    /// The RMS level of each bucket, in the same units and order; `nil` from programs that do not compute it.
    public var rms: [Int]?

    private enum CodingKeys: String, CodingKey {
        case version, channels, bits, length, data, rms
        case sampleRate = "sample_rate"
        case samplesPerPixel = "samples_per_pixel"
    }
}
