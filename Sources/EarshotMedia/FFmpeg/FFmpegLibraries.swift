import CFFmpeg

/// The FFmpeg libraries that this process runs with.
package enum FFmpegLibraries {
    /// Their names and versions, as FFmpeg writes them: `Lavc59.37.100 Lavf59.27.100 SwR4.7.100`.
    package static var description: String {
        [
            name("Lavc", avcodec_version()), name("Lavf", avformat_version()), name("SwR", swresample_version()),
        ].joined(separator: " ")
    }

    private static func name(_ prefix: String, _ version: UInt32) -> String {
        "\(prefix)\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
