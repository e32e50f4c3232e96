/// The resolved settings of an encoder.
struct EncoderSettings: Hashable, Sendable {
    /// The encoding; of PCM with its layout, of lossless codecs with their bits.
    var encoding: AudioEncoding
    /// Frames a second, in hertz.
    var sampleRate: Int
    var channelCount: Int
    /// The channel layout, as a mask of WAVE_FORMAT_EXTENSIBLE; 0, or a mask of another number of channels, for the
    /// usual layout. Codecs with one layout for each number of channels support no others.
    var channelMask: UInt64 = 0
    /// Bits of the source's samples that mean something.
    var significantBits: Int
    /// `true` if noise hides what is lost with fewer bits.
    var dithers: Bool

    /// Bits of a sample as a lossless codec keeps it.
    var bits: Int? {
        switch encoding {
        case .flac(let bits), .alac(let bits): bits ?? 16
        default: nil
        }
    }

    /// Bytes of a frame of PCM; 0 of other encodings.
    var bytesPerFrame: Int {
        guard case .pcm(let layout) = encoding else { return 0 }
        return (layout ?? .int16).bytesPerSample * channelCount
    }
}
