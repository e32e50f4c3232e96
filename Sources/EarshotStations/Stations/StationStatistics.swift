public import Foundation

/// What following a station has come to since it was added.
public struct StationStatistics: Hashable, Sendable {
    /// Seconds of audio that were heard.
    public internal(set) var audio = 0.0
    /// Seconds of a processor that hearing took.
    public internal(set) var processor = 0.0
    /// Plays that ended.
    public internal(set) var plays = 0
    /// How often the source was opened again.
    public internal(set) var reconnects = 0
    /// For how many seconds the last audio waited until it was heard.
    public internal(set) var delay = 0.0
    /// `true` if audio arrives: `false` before the first, and once a source has ended, failed, or sent nothing for four
    /// seconds.
    public internal(set) var isLive = false
    /// The date of the last audio before the break that goes on; `nil` while there is no break.
    public internal(set) var lostSince: Date?
}
