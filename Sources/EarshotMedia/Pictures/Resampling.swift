import Foundation

/// The weights with which the pixels of one direction are mixed into another number of pixels: a Lanczos window of
/// three lobes, widened for a smaller picture.
struct Resampling {
    /// For each pixel that is made, the first that goes into it.
    let starts: [Int]
    /// For each pixel that is made, the shares of that one and those behind it: together 1.
    let weights: [[Float]]

    init(from source: Int, to target: Int) {
        let scale = Double(source) / Double(target)
        let width = max(1, scale)
        var starts: [Int] = []
        var weights: [[Float]] = []
        for place in 0..<target {
            let center = (Double(place) + 0.5) * scale
            let first = min(max(0, Int((center - 3 * width).rounded(.down))), source - 1)
            let end = max(min(source, Int((center + 3 * width).rounded(.up))), first + 1)
            let shares = (first..<end).map { Self.lanczos((Double($0) + 0.5 - center) / width) }
            let sum = shares.reduce(0, +)
            starts.append(first)
            weights.append(shares.map { Float($0 / sum) })
        }
        self.starts = starts
        self.weights = weights
    }

    private static func lanczos(_ distance: Double) -> Double {
        guard abs(distance) < 3 else { return 0 }
        guard distance != 0 else { return 1 }
        let angle = Double.pi * distance
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }

    /// Mixes a row of pixels.
    func mix(_ row: [SIMD4<Float>], into mixed: inout [SIMD4<Float>]) {
        row.withUnsafeBufferPointer { row in
            for place in starts.indices {
                var sum = SIMD4<Float>.zero
                var next = starts[place]
                for weight in weights[place] {
                    sum += row[next] * weight
                    next += 1
                }
                mixed[place] = sum
            }
        }
    }
}
