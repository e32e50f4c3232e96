/// A line of a log about a run over a library: when it begins, how many items there are, what came of it, and how long it took.
///
/// Whoever has a log of their own takes the entries of ``LibraryAnalysis/Event/logEntries`` and `FolderScanEvent.logEntries`: of
/// every run there are four.
public enum RunLogEntry: Hashable, Sendable, CustomStringConvertible {
    /// A run begins: what it does.
    case started(String)
    /// So many items are there.
    case counted(Int)
    /// What came of it, in words.
    case result(String)
    /// It is over: how many seconds it took.
    case elapsed(Double)

    /// The line, for example `740 items`.
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
    /// What a log says of this: two entries at the begin of a run, two at its end, none in between.
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
