import EarshotCore
import EarshotMedia
import Foundation

/// The carrying out of one planned change.
///
/// First the new file is made and checked beside the old one, then the journal learns of it, then the new file takes the
/// place of the old one, and only then the name changes. So there are never two files, and the journal tells every state from
/// the others.
struct FileChange {
    private let change: TagWriter.Change
    private let writer: TagWriter
    private let cancellation: Cancellation
    private var journal: TagJournal { writer.journal }

    init(_ change: TagWriter.Change, _ writer: TagWriter, _ cancellation: Cancellation) {
        (self.change, self.writer, self.cancellation) = (change, writer, cancellation)
    }

    /// Gives where the file is now; `nil` if there was nothing to do.
    func carryOut() throws(EarshotError) -> String? {
        let path = try StagedTags.resolved(change.file)
        let target = try self.target(of: path)
        let staged = try StagedTags.prepare(
            change.file,
            edit: change.edit,
            expected: change.state,
            options: writer.options,
            cancellation: cancellation,
            observe: writer.observe
        )
        guard staged != nil || target != nil else { return nil }
        let recorded = try record(staged, path, target ?? path)
        writer.observe(.recorded)
        var isReplaced = staged == nil
        do throws(EarshotError) {
            try staged?.commit()
            isReplaced = true
            writer.observe(.replaced)
            if target != nil { try move(recorded) }
        } catch {
            throw takenBack(recorded, isReplaced, after: error)
        }
        if target == nil { return change.file.path }
        writer.observe(.moved)
        removeEmptied(StagedFile.folder(of: path))
        return recorded.newPath
    }

    /// Takes back whatever was done of a change; gives the error to tell, which is the first, and where the file is if it could not
    /// be taken back.
    private func takenBack(
        _ recorded: JournalChange,
        _ isReplaced: Bool,
        after error: EarshotError
    ) -> EarshotError {
        guard isReplaced, let entry = journal.contents.entries.last, entry.change == recorded else {
            // Nothing has happened. Undoing finds that, too, where it cannot be written down.
            try? journal.markUndone(recorded.number)
            return error
        }
        do throws(EarshotError) {
            try journal.undo(entry, MadeFolders([entry.change], inside: nil))
            return error
        } catch let second {
            // A place that the system does not let be looked at may be it.
            let places = Set<String>([recorded.oldPath, recorded.newPath]).sorted().filter {
                access($0, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
            }
            return EarshotError(
                error.code,
                "\(error.message) Taking that back failed too: \(second.message) The file is now at "
                    + "\(places.joined(separator: " and at ")): undo it with the journal \(journal.url.path) once the reason is gone.",
                cause: error
            )
        }
    }

    private func record(
        _ staged: StagedTags?,
        _ path: String,
        _ target: String
    ) throws(EarshotError) -> JournalChange {
        let old: RawFile
        if let staged { old = staged.old } else { old = try RawFile(reading: path) }
        let status = try old.status()
        let oldDigest: FileDigest
        if let staged { oldDigest = staged.oldDigest } else { oldDigest = try FileDigest(of: old) }
        let folders = Self.missingFolders(of: target)
        return try journal.append(staged.map { ($0.old, $0.staged.file) }, old: oldDigest) { number, deltaSize in
            JournalChange(
                number: number,
                milliseconds: TagJournal.now(),
                old: oldDigest,
                new: staged?.newDigest ?? oldDigest,
                mode: UInt32(status.st_mode) & JournalChange.mostMode,
                owner: status.st_uid,
                group: status.st_gid,
                time: FileTime(status),
                deltaSize: deltaSize,
                oldPath: path,
                newPath: target,
                folders: folders
            )
        }
    }

    // MARK: - Names

    /// The name that the file is to get; `nil` if it is to keep its own.
    private func target(of path: String) throws(EarshotError) -> String? {
        guard let destination = change.destination else { return nil }
        var status = stat()
        guard lstat(change.file.path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
            throw EarshotError(
                .writeFailed,
                "\(change.file.path) is a link and is not renamed: name the file that it leads to."
            )
        }
        let wanted = WholePath.of(destination.path)
        let folder = StagedFile.folder(of: wanted)
        let name = FileName((wanted as NSString).lastPathComponent)
        for number in 1...(change.isDestinationFixed ? 1 : 9_999) {
            let candidate = folder + "/" + name.numbered(number)
            if candidate == path { return nil }
            if try isFree(candidate, for: path) { return candidate }
        }
        throw AtomicFile.exists(destination)
    }

    /// Returns `true` if a name is free; a file may also change the case of its own.
    private func isFree(_ candidate: String, for path: String) throws(EarshotError) -> Bool {
        var (there, here) = (stat(), stat())
        guard lstat(candidate, &there) == 0 else { return true }
        guard lstat(path, &here) == 0 else { return false }
        return there.st_ino == here.st_ino && there.st_dev == here.st_dev && here.st_nlink == 1
    }

    // MARK: - Moving

    private func move(_ recorded: JournalChange) throws(EarshotError) {
        let folder = StagedFile.folder(of: recorded.newPath)
        try Durability.makeFolders(folder)
        if try StagedFile.move(recorded.oldPath, to: recorded.newPath) { return }
        // On another file system: a copy first.
        let source = try RawFile(reading: recorded.oldPath)
        let status = try source.status()
        let staged = try StagedFile(in: folder, for: recorded.newPath)
        let digest = try staged.copy(source, cancellation: cancellation)
        guard digest == recorded.new, try FileDigest(of: staged.file) == recorded.new else {
            throw changedMeanwhile(recorded.oldPath)
        }
        try staged.takeAttributes(of: source)
        staged.setModificationTime(FileTime(status))
        try staged.file.synchronize()
        try staged.take(recorded.newPath)
        // What somebody writes from now on to the old name is theirs.
        guard try FileIdentity.of(recorded.oldPath) == FileIdentity(status) else {
            throw changedMeanwhile(recorded.oldPath)
        }
        try RawFile.remove(recorded.oldPath)
    }

    private func changedMeanwhile(_ path: String) -> EarshotError {
        EarshotError(.fileChanged, "\(path) was changed while it was moved: try again.")
    }

    /// The folders of a path that are not there, outermost first.
    private static func missingFolders(of path: String) -> [String] {
        var missing: [String] = []
        var folder = StagedFile.folder(of: path)
        while folder != "/", access(folder, F_OK) != 0 {
            missing.append(folder)
            folder = StagedFile.folder(of: folder)
        }
        return missing.reversed()
    }

    /// Removes the folder that the file left, and those around it, where they hold nothing any more.
    private func removeEmptied(_ folder: String) {
        guard let root = writer.root, let real = try? StagedTags.resolved(root) else { return }
        var folder = folder
        // The system refuses to remove a folder with anything in it, and the first one that stays ends it.
        while folder.hasPrefix(real + "/"), rmdir(folder) == 0 {
            folder = StagedFile.folder(of: folder)
            Durability.flush(folder: folder)
        }
    }
}
