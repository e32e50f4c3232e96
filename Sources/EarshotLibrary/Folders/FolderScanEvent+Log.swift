public import EarshotAnalysis

extension FolderScanEvent {
    /// The log entries of this event: two after the folder was walked, two at the end, none between them.
    public var logEntries: [RunLogEntry] {
        switch self {
        case .listed(let files, _): [.started("scan"), .counted(files)]
        case .progressed, .changed, .failed: []
        case .ended(let summary):
            [
                .result(
                    "\(summary.read) read, \(summary.added) added, \(summary.changed) changed, \(summary.moved) moved, "
                        + "\(summary.removed) removed, \(summary.failed) failed"
                ),
                .elapsed(summary.seconds),
            ]
        }
    }
}
