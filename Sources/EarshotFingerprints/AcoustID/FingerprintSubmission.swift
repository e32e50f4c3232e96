public import Foundation

/// A submitted fingerprint, with the metadata and identifiers that the submitter gave for it.
public struct FingerprintSubmission: Hashable, Sendable, Codable {
    /// The state of a submission.
    public enum State: Hashable, Sendable {
        /// The submission waits for its import.
        case pending
        /// The fingerprint belongs to the track with this identifier.
        case imported(UUID)
        /// The fingerprint was rejected, because it has too little variety to identify a recording, such as one of
        /// silence.
        case refused
    }

    /// The fingerprint in its compressed form.
    public var fingerprint: String
    /// The duration of the file, in whole seconds.
    public var duration: Int
    /// The submitted identifiers of recordings in MusicBrainz.
    public var recordings: [UUID] = []
    /// The submitted PUID, an identifier that MusicBrainz used before AcoustID; `nil` for none.
    public var puid: UUID?
    /// The submitted identifier in another catalog, as `vendor:id`; `nil` for none.
    public var foreignID: String?
    /// The submitted metadata; `nil` for none.
    public var metadata: SubmittedMetadata?
    /// The file's bit rate, in kbit/s; `nil` if unknown.
    public var bitRate: Int?
    /// The file's format as the submitter names it, such as `MP3`; `nil` if unknown.
    public var fileFormat: String?
    /// The name of the application that sent the submission.
    public var application: String
    /// The version of the application; `nil` if unknown.
    public var applicationVersion: String?
    /// The identifier of the submitter.
    public var submitter: String
    /// The time at which the fingerprint was submitted.
    public var date: Date

    /// Creates a submission without metadata or identifiers.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint in its compressed form.
    ///   - duration: The duration of the file, in whole seconds.
    ///   - application: The name of the application that sent the submission.
    ///   - submitter: The identifier of the submitter.
    ///   - date: The time of submission.
    public init(fingerprint: String, duration: Int, application: String, submitter: String, date: Date) {
        self.fingerprint = fingerprint
        self.duration = duration
        self.application = application
        self.submitter = submitter
        self.date = date
    }
}
