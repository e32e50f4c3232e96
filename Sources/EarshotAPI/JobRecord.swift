public import Foundation

/// Work that a service does after its answer.
public struct JobRecord: Hashable, Sendable, Codable {
    /// The state of a job.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// Not begun.
        case waiting
        /// Under way.
        case running
        /// Done.
        case done
        /// Given up; ``JobRecord/error`` says why.
        case failed
        /// Cancelled.
        case cancelled

        /// `true` if the state is final.
        public var isFinal: Bool { self == .done || self == .failed || self == .cancelled }
    }

    /// The identifier.
    public var id: String
    /// The kind of work: `addReference`, `backup`, `check`, `importTable`, `mergeCatalog`, `publish`.
    public var kind: String
    /// The state.
    public var state: State
    /// The progress, from 0 to 1.
    public var progress: Double
    /// The result, such as the name of a reference.
    public var result: String?
    /// The error of the export.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the run ended.
    public var finished: Date?

    /// A job that has not begun.
    package init(id: String, kind: String, created: Date) {
        self.id = id
        self.kind = kind
        state = .waiting
        progress = 0
        self.created = created
    }
}
