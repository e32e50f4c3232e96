/// The kind of file that tags are kept in.
public enum TagContainer: String, Hashable, Sendable, CaseIterable {
    /// MP3.
    case mp3
    /// AIFF and AIFF-C.
    case aiff
    /// WAV.
    case wav
    /// FLAC.
    case flac
    /// Vorbis in Ogg.
    case oggVorbis
    /// Opus in Ogg.
    case oggOpus
    /// FLAC in Ogg.
    case oggFLAC
    /// Speex in Ogg.
    case oggSpeex
    /// MP4: `.m4a`, `.mp4`, `.m4b`.
    case mp4
    /// Monkey's Audio.
    case ape
    /// WavPack.
    case wavPack
    /// Musepack.
    case musepack

    /// The format of the container's tags.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// ID3v2, written as version 2.4.
        case id3v2
        /// Vorbis comments.
        case vorbisComments
        /// Items of MP4.
        case mp4
        /// APE tags.
        case ape
    }

    /// The format of its tags.
    public var format: Format {
        switch self {
        case .mp3, .aiff, .wav: .id3v2
        case .flac, .oggVorbis, .oggOpus, .oggFLAC, .oggSpeex: .vorbisComments
        case .mp4: .mp4
        case .ape, .wavPack, .musepack: .ape
        }
    }
}
