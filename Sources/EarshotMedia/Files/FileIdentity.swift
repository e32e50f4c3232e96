package import EarshotCore
package import Foundation

/// What tells whether a file is still the one that was looked at, and nobody has written to it since.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64
    private let size: Int64
    /// When its bytes were last changed. Whoever writes may set it back.
    private let time: FileTime
    /// When anything of it was last changed, which nobody can set.
    private let changeTime: FileTime

    package init(_ status: stat) {
        (device, node) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        (size, time, changeTime) = (Int64(status.st_size), FileTime(status), FileTime(changeOf: status))
    }

    /// What a name leads to, links not followed; `nil` if it leads to nothing.
    ///
    /// - Throws: `assetUnreadable` when the system does not say.
    package static func of(_ path: String) throws(EarshotError) -> FileIdentity? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileIdentity(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw RawFile.readFailure(errno, path) }
        return nil
    }

    /// Returns `true` if both are one file, whatever was written to it in between.
    package func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && node == other.node
    }
}
