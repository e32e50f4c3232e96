/// The recordings heard in a long recording, from its beginning to its end. Times are in seconds.
///
/// The members are those of `earshot tracklist --json`.
public struct TracklistRecord: Hashable, Sendable, Codable {
    /// An interval of the recording in which a reference is heard.
    public struct Entry: Hashable, Sendable, Codable {
        /// The reference's name in the catalog.
        public var id: String
        /// The title, the artist and the album; `nil` where nobody knows them.
        public var title, artist, album: String?
        /// The track and its album in the service's music; `nil` where it has none.
        public var trackID, albumID: String?
        /// The interval of the recording.
        public var queryBegin, queryEnd: Double
        /// The part of the reference that is heard.
        public var referenceBegin, referenceEnd: Double
        /// The length of the reference.
        public var referenceDuration: Double?
        /// The reference time at the recording's first instant.
        public var offset: Double
        /// The relative deviations of speed and pitch: 0.05 is 5 % fast, or high.
        public var speedSkew, pitchSkew: Double
        /// The probability that it is right, from 0 to 1.
        public var confidence: Double
        /// The reference of a surer entry that the same audio explains as well.
        public var duplicateOf: String?

        /// Creates an entry of which nothing but the reference is known.
        package init(id: String) {
            self.id = id
            (queryBegin, queryEnd, referenceBegin, referenceEnd) = (0, 0, 0, 0)
            (offset, speedSkew, pitchSkew, confidence) = (0, 0, 0, 0)
        }
    }

    /// An interval of the recording without a match.
    public struct Gap: Hashable, Sendable, Codable {
        /// The interval of the recording.
        public var queryBegin, queryEnd: Double

        /// Creates a gap.
        package init(queryBegin: Double, queryEnd: Double) {
            (self.queryBegin, self.queryEnd) = (queryBegin, queryEnd)
        }
    }

    /// The recording, as its sender calls it.
    public var clip: String
    /// The length of the recording.
    public var duration: Double
    /// The entries in order of the recording, each followed by its duplicates.
    public var matches: [Entry]
    /// The gaps of 5 s and more, in order of the recording.
    public var unknown: [Gap]

    /// Creates a tracklist.
    package init(clip: String, duration: Double, matches: [Entry], unknown: [Gap]) {
        (self.clip, self.duration, self.matches, self.unknown) = (clip, duration, matches, unknown)
    }
}

/// A tracklist that a service makes, or has made.
public struct TracklistJob: Hashable, Sendable, Codable {
    /// The job.
    public var job: JobRecord
    /// The recording, as its sender calls it.
    public var name: String
    /// The tracklist; `nil` if the job is not done, and in lists.
    public var tracklist: TracklistRecord?

    /// Creates a record.
    package init(job: JobRecord, name: String, tracklist: TracklistRecord? = nil) {
        (self.job, self.name, self.tracklist) = (job, name, tracklist)
    }
}
