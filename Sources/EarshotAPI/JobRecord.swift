public import Foundation

/// A job: work that a service does in the background after it has answered the request.
public struct JobRecord: Hashable, Sendable, Codable {
    /// The state of a job.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// Queued: the job has not started.
        case waiting
        /// The job is being done.
        case running
        /// The job succeeded.
        case done
        /// The job failed; ``JobRecord/error`` has the reason.
        case failed
        /// The job was canceled.
        case cancelled

        /// `true` if the state no longer changes.
        public var isFinal: Bool { self == .done || self == .failed || self == .cancelled }
    }

    /// The identifier of the job.
    public var id: String
    /// The kind of work: `addReference`, `backup`, `check`, `importTable`, `mergeCatalog`, `publish`.
    public var kind: String
    /// The state of the job.
    public var state: State
    /// The completed fraction of the job, from 0 to 1.
    public var progress: Double
    /// The result, such as the name of a reference; `nil` if the job is not done, or has no result.
    public var result: String?
    /// The error of a failed job; `nil` for others.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the job ended; `nil` before.
    public var finished: Date?

    /// Creates the record of a job with the state `waiting`.
    package init(id: String, kind: String, created: Date) {
        self.id = id
        self.kind = kind
        state = .waiting
        progress = 0
        self.created = created
    }
}
