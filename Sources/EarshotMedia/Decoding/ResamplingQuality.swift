import CFFmpeg

/// The quality of resampling.
enum ResamplingQuality: Hashable, Sendable {
    /// FFmpeg's default: sufficient for signal analysis.
    case standard
    /// For audio that is kept: flat to 20 kHz at 44.1 kHz, aliasing below -90 dB.
    case precise

    func apply(to converter: OpaquePointer) {
        guard self == .precise else { return }
        let options = UnsafeMutableRawPointer(converter)
        av_opt_set_int(options, "filter_size", 128, 0)
        av_opt_set_double(options, "cutoff", 0.97, 0)
        av_opt_set_double(options, "kaiser_beta", 12, 0)
    }
}
