public import EarshotBroadcast
public import EarshotClassification
public import EarshotCore
public import EarshotMusic

/// An event of a monitor or one of its stations, for display. The log is authoritative.
public struct StationEvent: Sendable {
    /// The content of an event.
    public enum Content: Sendable {
        /// The source is being opened.
        case connecting
        /// Audio arrives.
        case live
        /// The source ended or failed. It is opened again after this many seconds.
        case lost(EarshotError?, retryAfter: Double)
        /// The source is open but has sent nothing for this many seconds. ``live`` follows when audio arrives again.
        case silent(seconds: Double)
        /// The station has ended or was removed. The error that ended it; `nil` if none did.
        case ended(EarshotError?)
        /// A play has started.
        case playStarted(PlayRecord)
        /// A play has ended.
        case playEnded(PlayRecord)
        /// The level of the last second, in dBFS.
        case level(Double)
        /// The kind of audio; sent when it changes.
        case kind(AudioKind)
        /// A part of tracking failed with this error. Tracking continues.
        case failed(EarshotError)
        /// The log or the saved states could not be written. `waiting` records are kept and written later.
        case writeFailed(EarshotError, waiting: Int)
        /// The log could not be written for so long that this number of records was dropped.
        case recordsLost(Int)
    }

    /// The station; `nil` for an event of the monitor.
    public let channel: EntityID<BroadcastChannel>?
    /// The content of the event.
    public let content: Content
}
