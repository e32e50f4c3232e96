public import EarshotCore

/// Plays audio: an output device of the system, or a test double.
public protocol AudioPlayer: Sendable {
    /// Plays a source to its end.
    ///
    /// - Parameters:
    ///   - source: The audio.
    ///   - heard: Called several times a second with the source's time that is being heard.
    /// - Throws: `deviceUnavailable`, the source's errors, and `cancelled` if the task is canceled.
    func play(_ source: some AudioSource, heard: @Sendable (MediaTime) -> Void) async throws

    /// Pauses playback, until ``resume()`` or until the task that plays is canceled.
    func pause()

    /// Resumes playback after ``pause()``. Has no effect if nothing is paused.
    func resume()
}
