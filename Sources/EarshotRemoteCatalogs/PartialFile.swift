import EarshotCore
import Foundation
import Synchronization

/// A file that a download goes to, and goes on with after an end of any kind. One process at a time has it.
final class PartialFile: Sendable {
    let url: URL
    /// Below zero once it is closed.
    private let descriptor: Mutex<Int32>

    /// Opens the file, making it where there is none.
    ///
    /// - Throws: `writeFailed` when it cannot be written; `downloadFailed` when another program is at it.
    init(_ url: URL) throws(EarshotError) {
        self.url = url
        while true {
            let candidate = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard candidate >= 0 else {
                throw EarshotError(
                    .writeFailed,
                    "Cannot write \(url.path): check that the folder exists and that you may write there."
                )
            }
            guard flock(candidate, LOCK_EX | LOCK_NB) == 0 else {
                Foundation.close(candidate)
                throw EarshotError(
                    .downloadFailed,
                    "Another program is fetching \(url.path): wait for it, or choose another place.",
                    cause: DownloadFault.answer
                )
            }
            // Whoever had the lock before may have given the file its final name: then this is not the part any more.
            var (held, named) = (stat(), stat())
            if fstat(candidate, &held) == 0, stat(url.path, &named) == 0, held.st_ino == named.st_ino {
                descriptor = Mutex(candidate)
                return
            }
            Foundation.close(candidate)
        }
    }

    deinit { close() }

    /// Lets the file go. Whoever holds on to this object, as a transport may for a while, can do nothing more with it.
    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { FileLock.release(descriptor) }
            descriptor = -1
        }
    }

    /// The number of bytes.
    var size: Int64 {
        descriptor.withLock { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        }
    }

    /// Takes away all behind a place.
    func truncate(to size: Int64) throws(EarshotError) {
        guard descriptor.withLock({ ftruncate($0, off_t(size)) == 0 }) else { throw failed() }
    }

    /// Adds bytes at the end.
    func append(_ data: Data) throws(EarshotError) {
        let isWritten = descriptor.withLock { descriptor in
            guard lseek(descriptor, 0, SEEK_END) >= 0 else { return false }
            return data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
        guard isWritten else { throw failed() }
    }

    /// Gives the file its final name, in the place of what had it.
    func take(name destination: URL) throws(EarshotError) {
        guard descriptor.withLock({ fsync($0) == 0 }), rename(url.path, destination.path) == 0 else {
            throw EarshotError(
                .writeFailed,
                "The finished file cannot be moved to \(destination.path) (\(String(cString: strerror(errno)))): check the folder and its rights."
            )
        }
    }

    func remove() { unlink(url.path) }

    private func failed() -> EarshotError {
        EarshotError(
            .writeFailed,
            "Writing \(url.path) failed: \(String(cString: strerror(errno))). Check the space left on the disk."
        )
    }
}
