public import EarshotCore

/// A player of the items of a music library: an output of this machine, or a program or device that plays by itself.
///
/// ``LibraryPlayer`` plays through this machine, ``MPDPlayer`` through a Music Player Daemon.
public protocol MusicPlayer: Sendable {
    /// Plays items one after the other.
    ///
    /// - Parameters:
    ///   - items: The items in order. If empty, nothing changes.
    ///   - place: The index of the first item to play, limited to the existing ones.
    ///   - time: The time of the first item at which it begins; below zero means its beginning.
    /// - Throws: `storeUnavailable` if the player cannot be reached, `assetUnavailable` if it does not have the first item.
    func play(_ items: [MusicItem], at place: Int, from time: MediaTime) async throws(EarshotError)

    /// Pauses. Has no effect if nothing plays.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func pause() async throws(EarshotError)

    /// Resumes after ``pause()``. Has no effect if nothing is paused.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func resume() async throws(EarshotError)

    /// Goes to a time of the current item; what is paused stays paused. Has no effect if there is no current item.
    ///
    /// - Parameter time: The time; below zero means the beginning, and from the end on the next item comes.
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func seek(to time: MediaTime) async throws(EarshotError)

    /// Goes to the next item; after the last one playback ends.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func next() async throws(EarshotError)

    /// Goes to the previous item; the first one starts again.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func previous() async throws(EarshotError)

    /// Stops playback.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func stop() async throws(EarshotError)

    /// The status now.
    ///
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    func status() async throws(EarshotError) -> MusicPlayerStatus

    /// Returns the status now, each change of it, and the position several times a second while something plays.
    ///
    /// A slow reader misses old ones. The stream throws `storeUnavailable` when the player cannot be reached any more.
    func statuses() -> AsyncThrowingStream<MusicPlayerStatus, any Error>
}

extension MusicPlayer {
    /// Moves the position in the current item. Has no effect if there is none.
    ///
    /// - Parameter distance: The distance; negative for back. The position is limited to the item.
    /// - Throws: `storeUnavailable` if the player cannot be reached.
    public func seek(by distance: MediaTime) async throws(EarshotError) {
        guard let target = try await status().position(movedBy: distance) else { return }
        try await seek(to: target)
    }
}
