/// A tempo that the onsets may have.
struct TempoCandidate: Hashable, Sendable {
    /// From one beat to the next, in values of the envelope.
    let period: Double
    /// The mean autocorrelation at one to four beats, -1 to 1.
    let regularity: Double
    /// The evidence for it, in nats; only differences count.
    let evidence: Double

    /// Beats a minute.
    var beatsPerMinute: Double { 60 * OnsetEnvelope.rate / period }
}
