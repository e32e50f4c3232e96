/// A request to export a file of a service.
public struct ExportRequest: Hashable, Sendable, Codable {
    /// Individual settings, which override those of the preset; missing ones are the preset's or the source's.
    public struct Settings: Hashable, Sendable, Codable {
        /// The encoding: `pcm`, `flac`, `alac`, `aac`, `mp3`, `vorbis`, `opus` or `passthrough`.
        public var encoding: String?
        /// Bits of a sample of PCM, FLAC and ALAC: 8, 16, 24 or 32; of floating point 32 or 64.
        public var bits: Int?
        /// `true` if samples of PCM are floating-point numbers.
        public var isFloat: Bool?
        /// `true` if the highest byte of a sample of PCM comes first.
        public var isBigEndian: Bool?
        /// Bits a second of an encoding that leaves something out.
        public var bitRate: Int?
        /// Frames a second, 8,000 to 192,000.
        public var sampleRate: Int?
        /// The number of channels, 1 to 8.
        public var channels: Int?
        /// The stream, by ``AssetRecord/Track/index``.
        public var stream: Int?
        /// The start, in seconds.
        public var start: Double?
        /// The end, in seconds.
        public var end: Double?
        /// `true` to dither when the number of bits per sample is reduced.
        public var dithers: Bool?
        /// `true` if tags, pictures and chapters are taken over.
        public var keepsMetadata: Bool?

        /// Everything as the preset or the source has it.
        public init() {}
    }

    /// The file: the name of a media folder and the path below it, `music/Album/01.flac`.
    public var asset: String
    /// The name of the result; the file's own name with another extension if `nil`.
    public var name: String?
    /// The kind of file: `caf`, `wav`, `aiff`, `flac`, `m4a`, `mp3`, `ogg`, `opus` or `raw`; by the name's extension if
    /// `nil`.
    public var type: String?
    /// Settings that have a name, such as `pcm16-44100-stereo`, `pcm-source` or `passthrough`.
    public var preset: String?
    /// Settings finer than presets.
    public var settings: Settings?

    /// A request.
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
