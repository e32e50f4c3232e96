package import Foundation

/// A time of a file, in nanoseconds.
package struct FileTime: Hashable, Sendable {
    /// The seconds since 1970-01-01 00:00:00 UTC.
    package let seconds: Int64
    /// The nanoseconds within the second, 0 to 999,999,999.
    package let nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) {
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    /// Creates the modification time of a file: that of the last change of its contents.
    package init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(time)
    }

    /// Creates the change time of a file: that of the last change of its contents, name, owner or permissions.
    package init(changeOf status: stat) {
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        self.init(time)
    }

    private init(_ time: timespec) {
        (seconds, nanoseconds) = (Int64(time.tv_sec), UInt32(clamping: time.tv_nsec))
    }

    package var systemTime: timespec {
        timespec(tv_sec: time_t(seconds), tv_nsec: Int(nanoseconds))
    }
}
