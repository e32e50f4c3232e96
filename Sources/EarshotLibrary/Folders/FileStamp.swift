/// The size, time of change and inode of a file, to detect changes without opening the file.
public struct FileStamp: Hashable, Sendable, Codable {
    /// The size of the file in bytes.
    public let size: Int64
    /// The time of the last change of its bytes, in seconds since 1970-01-01 00:00:00 UTC.
    public let seconds: Int64
    /// The fraction of that second, in nanoseconds: 0 to 999,999,999.
    public let nanoseconds: UInt32
    /// The inode number of the file, which stays the same when the file is renamed.
    public let node: UInt64

    /// Creates a stamp.
    public init(size: Int64, seconds: Int64, nanoseconds: UInt32, node: UInt64) {
        (self.size, self.seconds, self.nanoseconds, self.node) = (size, seconds, nanoseconds, node)
    }
}
