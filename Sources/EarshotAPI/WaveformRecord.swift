/// The waveform of a file, in the JSON form of audiowaveform.
public struct WaveformRecord: Hashable, Sendable, Codable {
    /// The version of the form: 2.
    public var version: Int
    /// The number of channels.
    public var channels: Int
    /// Frames a second of the file.
    public var sampleRate: Int
    /// Frames of one run.
    public var samplesPerPixel: Int
    /// Bits of a value: 8 or 16.
    public var bits: Int
    /// The number of buckets of each channel.
    public var length: Int
    /// The lowest and the highest sample of each run, channel after channel.
    public var data: [Int]
    /// The level of each bucket, channel after channel; `nil` from programs that do not compute it.
    public var rms: [Int]?

    private enum CodingKeys: String, CodingKey {
        case version, channels, bits, length, data, rms
        case sampleRate = "sample_rate"
        case samplesPerPixel = "samples_per_pixel"
    }
}
