import CFFmpeg

/// FFmpeg's own log.
enum FFmpegLog {
    /// Done once in a process, before FFmpeg is first used.
    private static let silenced: Void = {
        // The level belongs to the whole process. An app that has set its own keeps it; only the default, which prints
        // to the standard error of every program, is turned off: what matters reaches the caller as an error.
        if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
    }()

    static func silence() {
        _ = silenced
    }
}
