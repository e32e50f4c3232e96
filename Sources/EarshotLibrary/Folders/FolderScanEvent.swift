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
        /// The number of audio files in the folder.
        public var files = 0
        /// The number of those files that this scan read.
        public var read = 0
        /// The number of new items.
        public var added = 0
        /// The number of items whose files changed.
        public var changed = 0
        /// The number of items whose files were renamed or moved.
        public var moved = 0
        /// The number of items whose files are gone.
        public var removed = 0
        /// The number of files that are copies of others and not items of their own.
        public var copies = 0
        /// The number of files and folders that cannot be read.
        public var failed = 0
        /// The duration of the scan in seconds.
        public var seconds = 0.0

        /// Creates empty totals.
        public init() {}
    }

    /// The folder was walked: the number of audio files, and the number of files to read.
    case listed(files: Int, due: Int)
    /// The number of files that have been indexed, and the total.
    case progressed(done: Int, total: Int)
    /// An item changed.
    case changed(LibraryChange)
    /// A file or folder cannot be read; the scan continues. The event is sent in every scan until it can be read. A
    /// file is not read again before it changes.
    case failed(Failure)
    /// The scan is over.
    case ended(Summary)
}
