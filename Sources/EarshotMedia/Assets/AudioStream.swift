public import EarshotCore

/// One audio track of an asset.
public struct AudioStream: Hashable, Sendable {
    /// Its number among all streams of the file, pictures and subtitles included.
    public let index: Int
    /// The encoding's short name, for example `mp3`, `aac`, `flac`, `vorbis`, `pcm_s16le`.
    public let codec: String
    /// Frames a second, in hertz; 0 when unknown.
    public let sampleRate: Int
    /// Samples in one frame; 0 when unknown.
    public let channelCount: Int
    /// The language as the file writes it, commonly three letters.
    public let language: String?
    /// Bits a second, where known.
    public let bitRate: Int?
    /// The duration, at a timescale of ``sampleRate``; indefinite if unknown.
    public let duration: MediaTime
    /// `true` if the file marks it as the one to play.
    public let isDefault: Bool

    /// The track's natural timescale: units a second in which its frames have whole times.
    public var timescale: Int32 { Int32(clamping: max(sampleRate, 1)) }
}
