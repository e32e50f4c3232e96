public import EarshotCore
import EarshotMedia

extension TagJournal {
    /// What became of undoing one change.
    public struct UndoOutcome: Sendable {
        /// The change.
        public let change: Change
        /// Nothing when the file is again as it was; the error when it was left as it is: `fileChanged` when somebody has
        /// changed it since, `assetNotFound` when it is gone, `destinationExists` when another file has its old name,
        /// `storeDamaged` when the journal has lost it, `writeFailed`, `cancelled`.
        public let error: EarshotError?
    }

    /// Undoes everything that has not been undone, the last change first: every file gets its old bytes, its old name, its
    /// rights and the time at which it was changed.
    ///
    /// A file that cannot be undone holds no other up. Interrupted, by a lost process too, it can be begun again, and goes on
    /// where it was. What is undone already is left alone.
    ///
    /// - Parameter progress: Told before each change how many are done and how many there are. Called on a thread of the
    ///   journal.
    /// - Returns: What became of each change, in the order of undoing.
    public func undo(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> [UndoOutcome] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            undoBlocking(cancellation: cancellation, progress: progress)
        }
        // The work throws nothing.
        return (try? result.get()) ?? []
    }

    /// The same as ``undo(progress:)``, on the journal's queue.
    func undoBlocking(
        cancellation: Cancellation = .init(),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        observe: (Restoration.Step) -> Void = { _ in }
    ) -> [UndoOutcome] {
        let entries = contents.entries.filter { !$0.isUndone }.reversed()
        var cleaned: Set<String> = []
        var outcomes: [UndoOutcome] = []
        for (done, entry) in entries.enumerated() {
            progress(done, entries.count)
            do throws(EarshotError) {
                if cancellation.isCancelled { throw EarshotError(.cancelled, "Undoing was cancelled.") }
                let folder = StagedFile.folder(of: entry.change.oldPath)
                if cleaned.insert(folder).inserted { StagedFile.removeLeftovers(in: folder) }
                try undo(entry, observe: observe)
                outcomes.append(UndoOutcome(change: Change(entry), error: nil))
            } catch {
                outcomes.append(UndoOutcome(change: Change(entry), error: error))
            }
        }
        progress(entries.count, entries.count)
        return outcomes
    }

    /// Undoes one change and writes that down.
    func undo(_ entry: JournalContents.Entry, observe: (Restoration.Step) -> Void = { _ in }) throws(EarshotError) {
        try Restoration(self, entry).carryOut(observe)
        try markUndone(entry.change.number)
        observe(.noted)
    }
}
