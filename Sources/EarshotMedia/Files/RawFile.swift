package import EarshotCore
package import Foundation

/// An open file that is read and written at offsets; it owns the descriptor.
///
/// Its functions block. It can be used from any thread.
package final class RawFile: Sendable {
    /// The number of bytes that ``forEachPiece(_:)`` reads at once.
    package static let pieceSize = 1 << 20

    /// The path that the file was opened with.
    package let path: String
    /// The name in messages.
    private let name: String
    package let descriptor: Int32

    /// Opens a file for reading.
    ///
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`.
    package init(reading path: String) throws(EarshotError) {
        (self.path, name) = (path, path)
        // A pipe in the place of a file must not be waited for.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.readFailure(errno, path) }
        let kind = try status().st_mode & S_IFMT
        if kind == S_IFDIR {
            throw EarshotError(.assetIsDirectory, "\(path) is a folder: name a media file in it.")
        }
        if kind != S_IFREG { throw EarshotError(.assetUnreadable, "\(path) is no regular file: name a media file.") }
    }

    /// Opens a file for reading and writing.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in error messages; `nil` for the path.
    ///   - flags: Additional flags of `open`.
    ///   - mode: The permissions of a new file.
    /// - Throws: `writeFailed`.
    package init(
        writing path: String,
        as name: String? = nil,
        flags: Int32 = 0,
        mode: mode_t = 0o600
    ) throws(EarshotError) {
        (self.path, self.name) = (path, name ?? path)
        descriptor = open(path, O_RDWR | O_CLOEXEC | flags, mode)
        guard descriptor >= 0 else { throw Self.writeFailure(errno, self.name) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the status of the file from the system.
    ///
    /// - Throws: `assetUnreadable`.
    package func status() throws(EarshotError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.readFailure(errno, name) }
        return status
    }

    package func size() throws(EarshotError) -> Int {
        try Int(status().st_size)
    }

    /// Reads at an offset until the buffer is full or the file ends, and returns the number of bytes read.
    ///
    /// - Throws: `assetUnreadable`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(EarshotError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.readFailure(errno, name) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    package func read(_ count: Int, at offset: Int) throws(EarshotError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: EarshotError?
        let read = bytes.withUnsafeMutableBytes { buffer in
            do throws(EarshotError) {
                return try self.read(into: buffer, at: offset)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return read == count ? bytes : Array(bytes.prefix(read))
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(EarshotError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.writeFailure(count < 0 ? errno : ENOSPC, name) }
            done += count
        }
    }

    /// Calls a closure with each part of the file, from the beginning on, and its offset in bytes.
    ///
    /// - Throws: `assetUnreadable`, and the errors of the closure.
    package func forEachPiece(_ body: ([UInt8], Int) throws(EarshotError) -> Void) throws(EarshotError) {
        var offset = 0
        while true {
            let piece = try read(Self.pieceSize, at: offset)
            if piece.isEmpty { return }
            try body(piece, offset)
            offset += piece.count
        }
    }

    /// Flushes the written bytes to the disk.
    ///
    /// - Throws: `writeFailed`.
    package func synchronize() throws(EarshotError) {
        guard Durability.flush(descriptor) else { throw Self.writeFailure(errno, name) }
    }

    /// Removes a file and flushes its folder. A missing file is not an error.
    ///
    /// - Throws: `writeFailed`.
    package static func remove(_ path: String) throws(EarshotError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw writeFailure(errno, path) }
        Durability.flush(folder: StagedFile.folder(of: path))
    }

    // MARK: - Errors

    package static func readFailure(_ number: Int32, _ path: String) -> EarshotError {
        switch number {
        case ENOENT, ENOTDIR, ELOOP:
            EarshotError(.assetNotFound, "There is no file at \(path): check the path.")
        case EISDIR:
            EarshotError(.assetIsDirectory, "\(path) is a folder: name a media file in it.")
        case EACCES, EPERM:
            EarshotError(.assetUnreadable, "You have no permission to read \(path): change its access rights.")
        default:
            EarshotError(.assetUnreadable, "Reading \(path) failed (\(reason(number))): check the disk.")
        }
    }

    package static func writeFailure(_ number: Int32, _ path: String) -> EarshotError {
        switch number {
        case ENOSPC, EDQUOT:
            EarshotError(.writeFailed, "There is no space left to write \(path): free some on that disk.")
        case EACCES, EPERM, EROFS:
            EarshotError(
                .writeFailed,
                "\(path) may not be written: change the access rights of the file and its folder."
            )
        case ENOENT, ENOTDIR:
            EarshotError(.writeFailed, "\(path) cannot be written because its folder is missing: make it first.")
        default:
            EarshotError(.writeFailed, "Writing \(path) failed (\(reason(number))): check the disk.")
        }
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
