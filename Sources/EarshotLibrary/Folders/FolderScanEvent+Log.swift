public import EarshotAnalysis

extension FolderScanEvent {
    /// What a log says of this: two entries once the folder was looked through, two at the end, none in between.
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
