import EarshotDSP
import Foundation

/// Adds the powers of Fourier bins up to 20 bands, equally spaced on the mel scale from 60 Hz to 7.6 kHz.
struct BandFilter: Sendable {
    private struct Triangle: Sendable {
        var first: Int
        var weights: [Float]
    }

    private let triangles: [Triangle]

    init() {
        func mel(_ frequency: Double) -> Double { 2595 * log10(1 + frequency / 700) }
        func frequency(_ mel: Double) -> Double { 700 * (pow(10, mel / 2595) - 1) }
        let count = SpectralFrames.bandCount
        let spacing = Double(SpectralFrames.sampleRate) / Double(SpectralFrames.size)
        let edges = (0..<count + 2).map {
            frequency(mel(60) + (mel(7600) - mel(60)) * Double($0) / Double(count + 1)) / spacing
        }
        triangles = (0..<count).map { band in
            let (low, middle, high) = (edges[band], edges[band + 1], edges[band + 2])
            let first = max(1, Int(low.rounded(.up)))
            let last = max(first, Int(high.rounded(.down)))
            let weights = (first...last).map { bin in
                let place = Double(bin)
                let weight = place < middle ? (place - low) / (middle - low) : (high - place) / (high - middle)
                return Float(max(0, weight))
            }
            // The lowest bands are narrower than two bins.
            return weights.reduce(0, +) > 0
                ? Triangle(first: first, weights: weights)
                : Triangle(first: max(1, Int(middle.rounded())), weights: [1])
        }
    }

    /// The bands of eight rows.
    ///
    /// - Parameters:
    ///   - powers: From bin 1 on.
    ///   - bands: The bands of the rows, row by row, are added here.
    func apply(_ powers: [FourierPlan.Lanes], to bands: inout [Float]) {
        let count = SpectralFrames.bandCount
        let start = bands.count
        for _ in 0..<8 * count { bands.append(0) }
        powers.withUnsafeBufferPointer { powers in
            for (band, triangle) in triangles.enumerated() {
                var sum = FourierPlan.Lanes.zero
                for (index, weight) in triangle.weights.enumerated() {
                    sum += powers[triangle.first - 1 + index] * weight
                }
                for lane in 0..<8 { bands[start + lane * count + band] = sum[lane] }
            }
        }
    }
}
