/// A landmark of a recording: a peak of its spectrogram, by which it is found.
public struct RecordingLandmark: Hashable, Sendable, Codable {
    /// The time from the beginning of the recording, in seconds.
    public var time: Double
    /// The frequency, in hertz.
    public var frequency: Double
    /// `true` if the reference of the best match has it too.
    public var isShared: Bool

    /// A landmark, to the millisecond and the tenth of a hertz.
    package init(time: Double, frequency: Double, isShared: Bool) {
        self.time = (time * 1_000).rounded() / 1_000
        self.frequency = (frequency * 10).rounded() / 10
        self.isShared = isShared
    }
}
