/// Whoever is given audio as bytes, such as what a microphone hears: a monitor, a file, memory.
public protocol AudioReceiver: AnyObject, Sendable {
    /// Takes the next bytes: whole frames, which follow on those before them.
    ///
    /// Called on a thread in the background, which delivers nothing to anybody until the call returns.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved samples, and how many bytes there are. They are gone when the call returns: copy what is kept.
    ///   - configuration: What the bytes are.
    func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration)

    /// Takes note that audio is missing between the bytes before this call and those behind it.
    ///
    /// - Parameter duration: How much.
    func receiveGap(_ duration: MediaTime)
}

extension AudioReceiver {
    /// Does nothing, unless a receiver says otherwise.
    public func receiveGap(_ duration: MediaTime) {}
}
