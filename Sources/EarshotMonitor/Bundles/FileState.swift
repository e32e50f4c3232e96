import EarshotRecognition
import Foundation

/// The identity, size and date of a file, to tell one state from another without reading it.
struct FileState: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The size of the file in bytes.
    let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// The state of a file now; `nil` if there is none.
    init?(_ url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        #if canImport(Darwin)
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}
