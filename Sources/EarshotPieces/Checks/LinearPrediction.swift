import Foundation

/// A linear prediction of each sample from those before it, by weights that fit a stretch of audio (J. P. Burg, 1967).
/// A large error of prediction is something new in the audio, such as a click.
struct LinearPrediction {
    /// The number of earlier samples that predict a sample.
    static let order = 24

    /// The weights of the previous sample, of the one before it, and so on.
    let weights: [Double]

    /// Computes the weights that fit samples in both directions.
    init(_ samples: [Double]) {
        var forward = samples
        var backward = samples
        var weights: [Double] = []
        let count = samples.count
        // Power this far below that of the audio is rounding.
        let floor = samples.reduce(0) { $0 + $1 * $1 } * 1e-12
        for step in 0..<min(Self.order, count - 1) {
            var product = 0.0
            var power = 0.0
            for place in (step + 1)..<count {
                product += forward[place] * backward[place - 1]
                power += forward[place] * forward[place] + backward[place - 1] * backward[place - 1]
            }
            guard power > floor, power > 0 else { break }
            let reflection = 2 * product / power
            weights = weights.enumerated().map { $1 - reflection * weights[step - 1 - $0] } + [reflection]
            for place in stride(from: count - 1, to: step, by: -1) {
                let before = backward[place - 1]
                backward[place] = before - reflection * forward[place]
                forward[place] -= reflection * before
            }
        }
        self.weights = weights
    }

    /// Returns the absolute errors of prediction of the samples in a range.
    func errors(of samples: [Double], in range: Range<Int>) -> [Double] {
        range.map { place in
            var expected = 0.0
            for (step, weight) in weights.enumerated() where place > step {
                expected += weight * samples[place - 1 - step]
            }
            return abs(samples[place] - expected)
        }
    }
}
