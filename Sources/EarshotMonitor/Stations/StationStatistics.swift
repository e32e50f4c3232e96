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
    /// Whether audio arrives.
    public internal(set) var isLive = false
}
