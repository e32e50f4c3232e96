/// What a service is to make of one of its files.
public struct ExportRequest: Hashable, Sendable, Codable {
    /// Settings other than a preset's, each by itself; what is absent stays as the preset or the source has it.
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
        /// How many channels, 1 to 8.
        public var channels: Int?
        /// Which stream, by ``AssetRecord/Track/index``.
        public var stream: Int?
        /// Where to begin, in seconds.
        public var start: Double?
        /// Where to end, in seconds.
        public var end: Double?
        /// `true` if noise hides what is lost with fewer bits a sample.
        public var dithers: Bool?
        /// `true` if tags, pictures and chapters are taken over.
        public var keepsMetadata: Bool?

        /// Everything as the preset or the source has it.
        public init() {}
    }

    /// The file: the name of a media folder and the path below it, `music/Album/01.flac`.
    public var asset: String
    /// What the result is called; the file's own name with another extension if `nil`.
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
