public import EarshotCore
public import Foundation

/// A status event of a monitor: a kind, a number, and further values.
///
/// Kinds are open: later versions may add some, so a `switch` over them needs a default branch.
public struct StatusEvent: Sendable {
    /// The kind of event.
    public var kind: Kind
    /// A number whose meaning depends on the kind; 0 for kinds without one.
    public var value: Double
    /// A text whose meaning depends on the kind; `nil` for kinds without one.
    public var text: String?
    /// The error, for events about a failure; otherwise `nil`.
    public var error: EarshotError?
    /// The number of the lookup that the event belongs to; `nil` if it belongs to none.
    public var lookup: Int?
    /// The trigger of the lookup; `nil` if the event belongs to none.
    public var trigger: LookupTrigger?
    /// The places that the lookup searches; `nil` if the event belongs to none.
    public var lookupKind: LookupKind?
    /// The previous and the new match, for ``Kind/contentChanged``; otherwise `nil`.
    public var change: Change?
    /// The time on the monitor's clock.
    public var time: MediaTime
    /// The wall-clock time.
    public var date: Date

    /// A change from one recognized content to another.
    public struct Change: Hashable, Sendable {
        /// The previous match; `nil` if there was none.
        public var old: MonitorMatch?
        /// The new match.
        public var new: MonitorMatch
    }

    /// Creates an event.
    public init(_ kind: Kind, value: Double = 0, at time: MediaTime = .zero, _ date: Date = Date()) {
        self.kind = kind
        self.value = value
        self.time = time
        self.date = date
    }
}

extension StatusEvent {
    /// The kind of a status event.
    public struct Kind: StringIdentifier {
        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The first audio after the start. Its text is the format.
        public static let audioStarted = Kind(rawValue: "audioStarted")
        /// The monitor was stopped, or no audio came for 2 s.
        public static let audioStopped = Kind(rawValue: "audioStopped")
        /// Audio is missing. The number is its duration in milliseconds.
        public static let audioGap = Kind(rawValue: "audioGap")
        /// The level of the last second. The number is in decibels relative to full scale, -120 to 0. Sent once a second.
        public static let audioLevel = Kind(rawValue: "audioLevel")
        /// The audio is silent. The number is the level in decibels relative to full scale. Sent when silence begins, then at most once a second.
        public static let silent = Kind(rawValue: "silent")
        /// Silence has ended. The number is the level in decibels relative to full scale.
        public static let audible = Kind(rawValue: "audible")
        /// The number is the fraction of the last 10 s that was silent, from 0 to 1. Sent once a second while it changes.
        public static let silentRatio = Kind(rawValue: "silentRatio")
        /// The last 3 s were music. The number is the probability, from 0 to 1.
        public static let music = Kind(rawValue: "music")
        /// The last 3 s were speech. The number is the probability, from 0 to 1.
        public static let speech = Kind(rawValue: "speech")
        /// The last 3 s were noise. The number is the probability, from 0 to 1.
        public static let noise = Kind(rawValue: "noise")
        /// The audio changed to other content. The number is the confidence, from 0 to 1.
        public static let transition = Kind(rawValue: "transition")
        /// The recognized content differs from the previous match; see ``change``.
        public static let contentChanged = Kind(rawValue: "contentChanged")
        /// Collecting audio for a fingerprint has started.
        public static let fingerprintStarted = Kind(rawValue: "fingerprintStarted")
        /// A lookup in the store has been extended to the service.
        public static let fingerprintUpgraded = Kind(rawValue: "fingerprintUpgraded")
        /// The fingerprint was restarted, because the audio changed or has a gap.
        public static let fingerprintRestarted = Kind(rawValue: "fingerprintRestarted")
        /// The fingerprint is complete. The number is the duration of its audio in milliseconds.
        public static let fingerprintDone = Kind(rawValue: "fingerprintDone")
        /// There was not enough usable audio for a fingerprint. The text says why.
        public static let fingerprintFailed = Kind(rawValue: "fingerprintFailed")
        /// The lookup was submitted.
        public static let queryStarted = Kind(rawValue: "queryStarted")
        /// The search of the fingerprint store has started.
        public static let localLookupStarted = Kind(rawValue: "localLookupStarted")
        /// The search of the fingerprint store ended. The number is its duration in milliseconds; the text is `hit`,
        /// `miss` or `error`.
        public static let localLookupDone = Kind(rawValue: "localLookupDone")
        /// The request to the service has started.
        public static let onlineLookupStarted = Kind(rawValue: "onlineLookupStarted")
        /// The request to the service ended. The number is its duration in milliseconds; the text is `hit`, `miss` or
        /// `error`.
        public static let onlineLookupDone = Kind(rawValue: "onlineLookupDone")
        /// A lookup had matches. The number counts them.
        public static let match = Kind(rawValue: "match")
        /// A lookup had no match. The number counts such lookups in a row.
        public static let noMatch = Kind(rawValue: "noMatch")
        /// The delay between lookups is increased after many lookups without a match. The number is the added delay in
        /// seconds.
        public static let noMatchModeEntered = Kind(rawValue: "noMatchModeEntered")
        /// The delay between lookups was increased further. The number is the added delay in seconds.
        public static let noMatchDelayChanged = Kind(rawValue: "noMatchDelayChanged")
        /// The delay between lookups is normal again.
        public static let noMatchModeLeft = Kind(rawValue: "noMatchModeLeft")
        /// The time of the next automatic lookup. The number is the time until then in seconds; -1, with the text `none`, if there is none.
        public static let nextQueryTime = Kind(rawValue: "nextQueryTime")
        /// A lookup that the app requested was queued.
        public static let manualQueued = Kind(rawValue: "manualQueued")
        /// A bundle is being ingested. The number counts the bytes read so far.
        public static let ingestProgress = Kind(rawValue: "ingestProgress")
        /// The optimization mode changed. The text is the new mode.
        public static let optimizationChanged = Kind(rawValue: "optimizationChanged")
        /// A background operation failed. The number is the number of the error code.
        public static let error = Kind(rawValue: "error")
        /// A debug event; only while debug logging is on.
        public static let debug = Kind(rawValue: "debug")

        /// All kinds that this version reports.
        public static let all: [Kind] = [
            .audioStarted, .audioStopped, .audioGap, .audioLevel, .silent, .audible, .silentRatio, .music, .speech,
            .noise,
            .transition, .contentChanged, .fingerprintStarted, .fingerprintUpgraded, .fingerprintRestarted,
            .fingerprintDone, .fingerprintFailed, .queryStarted, .localLookupStarted, .localLookupDone,
            .onlineLookupStarted, .onlineLookupDone, .match, .noMatch, .noMatchModeEntered, .noMatchDelayChanged,
            .noMatchModeLeft, .nextQueryTime, .manualQueued, .ingestProgress, .optimizationChanged, .error, .debug,
        ]

        /// `true` if the next event of the kind makes this one needless, so that a slow reader may miss it.
        var isLevel: Bool {
            [.audioLevel, .silent, .silentRatio, .music, .speech, .noise, .nextQueryTime, .ingestProgress].contains(
                self
            )
        }
    }
}
