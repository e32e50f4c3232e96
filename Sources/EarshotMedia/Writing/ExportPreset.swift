/// Settings of an export that have a name. ``ExportSettings/init(_:)`` gives them one by one, to be changed.
public enum ExportPreset: String, Hashable, Sendable, CaseIterable {
    /// 16-bit PCM, 44.1 kHz, stereo.
    case pcm16Stereo44100 = "pcm16-44100-stereo"
    /// PCM that keeps the source's rate, channels and every bit of its samples.
    case pcmSource = "pcm-source"
    /// 32-bit floating point with the source's rate and channels.
    case floatSource = "float-source"
    /// The source's encoded packets as they are.
    case passthrough
    /// 16-bit PCM, 16 kHz, one channel: for analysis.
    case mono16000 = "mono-16000"
    /// FLAC that keeps the source.
    case flac
    /// Apple Lossless that keeps the source.
    case alac
    /// AAC.
    case aac
    /// MPEG layer III.
    case mp3
    /// Opus.
    case opus
    /// Vorbis.
    case vorbis

    /// The kinds of file that it can go into.
    public var fileTypes: [FileType] {
        guard self != .passthrough else { return FileType.allCases }
        let kind = ExportSettings(self).encoding?.kind
        return FileType.allCases.filter { type in kind.map { type.encodings.contains($0) } ?? true }
    }
}
