public import EarshotBroadcast
public import EarshotClassification

extension StationTracker {
    /// An output of the tracker: a record to write, or an event to show.
    public enum Output: Hashable, Sendable {
        /// A record is to be put into the log.
        case record(PlayRecord)
        /// A provisional record is to be withdrawn from the log.
        case withdrawal(PlayRecord)
        /// A gap is to be put into the log.
        case gap(StreamGap)
        /// A play has started.
        case playStarted(PlayRecord)
        /// A play has ended.
        case playEnded(PlayRecord)
        /// The stream was interrupted.
        case streamLost(StreamGap)
        /// The stream has returned.
        case streamBack(StreamGap)
        /// The level of the last second, in dBFS.
        case level(Double)
        /// The kind of the last three seconds of audio.
        case kind(AudioKind)
    }
}
