public import Foundation

/// The statistics of a station since it was added.
public struct StationStatistics: Hashable, Sendable {
    /// The duration of processed audio, in seconds.
    public internal(set) var audio = 0.0
    /// The processor time of processing, in seconds.
    public internal(set) var processor = 0.0
    /// The number of plays that ended.
    public internal(set) var plays = 0
    /// The number of times that the source was reopened.
    public internal(set) var reconnects = 0
    /// The time from the arrival of the last audio to the end of its processing, in seconds.
    public internal(set) var delay = 0.0
    /// `true` if audio arrives: `false` before the first audio, and after a source has ended, failed, or sent nothing
    /// for 4 s or, with audio ahead of real time, longer.
    public internal(set) var isLive = false
    /// The date of the last audio before the current break; `nil` without a break.
    public internal(set) var lostSince: Date?
}
