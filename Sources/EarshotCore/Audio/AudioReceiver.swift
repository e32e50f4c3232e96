/// Receives audio as bytes, for example from a microphone: a monitor, a file, memory.
public protocol AudioReceiver: AnyObject, Sendable {
    /// Receives the next bytes: whole frames, which continue the earlier ones.
    ///
    /// Called on a background thread. The next delivery waits until the call returns.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved samples. The pointer is valid only until the call returns: copy what you keep.
    ///   - configuration: The layout of the bytes.
    func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration)

    /// Called for a gap: audio is missing between the bytes before this call and the bytes after it.
    ///
    /// - Parameter duration: The duration of the audio that was lost.
    func receiveGap(_ duration: MediaTime)
}

extension AudioReceiver {
    /// Does nothing. The default for receivers that ignore gaps.
    public func receiveGap(_ duration: MediaTime) {}
}
