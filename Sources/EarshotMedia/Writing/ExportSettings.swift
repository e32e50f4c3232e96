public import EarshotCore

/// The settings of an export.
public struct ExportSettings: Hashable, Sendable {
    /// The encoding; `nil` for the default of the file type.
    public var encoding: AudioEncoding?
    /// The number of bits per sample, if ``encoding`` is `nil` and the file type's default encoding is lossless: 8, 16, 24
    /// or 32 for PCM, 16 or 24 for FLAC. `nil` for as many as the source needs.
    public var bits: Int?
    /// The bit rate in bits per second, if ``encoding`` is `nil` and the file type's default encoding is lossy; `nil`
    /// for the default.
    public var bitRate: Int?
    /// The sample rate, in hertz (8,000 to 192,000); `nil` for the source's own.
    public var sampleRate: Int?
    /// The number of channels. Default: the source's own, without mixing.
    public var channels: AssetReader.ChannelChoice = .source
    /// The audio stream to export.
    public var stream: AssetReader.StreamChoice = .best
    /// The part to export, on the asset's timeline; `nil` for everything.
    public var range: Range<MediaTime>?
    /// `true` to dither when the number of bits per sample is reduced; otherwise samples are rounded.
    public var dithers = true
    /// `true` to copy tags, pictures and chapters.
    public var keepsMetadata = true

    /// Creates the default settings: the source's sample rate and channels in the default encoding of the file type.
    public init() {}

    /// Creates the settings of a preset, which can be changed individually.
    public init(_ preset: ExportPreset) {
        switch preset {
        case .pcm16Stereo44100:
            encoding = .pcm(.int16)
            sampleRate = 44_100
            channels = .stereo
        case .pcmSource:
            encoding = .pcm(nil)
        case .floatSource:
            encoding = .pcm(.float32)
        case .passthrough:
            encoding = .passthrough
        case .mono16000:
            encoding = .pcm(.int16)
            sampleRate = 16_000
            channels = .mono
        case .flac:
            encoding = .flac(bits: nil)
        case .alac:
            encoding = .alac(bits: nil)
        case .aac:
            encoding = .aac(bitRate: nil)
        case .mp3:
            encoding = .mp3(bitRate: nil)
        case .opus:
            encoding = .opus(bitRate: nil)
        case .vorbis:
            encoding = .vorbis(bitRate: nil)
        }
    }

    /// The encoding for a file type with these settings.
    ///
    /// - Throws: `audioFormatInvalid` for a number of bits that there is not.
    func encoding(for type: FileType) throws(EarshotError) -> AudioEncoding {
        if let encoding { return encoding }
        return switch type.usualEncoding {
        // AIFF has the highest byte first; the other order would make it AIFF-C, which fewer programs read.
        case .pcm:
            .pcm(try bits.map { (bits) throws(EarshotError) in try PCMLayout(bits: bits, isBigEndian: type == .aiff) })
        case .flac: .flac(bits: bits)
        case .alac: .alac(bits: bits)
        case .aac: .aac(bitRate: bitRate)
        case .mp3: .mp3(bitRate: bitRate)
        case .vorbis: .vorbis(bitRate: bitRate)
        case .opus: .opus(bitRate: bitRate)
        case .passthrough: .passthrough
        }
    }
}
