public import EarshotCore

extension Monitor: AudioReceiver {
    /// Takes the next bytes of a microphone. Before ``start()`` and after ``stop()`` they are passed over, and so is audio of
    /// a kind that a monitor does not take; what was initialized is not looked at.
    public func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        // A microphone may run on while nothing is watched.
        try? submit(AudioBuffer(bytes, as: configuration))
    }

    /// Takes note that a microphone lost audio.
    public func receiveGap(_ duration: MediaTime) {
        guard state == .running, duration.isNumeric, duration > .zero else { return }
        engine.gap(duration.seconds)
    }
}
