public import EarshotCore

/// A file of a service's media folders: its tracks, duration and tags.
public struct AssetRecord: Hashable, Sendable, Codable {
    /// A time or duration, as an exact fraction and in seconds.
    public struct Time: Hashable, Sendable, Codable {
        /// The number of units of 1 / ``timescale`` s.
        public var value: Int64
        /// The number of units in a second.
        public var timescale: Int32
        /// The time in seconds, rounded to a floating-point number, for display.
        public var seconds: Double

        /// Converts a media time; `nil` for a time that is not numeric, such as an unknown duration.
        package init?(_ time: MediaTime) {
            guard time.isNumeric else { return nil }
            (value, timescale, seconds) = (time.value, time.timescale, time.seconds)
        }

        /// The exact time; invalid if ``timescale`` is not positive.
        public var time: MediaTime { timescale >= 1 ? MediaTime(value: value, timescale: timescale) : .invalid }
    }

    /// An audio track of the file.
    public struct Track: Hashable, Sendable, Codable {
        /// The index of the track among all streams of the file, from 0.
        public var index: Int
        /// The short name of the encoding, such as `flac`.
        public var codec: String
        /// The sample rate, in hertz; 0 if unknown.
        public var sampleRate: Int
        /// The number of channels; 0 if unknown.
        public var channels: Int
        /// The language as written in the file; `nil` if the file names none.
        public var language: String?
        /// The bit rate, in bits per second; `nil` if unknown.
        public var bitRate: Int?
        /// The duration of the track; `nil` if unknown.
        public var duration: Time?
        /// `true` if the file marks the track as the default one to play.
        public var isDefault: Bool

        /// Creates a track.
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
    /// The size of the file, in bytes.
    public var size: Int64
    /// The short names of the container, such as `mp3` or `mov,mp4,m4a,3gp,3g2,mj2`.
    public var format: String
    /// The duration of the file; `nil` if unknown.
    public var duration: Time?
    /// The bit rate of all streams together, in bits per second; `nil` if unknown.
    public var bitRate: Int?
    /// The audio tracks in the order of the file.
    public var tracks: [Track]
    /// The values of the tags by their names as written in the file.
    public var tags: [String: String]
    /// The number of chapters in the file.
    public var chapters: Int
    /// `true` if the file contains an embedded picture, such as a cover.
    public var hasPicture: Bool
    /// `true` if the file contains video.
    public var hasVideo: Bool

    /// Creates the record of a file.
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
