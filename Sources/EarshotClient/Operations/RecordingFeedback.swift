/// Tells the person with the device that a recording is over: by vibration, a tone, or both.
///
/// Somebody who holds a device toward the source does not look at it, and one who takes it away too early spoils the recording. A
/// client has none unless one is given to it. An app on a phone uses its haptics; a program in a terminal the bell.
public protocol RecordingFeedback: Sendable {
    /// Called once for each recording that reached its full length, before the service is asked. Not called for a recording that
    /// was canceled or failed.
    ///
    /// Called on any thread. It must return at once: the operation waits for it.
    func recordingCompleted()
}
