import Foundation

/// The sound from which `scripts/data/make-fixtures` makes the fixtures: a rising chirp left, a falling one right.
enum TestSignal {
    static func left(_ t: Double) -> Double { 0.5 * sin(2 * .pi * (200 * t + 100 * t * t)) }
    static func right(_ t: Double) -> Double { 0.25 * sin(2 * .pi * (2000 * t - 150 * t * t)) }
    /// The quieter, slower pair of `long.flac`.
    static func quietLeft(_ t: Double) -> Double { 0.01 * sin(2 * .pi * (200 * t + 20 * t * t)) }
    static func quietRight(_ t: Double) -> Double { 0.005 * sin(2 * .pi * (2000 * t - 30 * t * t)) }

    /// `count` samples of a channel from frame `first` on.
    static func samples(
        _ channel: (Double) -> Double,
        sampleRate: Int,
        from first: Int = 0,
        count: Int
    ) -> [Float] {
        (first..<first + count).map { Float(channel(Double($0) / Double(sampleRate))) }
    }

    /// The largest difference of two runs; infinite when one is shorter.
    static func largestDifference(_ a: [Float], _ b: [Float]) -> Float {
        guard a.count == b.count else { return .infinity }
        return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// By how many frames `heard` is later than `signal`, judged by correlation, and how alike they then are (1 = same).
    static func lag(of heard: [Float], behind signal: [Float], atMost limit: Int) -> (frames: Int, likeness: Double) {
        var best = (frames: 0, likeness: -2.0)
        for lag in -limit...limit {
            var (product, energy, other) = (0.0, 0.0, 0.0)
            for index in stride(from: limit, to: min(signal.count, heard.count) - limit, by: 1) {
                let (a, b) = (Double(signal[index]), Double(heard[index + lag]))
                product += a * b
                energy += a * a
                other += b * b
            }
            let likeness = product / (energy * other).squareRoot()
            if likeness > best.likeness { best = (lag, likeness) }
        }
        return best
    }
}
