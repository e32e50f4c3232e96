public import EarshotBroadcast
public import EarshotClassification
public import EarshotCore
public import EarshotMusic

/// Something that a monitor tells of its stations, for people to look at. The log is what counts.
public struct StationEvent: Sendable {
    /// The event.
    public enum Content: Sendable {
        /// The source is being opened.
        case connecting
        /// Audio arrives.
        case live
        /// The source ended or failed; it is opened again after this many seconds.
        case lost(EarshotError?, retryAfter: Double)
        /// The source is open and has sent nothing for this many seconds. ``live`` follows when audio arrives again.
        case silent(seconds: Double)
        /// The station is over, or was removed; with the error that ended it, if one did.
        case ended(EarshotError?)
        /// Something began to play.
        case playStarted(PlayRecord)
        /// A play is over.
        case playEnded(PlayRecord)
        /// The level of the last second, in dBFS.
        case level(Double)
        /// The kind of audio now; sent when it changes.
        case kind(AudioKind)
        /// A part of tracking failed: the error. Tracking continues.
        case failed(EarshotError)
        /// The log or the snapshots could not be written. What waits is kept and tried again; `waiting` records do.
        case writeFailed(EarshotError, waiting: Int)
        /// The log could not be written for so long that records were dropped: their number.
        case recordsLost(Int)
    }

    /// The station; `nil` for events of all stations.
    public let channel: EntityID<BroadcastChannel>?
    /// The event.
    public let content: Content
}
