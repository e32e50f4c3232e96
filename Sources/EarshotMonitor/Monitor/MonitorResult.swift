public import EarshotCore
public import Foundation

/// What became of one lookup.
public struct MonitorResult: Sendable {
    /// Where matches were found.
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
    /// What was found, the best first; nothing when nothing was.
    public var matches: [MonitorMatch]
    /// What caused the lookup; of one that was raised from the store to both places, what raised it.
    public var trigger: LookupTrigger
    /// Where it looked.
    public var kind: LookupKind
    /// Where the matches were found; of a lookup that found nothing, the last place that was asked.
    public var source: Source?
    /// When the first sample of the fingerprint was heard, on the monitor's clock.
    public var capturedAt: MediaTime
    /// The same by the wall clock.
    public var capturedDate: Date
    /// Why the lookup could not be finished. Nothing found is no error.
    public var error: EarshotError?
}
