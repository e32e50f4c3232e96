import Crypto
import EarshotAPI
import EarshotCore
import Foundation

/// A download in progress of a bundle or another large file: a file beside the final one, which it becomes when it is
/// complete and verified.
///
/// Another process goes on with it; one at a time.
final class PartialBundle {
    private let destination: URL
    private let partial: URL
    private let name: String
    private let expectedSize: Int
    private let sum: String
    private let descriptor: Int32
    private let handle: FileHandle
    private var digest = SHA256()
    /// The number of bytes so far.
    private(set) var size = 0

    /// Opens the partial file, if there is one, and reads it.
    ///
    /// - Parameters:
    ///   - destination: The file that it becomes.
    ///   - record: The description of the complete bundle.
    /// - Throws: `writeFailed`; `storeUnavailable` when another process fetches it.
    convenience init(of destination: URL, _ record: BundleDescription) throws(EarshotError) {
        try self.init(of: destination, name: record.id, size: record.size, sha256: record.sha256)
    }

    /// Opens the partial file of any download, if there is one, and reads it.
    ///
    /// - Parameters:
    ///   - destination: The file that it becomes.
    ///   - name: The name of the bundle in messages.
    ///   - size: The size of the complete file, in bytes.
    ///   - sha256: Their digest, as 64 hexadecimal digits in lower case.
    /// - Throws: `writeFailed`; `storeUnavailable` when another process fetches it.
    init(of destination: URL, name: String, size expectedSize: Int, sha256 sum: String) throws(EarshotError) {
        (self.destination, self.name, self.expectedSize, self.sum) = (destination, name, expectedSize, sum)
        let partial = destination.appendingPathExtension("\(sum.prefix(16)).partial")
        self.partial = partial
        descriptor = try Self.hold(partial)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        removeOthers()
        do {
            while let part = try handle.read(upToCount: 1 << 18), !part.isEmpty {
                digest.update(data: part)
                size += part.count
            }
            if size > expectedSize { try clear() }
        } catch {
            throw failed(error)
        }
    }

    deinit { FileLock.release(descriptor) }

    /// Opens a file and locks it, as long as it has its name.
    private static func hold(_ url: URL) throws(EarshotError) -> Int32 {
        for _ in 0..<100 {
            let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw EarshotError(.writeFailed, "\(url.path) cannot be made: check its folder and its rights.")
            }
            // Where a file system knows no locks, there is nobody to wait for either.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(descriptor)
                throw EarshotError(
                    .storeUnavailable,
                    "Another program is downloading \(url.path): wait for it, or name another file."
                )
            }
            // Between the two steps another one may have finished it, or thrown it away.
            var (own, named) = (stat(), stat())
            if fstat(descriptor, &own) == 0, stat(url.path, &named) == 0, own.st_ino == named.st_ino,
                own.st_dev == named.st_dev
            {
                return descriptor
            }
            FileLock.release(descriptor)
        }
        throw EarshotError(
            .writeFailed,
            "\(url.path) is removed by another program again and again: name another file."
        )
    }

    /// Returns `true` if a file is the bundle that is announced.
    static func isWhole(_ url: URL, _ record: BundleDescription) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard (try? handle.seekToEnd()).map({ Int(clamping: $0) }) == record.size else { return false }
        try? handle.seek(toOffset: 0)
        var digest = SHA256()
        while let part = try? handle.read(upToCount: 1 << 18), !part.isEmpty { digest.update(data: part) }
        return text(digest) == record.sha256
    }

    static func text(_ digest: SHA256) -> String {
        digest.finalize().hexadecimal
    }

    /// Adds bytes.
    ///
    /// - Throws: `writeFailed`.
    func write(_ part: Data) throws(EarshotError) {
        do {
            try handle.write(contentsOf: part)
        } catch {
            throw failed(error)
        }
        digest.update(data: part)
        size += part.count
    }

    /// Gives it its name.
    ///
    /// - Throws: `downloadFailed` if the file differs from its size or digest, in which case it is deleted;
    ///   `writeFailed`.
    func finish() throws(EarshotError) {
        let own = Self.text(digest)
        guard size == expectedSize, own == sum else {
            unlink(partial.path)
            throw EarshotError(
                .downloadFailed,
                size == expectedSize
                    ? "What came of \(name) is damaged: fetch it again."
                    : "\(name) has \(size) of \(expectedSize) bytes: fetch it again."
            )
        }
        do {
            try handle.synchronize()
        } catch {
            throw failed(error)
        }
        guard rename(partial.path, destination.path) == 0 else {
            throw EarshotError(
                .writeFailed,
                "\(destination.path) cannot be written: check its folder and its rights."
            )
        }
    }

    private func clear() throws {
        try handle.truncate(atOffset: 0)
        (size, digest) = (0, SHA256())
    }

    private func failed(_ error: any Error) -> EarshotError {
        EarshotError(.writeFailed, "\(partial.path) cannot be written: check the disk.", cause: error)
    }

    /// Removes what is left of other versions, and is not being fetched.
    private func removeOthers() {
        let folder = destination.deletingLastPathComponent()
        let prefix = "\(destination.lastPathComponent)."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) && name.hasSuffix(".partial") && name != partial.lastPathComponent
            && name.utf8.count == prefix.utf8.count + 24
        {
            let path = folder.appendingPathComponent(name).path
            let other = open(path, O_RDWR | O_CLOEXEC)
            guard other >= 0 else { continue }
            if flock(other, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            FileLock.release(other)
        }
    }
}
