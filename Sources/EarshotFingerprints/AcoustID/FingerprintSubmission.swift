public import Foundation

/// A fingerprint that somebody sent, with what it was said to be of.
public struct FingerprintSubmission: Hashable, Sendable, Codable {
    /// How far a submission has come.
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
    /// How long the file lasts, in whole seconds.
    public var duration: Int
    /// The recordings at MusicBrainz that it was said to be of.
    public var recordings: [UUID] = []
    /// What it was said to be of by an identifier of the time before MusicBrainz knew fingerprints.
    public var puid: UUID?
    /// What it was said to be of elsewhere, as `vendor:id`.
    public var foreignID: String?
    /// What was written about it.
    public var metadata: SubmittedMetadata?
    /// The file's bit rate in kbit/s.
    public var bitRate: Int?
    /// The file's format, in the sender's words: `MP3`.
    public var fileFormat: String?
    /// The application that sent it.
    public var application: String
    /// The application's version.
    public var applicationVersion: String?
    /// Who sent it.
    public var submitter: String
    /// When.
    public var date: Date

    /// A submission that says nothing of what it is of.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint in its compressed form.
    ///   - duration: How long the file lasts, in whole seconds.
    ///   - application: The application that sent it.
    ///   - submitter: Who sent it.
    ///   - date: When.
    public init(fingerprint: String, duration: Int, application: String, submitter: String, date: Date) {
        self.fingerprint = fingerprint
        self.duration = duration
        self.application = application
        self.submitter = submitter
        self.date = date
    }
}
