/// A landmark of a recording: a peak of its spectrogram that recognition compares.
public struct RecordingLandmark: Hashable, Sendable, Codable {
    /// The time from the beginning of the recording, in seconds.
    public var time: Double
    /// The frequency, in hertz.
    public var frequency: Double
    /// `true` if the reference of the best match has a landmark at the same position.
    public var isShared: Bool

    /// Creates a landmark, rounded to 1 ms and 0.1 Hz.
    package init(time: Double, frequency: Double, isShared: Bool) {
        self.time = (time * 1_000).rounded() / 1_000
        self.frequency = (frequency * 10).rounded() / 10
        self.isShared = isShared
    }
}
