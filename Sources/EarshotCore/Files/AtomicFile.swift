package import Foundation

/// Writes a file atomically.
///
/// Bytes are written to a hidden file in the same folder. ``commit(replacing:)`` flushes it to the disk and renames it
/// in one step. Without a commit – after an error, a canceled task, a crash – the destination is unchanged; a crash
/// can leave a file whose name ends in `.partial`.
package final class AtomicFile {
    private let destination: URL
    private let temporary: URL
    private var handle: FileHandle?
    /// The permissions of the file; `nil` for those of the file that it replaces, or the default.
    private let mode: mode_t?

    /// Creates the hidden file.
    ///
    /// - Parameters:
    ///   - destination: The address of the file to write.
    ///   - mode: The permissions of the file; `nil` for those of the file that it replaces, or the default.
    /// - Throws: `writeFailed` if the folder is missing or may not be written.
    package init(_ destination: URL, mode: mode_t? = nil) throws(EarshotError) {
        // What a link leads to is replaced, not the link.
        let destination = destination.resolvingSymlinksInPath()
        (self.destination, self.mode) = (destination, mode)
        let folder = destination.deletingLastPathComponent()
        // A name of its own, so that two writers of one destination never share a file, and a short one, so that it is
        // not too long for the file system where the destination's is not.
        temporary = folder.appendingPathComponent(".earshot-\(UUID().uuidString).partial")
        let rights = mode.map { [FileAttributeKey.posixPermissions: Int($0)] }
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil, attributes: rights),
            let handle = FileHandle(forWritingAtPath: temporary.path)
        else {
            throw EarshotError(
                .writeFailed,
                "Cannot write in the folder \(folder.path): check that it exists and that you may write there."
            )
        }
        self.handle = handle
    }

    deinit {
        guard let handle else { return }
        try? handle.close()
        try? FileManager.default.removeItem(at: temporary)
    }

    package func write(_ bytes: [UInt8]) throws(EarshotError) {
        try write(Data(bytes))
    }

    package func write(_ data: Data) throws(EarshotError) {
        do {
            try handle?.write(contentsOf: data)
        } catch {
            throw failed(error)
        }
    }

    /// Overwrites bytes that were written before, from an offset on; the next write still appends.
    ///
    /// - Throws: `writeFailed`.
    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(EarshotError) {
        do {
            try handle?.seek(toOffset: UInt64(offset))
            try handle?.write(contentsOf: Data(bytes))
            try handle?.seekToEnd()
        } catch {
            throw failed(error)
        }
    }

    private func failed(_ cause: any Error) -> EarshotError {
        EarshotError(
            .writeFailed,
            "Writing \(destination.path) failed after a part of it: check the space left on the disk.",
            cause: cause
        )
    }

    /// Flushes the file and renames it to its destination.
    ///
    /// - Parameter replacing: `true` to replace an existing file.
    /// - Throws: `destinationExists` if a file exists and may not be replaced; `writeFailed`.
    package func commit(replacing: Bool) throws(EarshotError) {
        guard let handle else { return }
        guard Durability.flush(handle.fileDescriptor) else { throw flushFailed() }
        do {
            try handle.close()
        } catch {
            throw flushFailed(error)
        }
        self.handle = nil
        defer { unlink(temporary.path) }
        // Whoever may read the old file, and nobody else, may read the new one.
        var old = stat()
        if mode == nil, replacing, stat(destination.path, &old) == 0 { chmod(temporary.path, old.st_mode & 0o7777) }
        let failure = replacing ? replace() : take()
        guard failure == 0 else {
            if !replacing, failure == EEXIST { throw Self.exists(destination) }
            throw EarshotError(
                .writeFailed,
                "The finished file cannot be moved to \(destination.path) (\(String(cString: strerror(failure)))): check the folder and its rights."
            )
        }
        Durability.flush(folder: destination.deletingLastPathComponent().path)
    }

    private func flushFailed(_ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(
            .writeFailed,
            "Flushing \(destination.path) failed: check the space left on the disk.",
            cause: cause
        )
    }

    /// Takes the name whether or not it is in use; gives the error number.
    private func replace() -> Int32 {
        rename(temporary.path, destination.path) == 0 ? 0 : errno
    }

    /// Takes the name only when it is free; gives the error number.
    private func take() -> Int32 {
        // A hard link refuses an existing name in the same step in which it would take it.
        if link(temporary.path, destination.path) == 0 { return 0 }
        let failure = errno
        // Some file systems, such as those of memory cards, know no hard links: there the two steps are apart.
        guard failure == EPERM || failure == EOPNOTSUPP || failure == ENOSYS || failure == EMLINK else {
            return failure
        }
        if access(destination.path, F_OK) == 0 { return EEXIST }
        return replace()
    }

    /// Returns the error for a destination that exists.
    package static func exists(_ destination: URL) -> EarshotError {
        EarshotError(.destinationExists, "\(destination.path) exists already: choose another name.")
    }

    /// Writes a whole file atomically.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - destination: The address of the file.
    ///   - replacing: `true` to replace an existing file.
    ///   - mode: The permissions of the file; `nil` for those of the file that it replaces, or the default.
    /// - Throws: `destinationExists`, `writeFailed`.
    package static func write(
        _ bytes: [UInt8],
        to destination: URL,
        replacing: Bool,
        mode: mode_t? = nil
    ) throws(EarshotError) {
        if !replacing, FileManager.default.fileExists(atPath: destination.path) { throw exists(destination) }
        let file = try AtomicFile(destination, mode: mode)
        try file.write(bytes)
        try file.commit(replacing: replacing)
    }
}
