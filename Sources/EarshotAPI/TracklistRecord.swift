/// The references that are heard in a long recording, and the gaps between them. Times are in seconds.
///
/// The JSON fields are those of `earshot tracklist --json`.
public struct TracklistRecord: Hashable, Sendable, Codable {
    /// An interval of the recording in which a reference is heard.
    public struct Entry: Hashable, Sendable, Codable {
        /// The reference's name in the catalog.
        public var id: String
        /// The title, artist and album of the reference's media item; `nil` if unknown.
        public var title, artist, album: String?
        /// The identifiers of the track and its album in the service's music; `nil` if the reference belongs to none.
        public var trackID, albumID: String?
        /// The interval of the recording in which the reference is heard, in seconds.
        public var queryBegin, queryEnd: Double
        /// The interval of the reference that is heard, in seconds.
        public var referenceBegin, referenceEnd: Double
        /// The duration of the reference, in seconds; `nil` if unknown.
        public var referenceDuration: Double?
        /// The position in the reference at the start of the recording, in seconds; may be negative.
        public var offset: Double
        /// The relative deviations of speed and pitch: 0.05 is 5 % fast or 5 % high.
        public var speedSkew, pitchSkew: Double
        /// The probability that the match is right, from 0 to 1.
        public var confidence: Double
        /// The name of a reference with higher confidence that the same audio explains; `nil` if there is none.
        public var duplicateOf: String?

        /// Creates an entry for a reference, with all numbers 0.
        package init(id: String) {
            self.id = id
            (queryBegin, queryEnd, referenceBegin, referenceEnd) = (0, 0, 0, 0)
            (offset, speedSkew, pitchSkew, confidence) = (0, 0, 0, 0)
        }
    }

    /// An interval of the recording without a match.
    public struct Gap: Hashable, Sendable, Codable {
        /// The interval of the recording, in seconds.
        public var queryBegin, queryEnd: Double

        /// Creates a gap.
        package init(queryBegin: Double, queryEnd: Double) {
            (self.queryBegin, self.queryEnd) = (queryBegin, queryEnd)
        }
    }

    /// The name of the recording, as given by the sender.
    public var clip: String
    /// The duration of the recording, in seconds.
    public var duration: Double
    /// The matches in the order of the recording, each followed by its duplicates.
    public var matches: [Entry]
    /// The gaps of at least 5 s, in the order of the recording.
    public var unknown: [Gap]

    /// Creates a tracklist.
    package init(clip: String, duration: Double, matches: [Entry], unknown: [Gap]) {
        (self.clip, self.duration, self.matches, self.unknown) = (clip, duration, matches, unknown)
    }
}

/// A job that makes the tracklist of an uploaded recording.
public struct TracklistJob: Hashable, Sendable, Codable {
    /// The state and progress of the job.
    public var job: JobRecord
    /// The name of the recording, as given by the sender.
    public var name: String
    /// The tracklist; `nil` if the job is not done, and in lists.
    public var tracklist: TracklistRecord?

    /// Creates a record.
    package init(job: JobRecord, name: String, tracklist: TracklistRecord? = nil) {
        (self.job, self.name, self.tracklist) = (job, name, tracklist)
    }
}
