import CFiles
package import EarshotCore
package import Foundation

/// A hidden temporary file that is renamed to its destination in one step, in place of an existing file or not.
///
/// Its name begins with `.earshot-` and ends in `.partial`, and the writer holds a lock on it while the process lives.
/// So the files of a killed process can be distinguished from those being written, and ``removeLeftovers(in:)`` removes
/// them.
package final class StagedFile {
    private static let prefix = ".earshot-"
    private static let suffix = ".tags.partial"

    package let file: RawFile
    private var isNamed = false

    package var url: URL { URL(fileURLWithPath: file.path) }

    /// Creates an empty temporary file in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the destination.
    ///   - name: The name of the file in error messages.
    ///   - mode: The permissions, less the process's mask.
    /// - Throws: `writeFailed` if the folder is missing or may not be written.
    package init(in folder: String, for name: String, mode: mode_t = 0o600) throws(EarshotError) {
        while true {
            let path = folder + "/" + Self.prefix + UUID().uuidString + Self.suffix
            let file = try RawFile(writing: path, as: name, flags: O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            flock(file.descriptor, LOCK_EX)
            // Between the two steps somebody may have taken it for a leftover.
            if try file.status().st_nlink > 0 {
                self.file = file
                return
            }
        }
    }

    deinit {
        if !isNamed { unlink(file.path) }
    }

    /// Copies the contents of a file, and returns the digest of the copied bytes.
    ///
    /// - Throws: `cancelled`, and the errors of reading and writing.
    package func copy(_ source: RawFile, cancellation: Cancellation) throws(EarshotError) -> FileDigest {
        var digest = FileDigest.Maker()
        try source.forEachPiece { (piece, offset) throws(EarshotError) in
            if cancellation.isCancelled { throw Demuxer.cancelled(source.path) }
            digest.update(piece)
            try file.write(piece, at: offset)
        }
        return digest.digest
    }

    /// Copies the owner, group, permissions and extended attributes of a file.
    ///
    /// Only root can keep a foreign owner, and only members of a group can keep the group. Otherwise the file belongs
    /// to the user. If the group has permissions that others do not have, its loss would silently open or close the
    /// file to people, so that is an error.
    ///
    /// - Parameter source: The file to copy from. Attributes that may not be copied stay as for a new file.
    /// - Throws: `writeFailed` if its group has permissions of its own and cannot be kept.
    package func takeAttributes(of source: RawFile) throws(EarshotError) {
        let status = try source.status()
        earshot_copy_attributes(source.descriptor, file.descriptor)
        let group = status.st_gid
        if !give(to: status.st_uid, group) { give(to: uid_t.max, group) }
        let keepsGroup = try file.status().st_gid == group
        guard keepsGroup || !Self.isGroupDistinct(status.st_mode) else {
            throw EarshotError(
                .writeFailed,
                "\(source.path) is left as it is because its group \(group) cannot be kept, and has rights that others do not have: "
                    + "become a member of that group, or run this as the owner of the file."
            )
        }
        // Behind the owner: a change of it takes marks such as set-user-id away.
        fchmod(file.descriptor, status.st_mode & 0o7777)
    }

    /// Changes owner and group; returns `true` if the system allowed it. The highest number leaves one unchanged.
    @discardableResult
    package func give(to owner: uid_t, _ group: gid_t) -> Bool {
        fchown(file.descriptor, owner, group) == 0
    }

    /// Returns `true` if a group may do anything else than those outside of it.
    static func isGroupDistinct(_ mode: mode_t) -> Bool {
        (mode >> 3) & 0o7 != mode & 0o7
    }

    /// Sets the modification time.
    package func setModificationTime(_ time: FileTime) {
        var times = [timespec(), time.systemTime]
        times[0].tv_nsec = Self.leaveTime
        futimens(file.descriptor, &times)
    }

    /// Tells `futimens` to leave one of the times; the macro has a cast that Swift does not import.
    private static var leaveTime: Int {
        #if canImport(Darwin)
            -2
        #else
            (1 << 30) - 2
        #endif
    }

    /// Renames the file to a path, replacing an existing file. The bytes must be flushed before.
    ///
    /// - Throws: `writeFailed`.
    package func replace(_ path: String) throws(EarshotError) {
        guard rename(file.path, path) == 0 else { throw RawFile.writeFailure(errno, path) }
        isNamed = true
        Durability.flush(folder: Self.folder(of: path))
    }

    /// Renames the file to a path at which there is no file. The bytes must be flushed before.
    ///
    /// - Throws: `destinationExists`, `writeFailed`.
    package func take(_ path: String) throws(EarshotError) {
        guard try Self.renameExclusively(file.path, to: path) else { throw RawFile.writeFailure(EXDEV, path) }
        isNamed = true
        Durability.flush(folder: Self.folder(of: path))
    }

    /// Renames a file to a path at which there is no file.
    ///
    /// - Returns: `true` if the file was renamed; `false` if the paths are on different file systems.
    /// - Throws: `destinationExists`, `writeFailed`.
    package static func move(_ old: String, to new: String) throws(EarshotError) -> Bool {
        var (from, to) = (stat(), stat())
        // On a file system that folds case, two names may be the same file, which then only changes its case.
        if lstat(old, &from) == 0, lstat(new, &to) == 0, from.st_ino == to.st_ino, from.st_dev == to.st_dev,
            from.st_nlink == 1
        {
            try spell(old, as: new)
        } else {
            guard try renameExclusively(old, to: new) else { return false }
            flushFolders(new, old)
        }
        return true
    }

    /// Renames a file to a path that already leads to it, on a file system that ignores case: this changes its
    /// spelling. Two hard links stay as they are.
    ///
    /// - Throws: `writeFailed`.
    package static func spell(_ old: String, as new: String) throws(EarshotError) {
        guard rename(old, new) == 0 else { throw RawFile.writeFailure(errno, new) }
        flushFolders(new, old)
    }

    private static func flushFolders(_ new: String, _ old: String) {
        Durability.flush(folder: folder(of: new))
        if folder(of: old) != folder(of: new) { Durability.flush(folder: folder(of: old)) }
    }

    /// Gives whether it could; not when the names are on different file systems.
    private static func renameExclusively(_ old: String, to new: String) throws(EarshotError) -> Bool {
        var failure = earshot_rename_exclusively(old, new)
        if failure == ENOTSUP {
            // A hard link refuses an existing name as well, and then the old name goes.
            failure = link(old, new) == 0 ? 0 : errno
            if failure == 0 {
                if unlink(old) != 0, errno != ENOENT {
                    // One name again: two would look like two files.
                    failure = errno
                    unlink(new)
                }
            } else if failure == EPERM || failure == EOPNOTSUPP || failure == ENOSYS || failure == EMLINK {
                // File systems such as those of memory cards know neither: there the two steps are apart.
                failure = access(new, F_OK) == 0 ? EEXIST : rename(old, new) == 0 ? 0 : errno
            }
        }
        if failure == EEXIST { throw AtomicFile.exists(URL(fileURLWithPath: new)) }
        if failure == EXDEV { return false }
        guard failure == 0 else { throw RawFile.writeFailure(failure, new) }
        return true
    }

    /// Removes the temporary files of killed processes from a folder. Files that a running process writes are kept.
    package static func removeLeftovers(in folder: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = folder + "/" + name
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                unlink(path)
                FileLock.release(descriptor)
            } else {
                close(descriptor)
            }
        }
    }

    package static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }
}
