package import EarshotCore
package import Foundation

/// The identity of a file, to detect that it was replaced or written to.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64
    private let size: Int64
    /// The time of the last change of its bytes. A writer may set it back.
    private let time: FileTime
    /// The time of the last change of any attribute, which cannot be set.
    private let changeTime: FileTime

    package init(_ status: stat) {
        (device, node) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        (size, time, changeTime) = (Int64(status.st_size), FileTime(status), FileTime(changeOf: status))
    }

    /// Returns the identity of the file at a path, without following links; `nil` if there is none.
    ///
    /// - Throws: `assetUnreadable` if the system does not report it.
    package static func of(_ path: String) throws(EarshotError) -> FileIdentity? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileIdentity(status) }
        guard errno == ENOENT || errno == ENOTDIR else { throw RawFile.readFailure(errno, path) }
        return nil
    }

    /// Returns `true` if both identities are of the same file, even if it was written to in between.
    package func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && node == other.node
    }
}
