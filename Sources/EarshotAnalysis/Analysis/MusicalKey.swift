/// The musical key and the tuning of a recording.
public struct MusicalKey: Hashable, Sendable, Codable {
    /// Major or minor.
    public enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// Major: with a major third above the tonic.
        case major
        /// Minor: with a minor third above the tonic.
        case minor
    }

    /// The pitch class of the tonic, in semitones above C: 0 to 11.
    public let tonic: Int
    /// Major or minor.
    public let mode: Mode
    /// The confidence of the key, 0 to 1: its distance from the next best.
    public let confidence: Double
    /// The tuning of the recording relative to equal temperament with A4 at 440 Hz, in cents: −50 to 50.
    public let tuning: Double

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - tonic: The pitch class in semitones above C; taken modulo 12.
    ///   - mode: Major or minor.
    ///   - confidence: The confidence, 0 to 1.
    ///   - tuning: The deviation of A4 from 440 Hz, in cents.
    public init(tonic: Int, mode: Mode, confidence: Double, tuning: Double = 0) {
        self.tonic = (tonic % 12 + 12) % 12
        self.mode = mode
        self.confidence = confidence
        self.tuning = tuning
    }
}
