public import EarshotCore

extension Monitor: AudioReceiver {
    /// Passes the next bytes of a microphone to the monitor. They are ignored before ``start()`` and after ``stop()``,
    /// and if the monitor does not support their format. The format that the monitor was initialized with is not used.
    public func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        // A microphone may run on while nothing is watched.
        try? submit(AudioBuffer(bytes, as: configuration))
    }

    /// Reports to the monitor that a microphone lost audio of the given duration.
    public func receiveGap(_ duration: MediaTime) {
        guard state == .running, duration.isNumeric, duration > .zero else { return }
        engine.gap(duration.seconds)
    }
}
