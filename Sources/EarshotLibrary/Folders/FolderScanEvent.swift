/// An event of a folder scan.
public enum FolderScanEvent: Sendable {
    /// A file or folder that could not be read.
    public struct Failure: Hashable, Sendable {
        /// The file or folder.
        public let path: String
        /// The code of the error.
        public let code: String
        /// The message.
        public let message: String
    }

    /// The totals of a scan.
    public struct Summary: Hashable, Sendable {
        /// Audio files that are there.
        public var files = 0
        /// Of these, files that were read now.
        public var read = 0
        /// Items that are new.
        public var added = 0
        /// Items whose files changed.
        public var changed = 0
        /// Items whose files have another name.
        public var moved = 0
        /// Items that are gone.
        public var removed = 0
        /// Files that are copies of others, and no items of their own.
        public var copies = 0
        /// Files and folders that cannot be read.
        public var failed = 0
        /// Seconds that it took.
        public var seconds = 0.0

        /// Creates empty totals.
        public init() {}
    }

    /// The folder was walked: the number of audio files, and the number of files to read.
    case listed(files: Int, due: Int)
    /// So many of the files that are there are in the index.
    case progressed(done: Int, total: Int)
    /// An item changed.
    case changed(LibraryChange)
    /// A file or folder cannot be read; the scan continues. The event is sent in every scan until it can be read. A
    /// file is not read again before it changes.
    case failed(Failure)
    /// The scan is over.
    case ended(Summary)
}
