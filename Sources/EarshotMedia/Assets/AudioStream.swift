public import EarshotCore

/// One audio track of an asset.
public struct AudioStream: Hashable, Sendable {
    /// The index of the track among all streams of the file, from 0; pictures and subtitles are streams too.
    public let index: Int
    /// The encoding's short name, for example `mp3`, `aac`, `flac`, `vorbis`, `pcm_s16le`.
    public let codec: String
    /// The sample rate, in hertz; 0 if unknown.
    public let sampleRate: Int
    /// The number of channels; 0 if unknown.
    public let channelCount: Int
    /// The language as written in the file, commonly three letters; `nil` if the file names none.
    public let language: String?
    /// The bit rate, in bits per second; `nil` if unknown.
    public let bitRate: Int?
    /// The duration, at a timescale of ``sampleRate``; indefinite if unknown.
    public let duration: MediaTime
    /// `true` if the file marks the track as the default one to play.
    public let isDefault: Bool

    /// The track's natural timescale: the number of units in a second, in which its frames have exact times.
    public var timescale: Int32 { Int32(clamping: max(sampleRate, 1)) }
}
