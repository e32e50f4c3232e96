/// The weights of the degrees of the scale in music of a key.
///
/// The weights are those that J. Albrecht and D. Shanahan found in a large corpus of tonal music: the share of time that a
/// degree is heard ("The use of large corpora to train a new type of key-finding algorithm", Music Perception 31 (1),
/// 2013). Beside those of C. L. Krumhansl and E. J. Kessler (1982) and D. Temperley (2007) they are as good or better on
/// music of known key that is made by `scripts/scores/rhythm`.
struct KeyProfile: Sendable {
    /// The weights of the twelve degrees, in semitones above the tonic.
    let weights: [Double]

    /// Major.
    static let major = KeyProfile(
        weights: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.080, 0.008, 0.081]
    )
    /// Minor: natural and harmonic together.
    static let minor = KeyProfile(
        weights: [0.220, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052]
    )

    /// The profile of a mode.
    static func of(_ mode: MusicalKey.Mode) -> KeyProfile { mode == .major ? .major : .minor }

    /// Pearson's correlation of twelve pitch classes from C on with the profile on a tonic, -1 to 1; 0 where all are equal.
    func correlation(with pitchClasses: [Double], tonic: Int) -> Double {
        guard pitchClasses.count == 12 else { return 0 }
        let mean = pitchClasses.reduce(0, +) / 12
        let weightMean = weights.reduce(0, +) / 12
        var (product, square, weightSquare) = (0.0, 0.0, 0.0)
        for degree in 0..<12 {
            let value = pitchClasses[(degree + tonic) % 12] - mean
            let weight = weights[degree] - weightMean
            product += value * weight
            square += value * value
            weightSquare += weight * weight
        }
        let scale = (square * weightSquare).squareRoot()
        return scale > 0 ? product / scale : 0
    }
}
