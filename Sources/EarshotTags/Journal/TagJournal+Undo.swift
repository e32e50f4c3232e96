public import EarshotCore
import EarshotMedia

extension TagJournal {
    /// The outcome of undoing one change.
    public struct UndoOutcome: Sendable {
        /// The change that was to be undone.
        public let change: Change
        /// `nil` if the file was restored; otherwise the error: `fileChanged` if another program has changed it since,
        /// `assetNotFound` if it no longer exists, `destinationExists` if another file has its old name, `storeDamaged`
        /// if the journal has lost it, `fileAccessDenied` if it is outside the journal's root, `writeFailed`,
        /// `cancelled`.
        public let error: EarshotError?
    }

    /// Undoes all changes that are still open, the last one first. Every file gets its old contents, name, permissions
    /// and modification time, and its old owner and group if the system allows it.
    ///
    /// A file that cannot be restored does not stop the others. An interrupted undo, also after a crash, can be called
    /// again and resumes. Changes that are already undone are skipped.
    ///
    /// - Parameters:
    ///   - leavesRoot: `true` to restore files outside ``root`` too, to which links in it may lead. Only for journals
    ///     that you have written yourself: a foreign journal could name any file.
    ///   - progress: Called before each change and at the end, with the number of completed changes and of all. Called
    ///     on a thread of the journal.
    /// - Returns: The outcome of each change, in the order of undoing.
    public func undo(
        leavingRoot leavesRoot: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> [UndoOutcome] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            undoBlocking(leavingRoot: leavesRoot, cancellation: cancellation, progress: progress)
        }
        // The work throws nothing.
        return (try? result.get()) ?? []
    }

    /// Marks changes so that ``undo(leavingRoot:progress:)`` does not try to undo them again. The files stay as they
    /// are.
    ///
    /// - Parameter changes: Changes of this journal. Changes that were undone stay undone.
    /// - Throws: `writeFailed` if the journal cannot be written.
    public func abandon(_ changes: [Change]) async throws(EarshotError) {
        let numbers = Set(changes.map { UInt64($0.number) })
        let result = await BlockingWork.run(on: queue, cancelling: Cancellation()) { [self] () throws(EarshotError) in
            for entry in contents.entries where entry.isOpen && numbers.contains(entry.change.number) {
                try markAbandoned(entry.change.number)
            }
        }
        try result.get()
    }

    /// The same as ``undo(leavingRoot:progress:)``, on the journal's queue.
    func undoBlocking(
        leavingRoot leavesRoot: Bool = false,
        cancellation: Cancellation = .init(),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        observe: (Restoration.Step) -> Void = { _ in }
    ) -> [UndoOutcome] {
        let entries = contents.entries.filter(\.isOpen).reversed()
        let folders = MadeFolders(contents.entries.map(\.change), inside: leavesRoot ? nil : contents.root)
        var cleaned: Set<String> = []
        var outcomes: [UndoOutcome] = []
        for (done, entry) in entries.enumerated() {
            progress(done, entries.count)
            do throws(EarshotError) {
                if cancellation.isCancelled { throw EarshotError(.cancelled, "Undoing was canceled.") }
                if let root = contents.root, !leavesRoot, !entry.change.isInside(root) {
                    throw outside(entry.change, root)
                }
                // A move between file systems leaves its half in the folder of the new name.
                for path in [entry.change.oldPath, entry.change.newPath] {
                    let folder = StagedFile.folder(of: path)
                    if cleaned.insert(folder).inserted { StagedFile.removeLeftovers(in: folder) }
                }
                try undo(entry, folders, observe: observe)
                outcomes.append(UndoOutcome(change: Change(entry), error: nil))
            } catch {
                outcomes.append(UndoOutcome(change: Change(entry), error: error))
            }
        }
        progress(entries.count, entries.count)
        return outcomes
    }

    private func outside(_ change: JournalChange, _ root: String) -> EarshotError {
        EarshotError(
            .fileAccessDenied,
            "\(change.newPath) is left as it is because it lies outside of \(root), which the journal is of: undo it from the journals of "
                + "your own, or by hand."
        )
    }

    /// Undoes one change and writes that down.
    func undo(
        _ entry: JournalContents.Entry,
        _ folders: MadeFolders,
        observe: (Restoration.Step) -> Void = { _ in }
    ) throws(EarshotError) {
        try Restoration(self, entry, folders: folders).carryOut(observe)
        try markUndone(entry.change.number)
        observe(.noted)
    }
}
