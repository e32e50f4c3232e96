/// A named set of export settings. ``ExportSettings/init(_:)`` returns them for individual changes.
public enum ExportPreset: String, Hashable, Sendable, CaseIterable {
    /// 16-bit PCM, 44.1 kHz, stereo.
    case pcm16Stereo44100 = "pcm16-44100-stereo"
    /// PCM with the source's sample rate, channels and every bit of its samples.
    case pcmSource = "pcm-source"
    /// 32-bit floating-point PCM with the source's sample rate and channels.
    case floatSource = "float-source"
    /// The source's encoded packets, unchanged.
    case passthrough
    /// 16-bit PCM, 16 kHz, one channel: for analysis.
    case mono16000 = "mono-16000"
    /// FLAC without loss of the source's samples.
    case flac
    /// Apple Lossless without loss of the source's samples.
    case alac
    /// AAC with its default settings.
    case aac
    /// MPEG layer III with its default settings.
    case mp3
    /// Opus with its default settings.
    case opus
    /// Vorbis with its default settings.
    case vorbis

    /// The file types that can contain the result.
    public var fileTypes: [FileType] {
        guard self != .passthrough else { return FileType.allCases }
        let kind = ExportSettings(self).encoding?.kind
        return FileType.allCases.filter { type in kind.map { type.encodings.contains($0) } ?? true }
    }
}
