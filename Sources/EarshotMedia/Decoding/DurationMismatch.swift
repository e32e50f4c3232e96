public import EarshotCore

/// A difference between the duration that a file declares and the duration of its audio.
///
/// Some headers are wrong, some formats declare no duration so that it is estimated from the bit rate, and chained Ogg
/// files declare that of their last part. The measured duration is the true one.
public struct DurationMismatch: Hashable, Sendable {
    /// The least difference that is reported, in seconds: a packet of delay or padding is in some durations and not in others.
    static let tolerance = MediaTime(value: 1, timescale: 10)

    /// The duration according to the container.
    public let declared: MediaTime
    /// The duration of the audio from its first sample to its last, including gaps.
    public let measured: MediaTime

    /// - Returns: `nil` if both agree within 0.1 s, or one is unknown.
    init?(declared: MediaTime, measured: MediaTime) {
        guard declared.isNumeric, measured.isNumeric else { return nil }
        let difference = measured - declared
        guard difference > Self.tolerance || .zero - difference > Self.tolerance else { return nil }
        (self.declared, self.measured) = (declared, measured)
    }

    /// The time by which the audio is longer than declared; negative if it is shorter.
    public var difference: MediaTime { measured - declared }
}
