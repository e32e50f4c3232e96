public import EarshotCore

/// Whatever makes sound heard: an output of the system, or a double of it.
public protocol AudioPlayer: Sendable {
    /// Plays a source to its end.
    ///
    /// - Parameters:
    ///   - source: The sound.
    ///   - heard: Told the source's time that is being heard, several times a second.
    /// - Throws: `deviceUnavailable`, what the source throws, and `cancelled` when the task is.
    func play(_ source: some AudioSource, heard: @Sendable (MediaTime) -> Void) async throws
}
