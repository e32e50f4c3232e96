import EarshotCore
import Foundation

/// Bytes with random access, of a file or in memory.
///
/// A file is read with system calls and never mapped, so that a file that becomes shorter causes an error, not a crash.
final class PackageBytes: Sendable {
    private enum Source: Sendable {
        case memory(Data)
        case file(Int32)
    }

    /// The number of bytes.
    let count: Int
    let fault: PackageFault
    private let source: Source

    init(_ data: Data, name: String = "The package") {
        count = data.count
        fault = PackageFault(name: name)
        source = .memory(data)
    }

    /// Opens a file.
    ///
    /// - Parameter followingLinks: `true` to follow a symbolic link.
    /// - Throws: `assetNotFound` if there is no file; `assetUnreadable` if it is not a regular file or cannot be
    ///   opened.
    init(_ url: URL, followingLinks: Bool = true) throws(EarshotError) {
        fault = PackageFault(name: url.lastPathComponent)
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            let reason = errno
            if reason == ENOENT {
                throw EarshotError(.assetNotFound, "There is no file \(url.path): check its name.")
            }
            throw EarshotError(
                .assetUnreadable,
                "\(url.path) cannot be opened (\(String(cString: strerror(reason)))): check that it is a file that you may read."
            )
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw EarshotError(.assetUnreadable, "\(url.path) is no file: name one.")
        }
        count = Int(status.st_size)
        source = .file(descriptor)
    }

    deinit {
        if case .file(let descriptor) = source { close(descriptor) }
    }

    /// Reads a number of bytes at a position.
    ///
    /// - Throws: `readFailed` if they do not exist.
    func read(at place: Int, count: Int) throws(EarshotError) -> [UInt8] {
        guard place >= 0, count >= 0, place <= self.count - count else { throw fault.unreadable() }
        switch source {
        case .memory(let data):
            let start = data.startIndex + place
            return [UInt8](data[start..<start + count])
        case .file(let descriptor):
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let result = bytes.withUnsafeMutableBytes { target in
                    pread(descriptor, target.baseAddress.map { $0 + done }, count - done, off_t(place + done))
                }
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { throw fault.unreadable() }
                done += result
            }
            return bytes
        }
    }
}
