public import Foundation

/// Work that a service does after its answer.
public struct JobRecord: Hashable, Sendable, Codable {
    /// How far it is.
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

        /// `true` if nothing more happens.
        public var isFinal: Bool { self == .done || self == .failed || self == .cancelled }
    }

    /// The identifier.
    public var id: String
    /// The kind of work: `addReference`, `backup`, `check`, `importTable`, `mergeCatalog`, `publish`.
    public var kind: String
    /// How far it is.
    public var state: State
    /// How much is done, from 0 to 1.
    public var progress: Double
    /// What came of it, such as the name of a reference.
    public var result: String?
    /// Why it failed.
    public var error: Failure.Body?
    /// When it was asked for.
    public var created: Date
    /// When it came to its end.
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
