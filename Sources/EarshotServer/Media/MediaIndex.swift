package import EarshotLibrary

/// What is known of the music in a service's media folders, for finding it by name.
///
/// The service asks for it at every search, and lets it do its work for as long as the service runs. Whoever has a better way to
/// learn what is there gives it to ``RecognitionServer/Parts/mediaIndex``.
package protocol MediaIndex: Sendable {
    /// What is known now.
    func state() async -> MediaIndexState
    /// Learns what is there, and keeps up with it, until its task is cancelled.
    func run() async
}

/// What is known of media folders at one moment.
package struct MediaIndexState: Sendable {
    /// The items; the address of each is that of its file in the folder.
    package var index: LibraryIndex
    /// Whether everything was looked at once.
    package var isComplete: Bool

    /// What is known.
    package init(index: LibraryIndex, isComplete: Bool) {
        self.index = index
        self.isComplete = isComplete
    }
}
