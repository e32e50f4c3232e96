import CFFmpeg

extension FFmpegLibraries {
    /// A kind of file that people have music in.
    package struct Format: Hashable, Sendable {
        /// The name that people know it by.
        package let name: String
        let container: String
        let decoder: String
        /// The encoder that writes it; `nil` if Earshot does not write it.
        let encoder: String?

        package var canBeRead: Bool {
            av_find_input_format(container) != nil && avcodec_find_decoder_by_name(decoder) != nil
        }

        /// `true` too for a format that is never written.
        package var canBeWritten: Bool { encoder.map { avcodec_find_encoder_by_name($0) != nil } ?? true }
    }

    /// The formats that every FFmpeg should have. Those of distributions do; one built by hand may have left some out.
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

    /// Each library with its version: `libavformat`, `59.27.100`.
    package static var versions: [(name: String, version: String)] {
        [
            ("libavformat", avformat_version()), ("libavcodec", avcodec_version()),
            ("libswresample", swresample_version()), ("libswscale", swscale_version()),
            ("libavutil", avutil_version()),
        ].map { ($0, number($1)) }
    }

    /// The library that captures from devices, which is loaded when it is first needed: its file, and whether it is there.
    package static var deviceLibrary: (file: String, isInstalled: Bool) {
        (CaptureDrivers.libraryFile, CaptureDrivers.isInstalled)
    }
}
