import CFFmpeg

extension FFmpegLibraries {
    /// A common audio format that Earshot reads, and may write.
    package struct Format: Hashable, Sendable {
        /// The common name of the format, such as `Vorbis`.
        package let name: String
        let container: String
        let decoder: String
        /// The encoder that writes it; `nil` if Earshot does not write it.
        let encoder: String?

        package var canBeRead: Bool {
            av_find_input_format(container) != nil && avcodec_find_decoder_by_name(decoder) != nil
        }

        /// `true` if the installed FFmpeg can write the format, or if Earshot never writes it.
        package var canBeWritten: Bool { encoder.map { avcodec_find_encoder_by_name($0) != nil } ?? true }
    }

    /// The formats that a complete FFmpeg supports. Builds of distributions support them; custom builds may lack some.
    package static let usualFormats = [
        Format(name: "WAVE", container: "wav", decoder: "pcm_s16le", encoder: "pcm_s16le"),
        Format(name: "AIFF", container: "aiff", decoder: "pcm_s16be", encoder: "pcm_s16be"),
        Format(name: "FLAC", container: "flac", decoder: "flac", encoder: "flac"),
        Format(name: "MP3", container: "mp3", decoder: "mp3float", encoder: "libmp3lame"),
        Format(name: "AAC", container: "mov", decoder: "aac", encoder: "aac"),
        Format(name: "ALAC", container: "mov", decoder: "alac", encoder: "alac"),
        Format(name: "Vorbis", container: "ogg", decoder: "vorbis", encoder: "libvorbis"),
        Format(name: "Opus", container: "ogg", decoder: "opus", encoder: "libopus"),
        Format(name: "WMA", container: "asf", decoder: "wmav2", encoder: nil),
        Format(name: "Monkey's Audio", container: "ape", decoder: "ape", encoder: nil),
        Format(name: "WavPack", container: "wv", decoder: "wavpack", encoder: nil),
    ]

    /// The version of each FFmpeg library, such as `libavformat` and `59.27.100`.
    package static var versions: [(name: String, version: String)] {
        [
            ("libavformat", avformat_version()), ("libavcodec", avcodec_version()),
            ("libswresample", swresample_version()), ("libswscale", swscale_version()),
            ("libavutil", avutil_version()),
        ].map { ($0, number($1)) }
    }

    /// The file name of FFmpeg's library for capture devices, which is loaded on first use, and whether it is
    /// installed.
    package static var deviceLibrary: (file: String, isInstalled: Bool) {
        (CaptureDrivers.libraryFile, CaptureDrivers.isInstalled)
    }
}
