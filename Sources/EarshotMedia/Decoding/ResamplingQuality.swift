import CFFmpeg

/// How well another sample rate is made.
enum ResamplingQuality: Hashable, Sendable {
    /// As FFmpeg does without being told: enough for what listens to a signal.
    case standard
    /// For what is to be kept: flat to 20 kHz at 44.1 kHz, and what would be mirrored below -90 dB.
    case precise

    func apply(to converter: OpaquePointer) {
        guard self == .precise else { return }
        let options = UnsafeMutableRawPointer(converter)
        av_opt_set_int(options, "filter_size", 128, 0)
        av_opt_set_double(options, "cutoff", 0.97, 0)
        av_opt_set_double(options, "kaiser_beta", 12, 0)
    }
}
