/// What a library keeps of a file: its state then, and what was read of it.
public struct FolderFile: Hashable, Sendable {
    /// What came of reading it.
    public enum Content: Hashable, Sendable {
        /// An item.
        ///
        /// - Parameters:
        ///   - audio: The key of its encoded audio.
        ///   - isCopy: `true` if another file has the same audio and is of the same album: such a file is no item of
        ///     its own.
        case item(MusicItem, audio: AudioKey, isCopy: Bool)
        /// It could not be read: the code of the error, and what it says.
        case failure(code: String, message: String)
    }

    /// The path.
    public let path: String
    /// What the file was then.
    public let stamp: FileStamp
    /// How it was read: another version, or another encoding of tags, reads it anew.
    public let reading: String
    /// What came of it.
    public let content: Content

    /// A record.
    public init(path: String, stamp: FileStamp, reading: String, content: Content) {
        (self.path, self.stamp, self.reading, self.content) = (path, stamp, reading, content)
    }
}

/// What a scan compares of every file that is known: little, as there may be many.
public struct KnownFile: Hashable, Sendable {
    /// The path.
    public let path: String
    /// What the file was then.
    public let stamp: FileStamp
    /// How it was read.
    public let reading: String
    /// The key of its audio; `nil` if it could not be read.
    public let audio: AudioKey?
    /// `true` if it is a copy of another file and no item of its own.
    public let isCopy: Bool

    /// What is compared of a file.
    public init(path: String, stamp: FileStamp, reading: String, audio: AudioKey?, isCopy: Bool = false) {
        (self.path, self.stamp, self.reading, self.audio, self.isCopy) = (path, stamp, reading, audio, isCopy)
    }

    /// What is compared of a record.
    public init(_ file: FolderFile) {
        switch file.content {
        case .item(_, let audio, let isCopy):
            self.init(path: file.path, stamp: file.stamp, reading: file.reading, audio: audio, isCopy: isCopy)
        case .failure: self.init(path: file.path, stamp: file.stamp, reading: file.reading, audio: nil)
        }
    }
}
