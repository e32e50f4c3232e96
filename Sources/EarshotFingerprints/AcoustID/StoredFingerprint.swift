public import EarshotCore
public import Foundation

/// A fingerprint of a track, as a store has it.
public struct StoredFingerprint: Hashable, Sendable {
    /// Its number in a ``FingerprintIndex``.
    public let number: UInt64
    /// The track that it is of.
    public let track: UUID
    /// The compressed form as submitted; the index keeps less.
    public let text: String
    /// The duration of the file, in whole seconds.
    public let duration: Int
    /// The first submitter.
    public let submitter: String
    /// The time of the first submission.
    public let date: Date
    /// The number of submissions of this fingerprint, or of a nearly identical one.
    public let submissions: Int

    /// A fingerprint of its parts.
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

    /// The fingerprint.
    ///
    /// - Throws: `signatureInvalid` when it is damaged.
    public func fingerprint() throws(EarshotError) -> FileFingerprint {
        try FileFingerprint(text: text, duration: MediaTime(value: Int64(duration), timescale: 1))
    }
}

/// A recording at MusicBrainz that a track was said to be.
public struct RecordingLink: Hashable, Sendable {
    /// The recording.
    public let recording: UUID
    /// The number of submitters.
    public let sources: Int
    /// `true` if it was found to be wrong.
    public let isDisabled: Bool

    /// A link of its parts.
    package init(recording: UUID, sources: Int, isDisabled: Bool = false) {
        self.recording = recording
        self.sources = sources
        self.isDisabled = isDisabled
    }
}
