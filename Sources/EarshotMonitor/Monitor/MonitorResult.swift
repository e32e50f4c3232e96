public import EarshotCore
public import Foundation

/// The result of one lookup.
public struct MonitorResult: Sendable {
    /// The place where matches were found.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// In the fingerprint store.
        case local
        /// In the service's archive.
        case archive
        /// On a channel that the service follows.
        case television
        /// Among the service's music.
        case music
    }

    /// The lookup's number, the same as in its status events.
    public var lookup: Int
    /// The matches, best first; empty if nothing was found.
    public var matches: [MonitorMatch]
    /// The trigger of the lookup; for a lookup that was extended from the store to the service, the trigger of the
    /// extension.
    public var trigger: LookupTrigger
    /// The places that were searched.
    public var kind: LookupKind
    /// The place where the matches were found; if there are none, the last place that was searched.
    public var source: Source?
    /// The time at which the first sample of the fingerprint was heard, on the monitor's clock.
    public var capturedAt: MediaTime
    /// The same by the wall clock.
    public var capturedDate: Date
    /// The error that ended the lookup. A lookup without a match is not an error.
    public var error: EarshotError?
}
