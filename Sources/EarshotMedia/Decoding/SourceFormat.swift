import CFFmpeg

/// The format of a decoder's output before conversion.
struct SourceFormat: Hashable, Sendable {
    /// Frames a second, in hertz.
    let sampleRate: Int
    let channelCount: Int
    /// The channel layout, as a mask of WAVE_FORMAT_EXTENSIBLE; 0 if unknown.
    let channelMask: UInt64
    /// The narrowest type that holds its samples.
    let type: SampleBuffer.Kind
    /// Bits of a sample that mean something: 8 to 64.
    let bits: Int

    init(sampleRate: Int, channelCount: Int, channelMask: UInt64 = 0, format: AVSampleFormat, bits: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelMask = channelMask
        type = SampleBuffer.Kind(holding: format)
        let most = Int(av_get_bytes_per_sample(format)) * 8
        // Of lossy codecs the bits of a coded sample say nothing of those that come out.
        let isInteger = type == .int16 || type == .int32
        self.bits = isInteger && (8..<max(most, 9)).contains(bits) ? bits : max(most, 8)
    }
}
