import EarshotCore
import EarshotMedia
import Foundation

/// The undoing of one change.
///
/// A process may have been lost at any step of the change or of an earlier undoing. So what is to be done follows from what
/// lies under the two names, told by digest: the old file, the new one, nothing, or something else.
struct Restoration {
    /// How far the undoing of one file has come. Tests look at the disk between the steps.
    enum Step: String, CaseIterable, Sendable {
        case staged, restored, removed, noted
    }

    private let journal: TagJournal
    private let entry: JournalContents.Entry
    private var change: JournalChange { entry.change }

    init(_ journal: TagJournal, _ entry: JournalContents.Entry) {
        (self.journal, self.entry) = (journal, entry)
    }

    func carryOut(_ observe: (Step) -> Void) throws(EarshotError) {
        let atOld = try digest(change.oldPath)
        let atNew = change.isMove ? try digest(change.newPath) : nil
        if atOld != change.old {
            guard atOld == nil || atOld == change.new else { throw occupied() }
            guard let source = atNew == change.new ? change.newPath : atOld == change.new ? change.oldPath : nil else {
                throw atOld == nil && atNew == nil ? gone() : changed(change.newPath)
            }
            try restore(from: source, replacing: atOld != nil, observe)
            observe(.restored)
        }
        guard change.isMove else { return }
        // Only what this change put there: the digest says so.
        if try digest(change.newPath) == change.new {
            unlink(change.newPath)
            RawFile.synchronise(folder: StagedFile.folder(of: change.newPath))
        }
        // Emptied or not: the system removes only empty ones.
        for folder in change.folders.reversed() where rmdir(folder) == 0 {
            RawFile.synchronise(folder: StagedFile.folder(of: folder))
        }
        observe(.removed)
    }

    /// Puts the old file in its old place.
    private func restore(
        from source: String,
        replacing: Bool,
        _ observe: (Step) -> Void
    ) throws(EarshotError) {
        let folder = StagedFile.folder(of: change.oldPath)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder) cannot be made again: check what stands in its place.",
                cause: error
            )
        }
        if change.keepsBytes, try StagedFile.move(source, to: change.oldPath) { return }
        let new = try RawFile(reading: source)
        let staged = try StagedFile(in: folder, for: change.oldPath)
        var maker = FileDigest.Maker()
        if change.keepsBytes {
            _ = try staged.copy(new, cancellation: Cancellation())
            maker = FileDigest.Maker()
            try staged.file.forEachPiece { piece, _ in maker.update(piece) }
        } else {
            guard entry.isWhole else { throw lost() }
            var place = 0
            try journal.restore(entry.delta, from: new, size: change.old.size) { bytes throws(EarshotError) in
                maker.update(bytes)
                try staged.file.write(bytes, at: place)
                place += bytes.count
            }
        }
        guard maker.digest == change.old else { throw lost() }
        try staged.takeAttributes(of: new)
        fchmod(staged.file.descriptor, mode_t(change.mode))
        staged.setModificationTime(change.time)
        try staged.file.synchronise()
        observe(.staged)
        if replacing {
            try staged.replace(change.oldPath)
        } else {
            try staged.take(change.oldPath)
        }
    }

    /// The digest of a file; nothing where there is none. A link is no file that a change could have left.
    private func digest(_ path: String) throws(EarshotError) -> FileDigest? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else { throw changed(path) }
        return try FileDigest.ifThere(path)
    }

    // MARK: - Errors

    private func changed(_ path: String) -> EarshotError {
        EarshotError(
            .fileChanged,
            "\(path) is left as it is because it was changed after its tags were written: restore it by hand if it is "
                + "to be as before."
        )
    }

    private func occupied() -> EarshotError {
        guard change.isMove else { return changed(change.oldPath) }
        return EarshotError(
            .destinationExists,
            "\(change.newPath) is left as it is because another file has its old name, \(change.oldPath): rename that one."
        )
    }

    private func gone() -> EarshotError {
        let places = change.isMove ? "\(change.newPath) nor at \(change.oldPath)" : change.newPath
        return EarshotError(
            .assetNotFound,
            "There is no file at \(places), so that nothing can be undone: bring it back."
        )
    }

    private func lost() -> EarshotError {
        EarshotError(
            .storeDamaged,
            "The journal \(journal.url.path) has lost the old bytes of \(change.newPath), which is left as it is: restore "
                + "it from a backup."
        )
    }
}
