public import EarshotCore

/// A file of a service's media folders: its tracks, duration and tags.
public struct AssetRecord: Hashable, Sendable, Codable {
    /// A time, exact and in seconds.
    public struct Time: Hashable, Sendable, Codable {
        /// The number of units.
        public var value: Int64
        /// Units a second.
        public var timescale: Int32
        /// The same in seconds, for showing.
        public var seconds: Double

        /// A time; `nil` for one that is no number, such as a duration that is not known.
        package init?(_ time: MediaTime) {
            guard time.isNumeric else { return nil }
            (value, timescale, seconds) = (time.value, time.timescale, time.seconds)
        }

        /// The time.
        public var time: MediaTime { timescale >= 1 ? MediaTime(value: value, timescale: timescale) : .invalid }
    }

    /// An audio track.
    public struct Track: Hashable, Sendable, Codable {
        /// Its number among all streams of the file.
        public var index: Int
        /// The encoding's short name, such as `flac`.
        public var codec: String
        /// Frames a second, in hertz; 0 when unknown.
        public var sampleRate: Int
        /// Samples in one frame; 0 when unknown.
        public var channels: Int
        /// The language as the file writes it.
        public var language: String?
        /// Bits a second, where known.
        public var bitRate: Int?
        /// The duration, if known.
        public var duration: Time?
        /// `true` if the file marks it as the one to play.
        public var isDefault: Bool

        /// A track.
        public init(
            index: Int,
            codec: String,
            sampleRate: Int,
            channels: Int,
            language: String? = nil,
            bitRate: Int? = nil,
            duration: Time? = nil,
            isDefault: Bool = false
        ) {
            self.index = index
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
            self.language = language
            self.bitRate = bitRate
            self.duration = duration
            self.isDefault = isDefault
        }
    }

    /// The identifier: the name of a media folder and the path below it, `music/Album/01.flac`.
    public var id: String
    /// Its size in bytes.
    public var size: Int64
    /// The container's short names, such as `mp3` or `mov,mp4,m4a,3gp,3g2,mj2`.
    public var format: String
    /// The duration, if known.
    public var duration: Time?
    /// Bits a second of everything together, where known.
    public var bitRate: Int?
    /// The audio tracks in the order of the file.
    public var tracks: [Track]
    /// The tags by name, as the file spells it.
    public var tags: [String: String]
    /// The number of chapters.
    public var chapters: Int
    /// `true` if there is an embedded picture.
    public var hasPicture: Bool
    /// `true` if there are moving pictures.
    public var hasVideo: Bool

    /// A file.
    package init(
        id: String,
        size: Int64,
        format: String,
        duration: Time? = nil,
        bitRate: Int? = nil,
        tracks: [Track],
        tags: [String: String] = [:],
        chapters: Int = 0,
        hasPicture: Bool = false,
        hasVideo: Bool = false
    ) {
        self.id = id
        self.size = size
        self.format = format
        self.duration = duration
        self.bitRate = bitRate
        self.tracks = tracks
        self.tags = tags
        self.chapters = chapters
        self.hasPicture = hasPicture
        self.hasVideo = hasVideo
    }
}
