public import EarshotCore

/// Plays audio: an output device of the system, or a test double.
public protocol AudioPlayer: Sendable {
    /// Plays a source to its end.
    ///
    /// - Parameters:
    ///   - source: The audio.
    ///   - heard: Told the source's time that is being heard, several times a second.
    /// - Throws: `deviceUnavailable`, what the source throws, and `cancelled` when the task is.
    func play(_ source: some AudioSource, heard: @Sendable (MediaTime) -> Void) async throws

    /// Pauses playback, until ``resume()`` or until the task that plays is cancelled.
    func pause()

    /// Resumes playback after ``pause()``. Has no effect if nothing is paused.
    func resume()
}
