/// The values of a query's spectrogram at positions drawn over a whole catalog, as far as a leaf has them.
package struct ChanceDraws: Hashable, Sendable, Codable {
    /// The values read at one position.
    package struct Draw: Hashable, Sendable, Codable {
        /// The index of the draw, from 0.
        package var number: Int
        package var sum: Double
        /// Landmarks, or bits, that were summed.
        package var count: Int
    }

    /// The map at landmarks.
    package var map: [Draw] = []
    /// The spectrogram at bits, at the pitch of the reference.
    package var bits: [Draw] = []
}

/// The chance level of a query's spectrogram in a whole catalog.
package struct SearchChance: Hashable, Sendable, Codable {
    /// Of one landmark, or of one bit.
    package struct Measure: Hashable, Sendable, Codable {
        package var mean: Double
        package var deviation: Double
    }

    /// Of the map at a landmark; `nil` where too few places were drawn, and the spectrogram is not used.
    package var map: Measure?
    /// Of the spectrogram at a bit.
    package var bits: Measure
}

extension SearchChance.Measure {
    /// Measures what one landmark or bit gives.
    ///
    /// - Parameters:
    ///   - draws: In their order, so that sums are the same wherever they were read.
    ///   - least: Draws that are needed.
    init?(_ draws: [ChanceDraws.Draw], least: Int, leastDeviation: Double) {
        guard draws.count >= least else { return nil }
        let mean = draws.reduce(0) { $0 + $1.sum } / draws.reduce(0) { $0 + Double($1.count) }
        let variance = draws.reduce(0) { sum, draw in
            let excess = draw.sum - mean * Double(draw.count)
            return sum + excess * excess / Double(draw.count)
        }
        self.init(mean: mean, deviation: max(leastDeviation, (variance / Double(draws.count)).squareRoot()))
    }
}

extension SearchChance {
    /// `true` if its numbers are such as are measured. What comes from another machine may be any.
    var isSound: Bool {
        [map, bits].compactMap(\.self).allSatisfy { abs($0.mean) < 1e9 && $0.deviation >= 0.1 && $0.deviation < 1e9 }
    }

    /// Chance in the whole, of what all leaves have drawn.
    init(_ draws: ChanceDraws) {
        func inOrder(_ draws: [ChanceDraws.Draw]) -> [ChanceDraws.Draw] {
            let known = Dictionary(draws.map { ($0.number, $0) }) { first, _ in first }
            return known.values.filter { $0.count > 0 && $0.sum.isFinite }.sorted { $0.number < $1.number }
        }
        self.init(map: ContrastReader.chance(inOrder(draws.map)), bits: DenseBitReader.chance(inOrder(draws.bits)))
    }
}
