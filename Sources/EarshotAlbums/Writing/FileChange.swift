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

    /// Gives where the file is now; nothing when there was nothing to do.
    func carryOut() throws(EarshotError) -> String? {
        let path = try StagedTags.resolved(change.file)
        let target = try self.target(of: path)
        let staged = try StagedTags.prepare(
            change.file,
            edit: change.edit,
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
            // Whatever was done of it goes; the first error is the one to tell.
            if !isReplaced {
                try? journal.markUndone(recorded.number)
            } else if let entry = journal.contents.entries.last, entry.change == recorded {
                try? journal.undo(entry)
            }
            throw error
        }
        if target == nil { return change.file.path }
        writer.observe(.moved)
        removeEmptied(StagedFile.folder(of: path))
        return recorded.newPath
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
                mode: UInt32(status.st_mode) & 0o7777,
                time: FileTime(status),
                deltaSize: deltaSize,
                oldPath: path,
                newPath: target,
                folders: folders
            )
        }
    }

    // MARK: - Names

    /// The name that the file is to get; nothing when it is to keep its own.
    private func target(of path: String) throws(EarshotError) -> String? {
        guard let destination = change.destination else { return nil }
        var status = stat()
        guard lstat(change.file.path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
            throw EarshotError(
                .writeFailed,
                "\(change.file.path) is a link and is not renamed: name the file that it leads to."
            )
        }
        let wanted = Self.whole(destination.path)
        let folder = StagedFile.folder(of: wanted)
        let name = FileName((wanted as NSString).lastPathComponent)
        for number in 1...9_999 {
            let candidate = folder + "/" + name.numbered(number)
            if candidate == path { return nil }
            if try isFree(candidate, for: path) { return candidate }
        }
        throw AtomicFile.exists(destination)
    }

    /// Whether a name is free; a file may also change the case of its own.
    private func isFree(_ candidate: String, for path: String) throws(EarshotError) -> Bool {
        var (there, here) = (stat(), stat())
        guard lstat(candidate, &there) == 0 else { return true }
        guard lstat(path, &here) == 0 else { return false }
        return there.st_ino == here.st_ino && there.st_dev == here.st_dev && here.st_nlink == 1
    }

    /// A path as the journal keeps it: from the root on, with the links in those of its folders that are there followed, so
    /// that it is compared with a file's own.
    private static func whole(_ path: String) -> String {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        var (existing, rest) = (StagedFile.folder(of: path), [(path as NSString).lastPathComponent])
        while existing != "/" {
            if let real = realpath(existing, nil) {
                defer { free(real) }
                return ([String(cString: real)] + rest.reversed()).joined(separator: "/")
            }
            rest.append((existing as NSString).lastPathComponent)
            existing = StagedFile.folder(of: existing)
        }
        return path
    }

    // MARK: - Moving

    private func move(_ recorded: JournalChange) throws(EarshotError) {
        for folder in recorded.folders where mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw RawFile.writeFailure(errno, folder)
        }
        for folder in recorded.folders { RawFile.synchronise(folder: StagedFile.folder(of: folder)) }
        if try StagedFile.move(recorded.oldPath, to: recorded.newPath) { return }
        // On another file system: a copy first.
        let source = try RawFile(reading: recorded.oldPath)
        let staged = try StagedFile(in: StagedFile.folder(of: recorded.newPath), for: recorded.newPath)
        let digest = try staged.copy(source, cancellation: cancellation)
        guard digest == recorded.new, try FileDigest(of: staged.file) == recorded.new else {
            throw EarshotError(.fileChanged, "\(recorded.oldPath) was changed while it was moved: try again.")
        }
        try staged.takeAttributes(of: source)
        staged.setModificationTime(FileTime(try source.status()))
        try staged.file.synchronise()
        try staged.take(recorded.newPath)
        guard unlink(recorded.oldPath) == 0 else { throw RawFile.writeFailure(errno, recorded.oldPath) }
        RawFile.synchronise(folder: StagedFile.folder(of: recorded.oldPath))
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
            RawFile.synchronise(folder: folder)
        }
    }
}
