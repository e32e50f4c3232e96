/// A log entry of a run over a library: its beginning, the number of items, the results, and the duration.
///
/// To write them to a log, use ``LibraryAnalysis/Event/logEntries`` and `FolderScanEvent.logEntries`: of
/// every run there are four.
public enum RunLogEntry: Hashable, Sendable, CustomStringConvertible {
    /// A run begins. The text names its task.
    case started(String)
    /// The number of items of the run.
    case counted(Int)
    /// The results as text.
    case result(String)
    /// The run is over. The number is its duration in seconds.
    case elapsed(Double)

    /// The entry as one line of text, for example `740 items`.
    public var description: String {
        switch self {
        case .started(let what): "\(what) begins"
        case .counted(let count): "\(count) items"
        case .result(let words): words
        case .elapsed(let seconds):
            // Thousandths: what takes less is of no interest.
            "took \((seconds * 1_000).rounded() / 1_000) s"
        }
    }
}

extension LibraryAnalysis.Event {
    /// The log entries of this event: two at the beginning of a run, two at its end, none between them.
    public var logEntries: [RunLogEntry] {
        switch self {
        case .began(let items): [.started("analysis"), .counted(items)]
        case .finished: []
        case .ended(let summary):
            [
                .result(
                    "\(summary.analyzed) analyzed, \(summary.unchanged) known already, \(summary.failed) failed"
                ),
                .elapsed(summary.seconds),
            ]
        }
    }
}
