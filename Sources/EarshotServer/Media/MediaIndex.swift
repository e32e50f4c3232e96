package import EarshotLibrary

/// The known music in a service's media folders, for searching by name.
///
/// The service reads it at every search, and keeps it running for its own lifetime. Another implementation can be
/// set as ``RecognitionServer/Parts/mediaIndex``.
package protocol MediaIndex: Sendable {
    /// Returns the current state.
    func state() async -> MediaIndexState
    /// Indexes the media folders and follows changes until the task is canceled.
    func run() async
}

/// The contents of media folders at one moment.
package struct MediaIndexState: Sendable {
    /// The items; the address of each is that of its file in the folder.
    package var index: LibraryIndex
    /// `true` if all folders have been scanned at least once.
    package var isComplete: Bool

    /// Creates a state.
    package init(index: LibraryIndex, isComplete: Bool) {
        self.index = index
        self.isComplete = isComplete
    }
}
