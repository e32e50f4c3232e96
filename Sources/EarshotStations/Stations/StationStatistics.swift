public import Foundation

/// The statistics of a station since it was added.
public struct StationStatistics: Hashable, Sendable {
    /// Seconds of audio that were heard.
    public internal(set) var audio = 0.0
    /// Seconds of a processor that hearing took.
    public internal(set) var processor = 0.0
    /// Plays that ended.
    public internal(set) var plays = 0
    /// The number of times that the source was reopened.
    public internal(set) var reconnects = 0
    /// For how many seconds the last audio waited until it was heard.
    public internal(set) var delay = 0.0
    /// `true` if audio arrives: `false` before the first audio, and once a source has ended, failed, or sent nothing
    /// for four seconds.
    public internal(set) var isLive = false
    /// The date of the last audio before the current break; `nil` without a break.
    public internal(set) var lostSince: Date?
}
