import Foundation

/// Each sample foretold from those before it, by weights that fit a stretch of sound (J. P. Burg, 1967): what comes otherwise is new in
/// the sound, such as a click.
struct LinearPrediction {
    /// How many samples another is foretold from.
    static let order = 24

    /// The weight of the sample before, of the one before that, and so on.
    let weights: [Double]

    /// The weights that fit a stretch, from both directions.
    init(_ samples: [Double]) {
        var forward = samples
        var backward = samples
        var weights: [Double] = []
        let count = samples.count
        // What is this far below the sound is rounding.
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

    /// By how much the samples of a range are otherwise than foretold from those before them.
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
