public import EarshotCore
public import Foundation

/// The result of one lookup.
public struct MonitorResult: Sendable {
    /// The source of the matches.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// The fingerprint store on the device.
        case local
        /// The archive of the service.
        case archive
        /// A live channel that the service receives.
        case television
        /// The music catalog of the service.
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
    /// The source of the matches; if there are none, the last one searched; `nil` if none was searched.
    public var source: Source?
    /// The time at which the first sample of the fingerprint was heard, on the monitor's clock.
    public var capturedAt: MediaTime
    /// The wall-clock time of the first sample.
    public var capturedDate: Date
    /// The error that ended the lookup; `nil` if it succeeded. A lookup without a match is not an error.
    public var error: EarshotError?
}
