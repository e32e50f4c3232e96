/// The classification of the last three seconds of a stream.
public struct AudioClassification: Hashable, Sendable {
    /// The most probable kind.
    public let kind: AudioKind
    /// The probability of every kind, 0 to 1; together 1.
    public let probabilities: [AudioKind: Double]

    /// The probability of ``kind``, 0 to 1.
    public var confidence: Double { probabilities[kind] ?? 0 }

    /// The most probable of kinds.
    ///
    /// - Parameter probabilities: The probability of every kind, 0 to 1. What is missing counts 0.
    public init(probabilities: [AudioKind: Double]) {
        self.probabilities = probabilities
        // In the order of the cases, so that equal probabilities always give the same kind.
        var best = AudioKind.silence
        for kind in AudioKind.allCases where probabilities[kind, default: 0] > probabilities[best, default: 0] {
            best = kind
        }
        kind = best
    }
}
