import Foundation

/// Functions that make files and folders survive a power failure.
package enum Durability {
    /// Flushes an open file or folder to the disk; returns `true` if the system confirmed it.
    ///
    /// Apple's `fsync` passes the bytes to the drive, which may keep them in its own memory: `F_FULLFSYNC` flushes the
    /// drive too. File systems that do not support it, such as those of servers, get the ordinary flush.
    @discardableResult
    package static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Flushes the names in a folder to the disk, if the system allows it.
    package static func flush(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        flush(descriptor)
        close(descriptor)
    }

    /// Creates a folder with its missing parent folders, and flushes their names to the disk.
    ///
    /// - Parameter path: The absolute path of the folder, which may exist.
    /// - Throws: `writeFailed`, naming the folder that could not be created.
    package static func makeFolders(_ path: String) throws(EarshotError) {
        var missing: [String] = []
        var folder = path
        while folder != "/", !folder.isEmpty, !isFolder(folder) {
            missing.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        for folder in missing.reversed() {
            // Another process may make the same one.
            if mkdir(folder, 0o777) == 0 || errno == EEXIST && isFolder(folder) { continue }
            let reason = String(cString: strerror(errno))
            throw EarshotError(
                .writeFailed,
                "The folder \(folder) cannot be made (\(reason)): check whether a file has this name, and the permissions of the parent folder."
            )
        }
        // Also around one that was there: whoever made it may have been lost before its name was flushed.
        for folder in missing.isEmpty ? [path] : missing {
            flush(folder: (folder as NSString).deletingLastPathComponent)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
