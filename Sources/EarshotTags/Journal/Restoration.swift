import EarshotCore
import EarshotMedia
import Foundation

/// The undoing of one change.
///
/// A process may have been lost at any step of the change or of an earlier undoing. So what is to be done follows from what
/// lies under the two names, told by digest: the old file, the new one, nothing, or something else.
///
/// A digest takes as long as the file is large, and somebody may write to it in between: what is replaced or removed is looked
/// at once more right before.
struct Restoration {
    /// The steps of undoing the change of one file. Tests look at the disk between them.
    enum Step: String, CaseIterable, Sendable {
        case staged, restored, removed, noted
    }

    /// The file under a name: its digest and its identity.
    private struct FileState {
        let path: String
        let digest: FileDigest
        let identity: FileIdentity
    }

    private let journal: TagJournal
    private let entry: JournalContents.Entry
    /// The folders that the changes of the journal made.
    private let folders: MadeFolders
    private var change: JournalChange { entry.change }

    init(_ journal: TagJournal, _ entry: JournalContents.Entry, folders: MadeFolders) {
        (self.journal, self.entry, self.folders) = (journal, entry, folders)
    }

    func carryOut(_ observe: (Step) -> Void) throws(EarshotError) {
        let atOld = try look(change.oldPath)
        let atNew = change.isMove ? try look(change.newPath) : nil
        if let atOld, let atNew, atOld.identity.isSameFile(as: atNew.identity) {
            try respell(atNew, observe)
        } else {
            try restore(atOld, atNew, observe)
        }
        guard change.isMove else { return }
        folders.removeEmptied(above: change.newPath)
        observe(.removed)
    }

    private func restore(_ atOld: FileState?, _ atNew: FileState?, _ observe: (Step) -> Void) throws(EarshotError) {
        if atOld?.digest != change.old {
            guard atOld == nil || atOld?.digest == change.new else { throw occupied() }
            guard let source = atNew?.digest == change.new ? atNew : atOld else {
                throw atNew == nil ? gone() : changed(change.newPath)
            }
            try make(from: source, replacing: atOld, observe)
            observe(.restored)
        }
        // Only what this change put there: the digest says so.
        guard let atNew, atNew.digest == change.new, let left = try FileIdentity.of(atNew.path) else { return }
        guard left == atNew.identity else { throw changed(atNew.path) }
        try RawFile.remove(atNew.path)
    }

    /// Gives one file that has both names its old one: the file system folds case, or somebody has made a hard link. To remove
    /// one of the names could be to remove the only file.
    private func respell(_ found: FileState, _ observe: (Step) -> Void) throws(EarshotError) {
        guard found.digest == change.old || found.digest == change.new else { throw changed(change.newPath) }
        try check(found)
        try StagedFile.spell(change.newPath, as: change.oldPath)
        if found.digest != change.old {
            // Of the file itself the name alone may have changed.
            guard let here = try look(change.oldPath), here.digest == found.digest else {
                throw changed(change.oldPath)
            }
            try make(from: here, replacing: here, observe)
        }
        observe(.restored)
    }

    /// Puts the old file in its old place.
    private func make(from source: FileState, replacing: FileState?, _ observe: (Step) -> Void) throws(EarshotError) {
        let folder = StagedFile.folder(of: change.oldPath)
        try Durability.makeFolders(folder)
        if change.keepsBytes {
            try check(source)
            if try StagedFile.move(source.path, to: change.oldPath) { return }
        }
        let new = try RawFile(reading: source.path)
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
        // Whoever could not keep the owner when the tags were written can hardly bring them back.
        if !staged.give(to: change.owner, change.group) { staged.give(to: uid_t.max, change.group) }
        // Marks such as set-user-id are those that the file has now.
        fchmod(staged.file.descriptor, mode_t(change.mode) | (try new.status().st_mode & 0o7000))
        staged.setModificationTime(change.time)
        try staged.file.synchronize()
        observe(.staged)
        if let replacing {
            try check(replacing)
            try staged.replace(change.oldPath)
        } else {
            try staged.take(change.oldPath)
        }
    }

    /// The file of a name; `nil` if there is none. A link is no file that a change could have left.
    private func look(_ path: String) throws(EarshotError) -> FileState? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw RawFile.readFailure(errno, path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw changed(path) }
        let file = try RawFile(reading: path)
        let identity = FileIdentity(try file.status())
        let found = FileState(path: path, digest: try FileDigest(of: file), identity: identity)
        try check(found)
        return found
    }

    /// Makes sure that a file is still the one that was looked at.
    private func check(_ found: FileState) throws(EarshotError) {
        guard try FileIdentity.of(found.path) == found.identity else { throw changed(found.path) }
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
