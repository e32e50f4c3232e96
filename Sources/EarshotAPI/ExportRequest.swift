/// A request to export a file of a service.
public struct ExportRequest: Hashable, Sendable, Codable {
    /// Individual settings, which override those of the preset; missing ones are the preset's or the source's.
    public struct Settings: Hashable, Sendable, Codable {
        /// The encoding: `pcm`, `flac`, `alac`, `aac`, `mp3`, `vorbis`, `opus` or `passthrough`; `nil` for that of the
        /// preset or file type.
        public var encoding: String?
        /// The number of bits per sample: 8, 16, 24 or 32 for integer PCM, 32 or 64 for floating-point PCM, 16 or 24 for
        /// FLAC and ALAC. `nil` for that of the preset or source.
        public var bits: Int?
        /// `true` for floating-point samples of PCM; `nil` for the type of the preset or source.
        public var isFloat: Bool?
        /// `true` for big-endian samples of PCM; `nil` for the byte order of the preset or file type.
        public var isBigEndian: Bool?
        /// The bit rate of a lossy encoding, in bits per second; `nil` for that of the preset or encoding.
        public var bitRate: Int?
        /// The sample rate, 8,000 to 192,000 Hz; `nil` for that of the preset or source.
        public var sampleRate: Int?
        /// The number of channels, 1 to 8; `nil` for that of the preset or source.
        public var channels: Int?
        /// The stream of the source to export, by its ``AssetRecord/Track/index``; `nil` for the one that a player
        /// would choose.
        public var stream: Int?
        /// The start of the exported part of the source, in seconds; `nil` for its beginning.
        public var start: Double?
        /// The end of the exported part of the source, in seconds; `nil` for its end.
        public var end: Double?
        /// `true` to dither when the number of bits per sample is reduced; `nil` for the default, `true`.
        public var dithers: Bool?
        /// `true` to copy tags, pictures and chapters to the result; `nil` for the default, `true`.
        public var keepsMetadata: Bool?

        /// Creates settings that override nothing.
        public init() {}
    }

    /// The identifier of the source file: the name of a media folder and the path below it, such as
    /// `music/Album/01.flac`.
    public var asset: String
    /// The file name of the result; `nil` for the source's name with the new extension.
    public var name: String?
    /// The file type of the result: `caf`, `wav`, `aiff`, `flac`, `m4a`, `mp3`, `ogg`, `opus` or `raw`; `nil` to use
    /// the extension of ``name``.
    public var type: String?
    /// The name of a preset, such as `pcm16-44100-stereo`, `pcm-source` or `passthrough`; `nil` for none.
    public var preset: String?
    /// Settings that override the preset; `nil` for none.
    public var settings: Settings?

    /// Creates a request.
    public init(
        asset: String,
        name: String? = nil,
        type: String? = nil,
        preset: String? = nil,
        settings: Settings? = nil
    ) {
        self.asset = asset
        self.name = name
        self.type = type
        self.preset = preset
        self.settings = settings
    }
}
