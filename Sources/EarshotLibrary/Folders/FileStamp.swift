/// The state of a file that a record belongs to, to be compared without opening the file.
public struct FileStamp: Hashable, Sendable, Codable {
    /// Bytes of the file.
    public let size: Int64
    /// The time of the last change of its bytes, in seconds since 1970-01-01 00:00:00 UTC.
    public let seconds: Int64
    /// The rest of that time, 0 to 999,999,999.
    public let nanoseconds: UInt32
    /// The file system's number of the file, which it keeps when it is renamed.
    public let node: UInt64

    /// A stamp.
    public init(size: Int64, seconds: Int64, nanoseconds: UInt32, node: UInt64) {
        (self.size, self.seconds, self.nanoseconds, self.node) = (size, seconds, nanoseconds, node)
    }
}
