public import Foundation

/// A fingerprint that somebody sent, with what it was said to be of.
public struct FingerprintSubmission: Hashable, Sendable, Codable {
    /// The state of a submission.
    public enum State: Hashable, Sendable {
        /// It waits for its turn.
        case pending
        /// It belongs to a track.
        case imported(UUID)
        /// It says too little, such as one of silence, and belongs to none.
        case refused
    }

    /// The fingerprint in its compressed form.
    public var fingerprint: String
    /// The duration of the file, in whole seconds.
    public var duration: Int
    /// The recordings at MusicBrainz that it was said to be of.
    public var recordings: [UUID] = []
    /// The submitted PUID, an identifier that MusicBrainz used before AcoustID.
    public var puid: UUID?
    /// The submitted identifier in another catalog, as `vendor:id`.
    public var foreignID: String?
    /// The submitted metadata.
    public var metadata: SubmittedMetadata?
    /// The file's bit rate in kbit/s.
    public var bitRate: Int?
    /// The file's format, in the sender's words: `MP3`.
    public var fileFormat: String?
    /// The application that sent it.
    public var application: String
    /// The application's version.
    public var applicationVersion: String?
    /// The submitter.
    public var submitter: String
    /// The time of submission.
    public var date: Date

    /// Creates a submission without metadata or identifiers.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint in its compressed form.
    ///   - duration: The duration of the file, in whole seconds.
    ///   - application: The application that sent it.
    ///   - submitter: The submitter.
    ///   - date: The time of submission.
    public init(fingerprint: String, duration: Int, application: String, submitter: String, date: Date) {
        self.fingerprint = fingerprint
        self.duration = duration
        self.application = application
        self.submitter = submitter
        self.date = date
    }
}
