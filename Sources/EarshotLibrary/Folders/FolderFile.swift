/// A library's record of a file: its state, and the result of reading it.
public struct FolderFile: Hashable, Sendable {
    /// The result of reading a file.
    public enum Content: Hashable, Sendable {
        /// An item of the library.
        ///
        /// - Parameters:
        ///   - audio: The key of its encoded audio.
        ///   - isCopy: `true` if another file has the same audio and is of the same album: such a file is no item of
        ///     its own.
        case item(MusicItem, audio: AudioKey, isCopy: Bool)
        /// The file could not be read: the code and the message of the error.
        case failure(code: String, message: String)
    }

    /// The path of the file.
    public let path: String
    /// The state of the file when it was read.
    public let stamp: FileStamp
    /// The version of the reader and its encoding of tags. A scan with another value reads the file again.
    public let reading: String
    /// The result of reading the file.
    public let content: Content

    /// Creates a record.
    public init(path: String, stamp: FileStamp, reading: String, content: Content) {
        (self.path, self.stamp, self.reading, self.content) = (path, stamp, reading, content)
    }
}

/// The part of a record that a scan compares, kept small because there may be many.
public struct KnownFile: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The state of the file when it was read.
    public let stamp: FileStamp
    /// The version of the reader and its encoding of tags.
    public let reading: String
    /// The key of its audio; `nil` if it could not be read.
    public let audio: AudioKey?
    /// `true` if it is a copy of another file and no item of its own.
    public let isCopy: Bool

    /// Creates the part of a record that is compared.
    public init(path: String, stamp: FileStamp, reading: String, audio: AudioKey?, isCopy: Bool = false) {
        (self.path, self.stamp, self.reading, self.audio, self.isCopy) = (path, stamp, reading, audio, isCopy)
    }

    /// The part of a record that is compared.
    public init(_ file: FolderFile) {
        switch file.content {
        case .item(_, let audio, let isCopy):
            self.init(path: file.path, stamp: file.stamp, reading: file.reading, audio: audio, isCopy: isCopy)
        case .failure: self.init(path: file.path, stamp: file.stamp, reading: file.reading, audio: nil)
        }
    }
}
