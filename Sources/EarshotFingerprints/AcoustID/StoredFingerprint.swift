public import EarshotCore
public import Foundation

/// A fingerprint of a track, as stored.
public struct StoredFingerprint: Hashable, Sendable {
    /// The number of the fingerprint, under which a ``FingerprintIndex`` contains it.
    public let number: UInt64
    /// The identifier of its track.
    public let track: UUID
    /// The fingerprint in its compressed form as submitted; the index keeps only the compared part.
    public let text: String
    /// The duration of the file, in whole seconds.
    public let duration: Int
    /// The identifier of the first submitter.
    public let submitter: String
    /// The time of the first submission.
    public let date: Date
    /// The number of submissions of this fingerprint, or of a nearly identical one.
    public let submissions: Int

    /// Creates a stored fingerprint.
    package init(
        number: UInt64,
        track: UUID,
        text: String,
        duration: Int,
        submitter: String,
        date: Date,
        submissions: Int
    ) {
        self.number = number
        self.track = track
        self.text = text
        self.duration = duration
        self.submitter = submitter
        self.date = date
        self.submissions = submissions
    }

    /// Decodes the fingerprint.
    ///
    /// - Throws: `signatureInvalid` if it is damaged.
    public func fingerprint() throws(EarshotError) -> FileFingerprint {
        try FileFingerprint(text: text, duration: MediaTime(value: Int64(duration), timescale: 1))
    }
}

/// A link from a track to a recording in MusicBrainz, from submissions.
public struct RecordingLink: Hashable, Sendable {
    /// The identifier of the recording in MusicBrainz.
    public let recording: UUID
    /// The number of submitters who gave this recording.
    public let sources: Int
    /// `true` if the link was disabled because it is wrong.
    public let isDisabled: Bool

    /// Creates a link.
    package init(recording: UUID, sources: Int, isDisabled: Bool = false) {
        self.recording = recording
        self.sources = sources
        self.isDisabled = isDisabled
    }
}
