/// The type of a file, which decides the format of its tags.
public enum TagContainer: String, Hashable, Sendable, CaseIterable {
    /// An MP3 file.
    case mp3
    /// An AIFF or AIFF-C file.
    case aiff
    /// A WAV file.
    case wav
    /// A FLAC file.
    case flac
    /// An Ogg file with Vorbis.
    case oggVorbis
    /// An Ogg file with Opus.
    case oggOpus
    /// An Ogg file with FLAC.
    case oggFLAC
    /// An Ogg file with Speex.
    case oggSpeex
    /// An MP4 file: `.m4a`, `.mp4`, `.m4b`.
    case mp4
    /// A Monkey's Audio file.
    case ape
    /// A WavPack file.
    case wavPack
    /// A Musepack file.
    case musepack

    /// The format of a file's tags.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// ID3v2, written as version 2.4.
        case id3v2
        /// Vorbis comments.
        case vorbisComments
        /// Metadata items of MP4.
        case mp4
        /// APE tags.
        case ape
    }

    /// The format of the tags in files of this type.
    public var format: Format {
        switch self {
        case .mp3, .aiff, .wav: .id3v2
        case .flac, .oggVorbis, .oggOpus, .oggFLAC, .oggSpeex: .vorbisComments
        case .mp4: .mp4
        case .ape, .wavPack, .musepack: .ape
        }
    }
}
