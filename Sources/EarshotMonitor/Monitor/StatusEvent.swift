public import EarshotCore
public import Foundation

/// A status event of a monitor: a kind, a number, and further values.
///
/// Kinds are open: later versions may add some, so a `switch` over them needs a default branch.
public struct StatusEvent: Sendable {
    /// The kind of event.
    public var kind: Kind
    /// A number whose meaning goes with the kind.
    public var value: Double
    /// A text, whose meaning depends on the kind.
    public var text: String?
    /// The error, for events about a failure.
    public var error: EarshotError?
    /// The lookup that this belongs to.
    public var lookup: Int?
    /// The trigger of the lookup.
    public var trigger: LookupTrigger?
    /// The places that the lookup searches.
    public var lookupKind: LookupKind?
    /// The previous and the new match, for changed content.
    public var change: Change?
    /// The time on the monitor's clock.
    public var time: MediaTime
    /// The wall-clock time.
    public var date: Date

    /// Content that took the place of other content.
    public struct Change: Hashable, Sendable {
        /// The previous match; `nil` if there was none.
        public var old: MonitorMatch?
        /// The new match.
        public var new: MonitorMatch
    }

    /// An event.
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

        /// A kind of a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The first audio after the start. Its text is the format.
        public static let audioStarted = Kind(rawValue: "audioStarted")
        /// The monitor was stopped, or no audio came for 2 s.
        public static let audioStopped = Kind(rawValue: "audioStopped")
        /// Audio is missing: how many milliseconds.
        public static let audioGap = Kind(rawValue: "audioGap")
        /// The level of the last second, in decibels below full scale: -120 to 0. Once a second.
        public static let audioLevel = Kind(rawValue: "audioLevel")
        /// Silence: its level in decibels below full scale. When it begins, then at most once a second.
        public static let silent = Kind(rawValue: "silent")
        /// Silence has ended: the level in decibels below full scale.
        public static let audible = Kind(rawValue: "audible")
        /// The share of the last 10 s that was silent, from 0 to 1; once a second while it changes.
        public static let silentRatio = Kind(rawValue: "silentRatio")
        /// The 3 s just past were music: how sure that is, from 0 to 1.
        public static let music = Kind(rawValue: "music")
        /// The 3 s just past were speech: how sure that is, from 0 to 1.
        public static let speech = Kind(rawValue: "speech")
        /// The 3 s just past were noise: how sure that is, from 0 to 1.
        public static let noise = Kind(rawValue: "noise")
        /// The content changed: how sure that is, from 0 to 1.
        public static let transition = Kind(rawValue: "transition")
        /// Something else was recognized than before.
        public static let contentChanged = Kind(rawValue: "contentChanged")
        /// A fingerprint is begun.
        public static let fingerprintStarted = Kind(rawValue: "fingerprintStarted")
        /// A lookup in the store has been extended to the service.
        public static let fingerprintUpgraded = Kind(rawValue: "fingerprintUpgraded")
        /// The fingerprint is begun anew, because the audio changed or is broken.
        public static let fingerprintRestarted = Kind(rawValue: "fingerprintRestarted")
        /// The fingerprint is complete: milliseconds of audio in it.
        public static let fingerprintDone = Kind(rawValue: "fingerprintDone")
        /// There was not enough audio that can be used. The text says why.
        public static let fingerprintFailed = Kind(rawValue: "fingerprintFailed")
        /// The lookup is submitted.
        public static let queryStarted = Kind(rawValue: "queryStarted")
        /// The fingerprint store is searched.
        public static let localLookupStarted = Kind(rawValue: "localLookupStarted")
        /// The search of the fingerprint store ended. The number is its duration in milliseconds; the text is `hit`,
        /// `miss` or `error`.
        public static let localLookupDone = Kind(rawValue: "localLookupDone")
        /// The service is asked.
        public static let onlineLookupStarted = Kind(rawValue: "onlineLookupStarted")
        /// The request to the service ended. The number is its duration in milliseconds; the text is `hit`, `miss` or
        /// `error`.
        public static let onlineLookupDone = Kind(rawValue: "onlineLookupDone")
        /// Something was found: how many matches.
        public static let match = Kind(rawValue: "match")
        /// A lookup had no match. The number counts such lookups in a row.
        public static let noMatch = Kind(rawValue: "noMatch")
        /// The delay between lookups is increased after many lookups without a match. The number is the added delay in
        /// seconds.
        public static let noMatchModeEntered = Kind(rawValue: "noMatchModeEntered")
        /// Lookups are spaced out further: by how many seconds.
        public static let noMatchDelayChanged = Kind(rawValue: "noMatchDelayChanged")
        /// Lookups are no longer spaced out.
        public static let noMatchModeLeft = Kind(rawValue: "noMatchModeLeft")
        /// The next lookup that begins by itself: in how many seconds. The text is `none`, and the number -1, when none does.
        public static let nextQueryTime = Kind(rawValue: "nextQueryTime")
        /// A request for a lookup was taken note of.
        public static let manualQueued = Kind(rawValue: "manualQueued")
        /// A bundle is read: how many bytes of it have been.
        public static let ingestProgress = Kind(rawValue: "ingestProgress")
        /// The optimization mode changed. The text is the new mode.
        public static let optimizationChanged = Kind(rawValue: "optimizationChanged")
        /// Something failed that nobody waits for: the number is that of its code.
        public static let error = Kind(rawValue: "error")
        /// A debug event; only while debug logging is on.
        public static let debug = Kind(rawValue: "debug")

        /// All that this version says.
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
