/// The values of a query's spectrogram at positions drawn over a whole catalog, for the segments that a leaf has.
package struct ChanceDraws: Hashable, Sendable, Codable {
    /// The values read at one position.
    package struct Draw: Hashable, Sendable, Codable {
        /// The number of the draw, from 0.
        package var number: Int
        package var sum: Double
        /// The number of landmarks or bits in the sum.
        package var count: Int
    }

    /// The sums of the query's contrast map at the landmarks around each drawn position, for positions with at least 12 landmarks inside
    /// the query; empty if the query has no contrast map.
    package var map: [Draw] = []
    /// The sums of the query's spectrogram at the bits around each drawn position, at the pitch of the reference.
    package var bits: [Draw] = []
}

/// The chance level of a query's spectrogram in a whole catalog.
package struct SearchChance: Hashable, Sendable, Codable {
    /// The chance level of one landmark or one bit.
    package struct Measure: Hashable, Sendable, Codable {
        package var mean: Double
        package var deviation: Double
    }

    /// The level of the map at a landmark; `nil` if too few places were drawn, and the spectrogram is then not used.
    package var map: Measure?
    /// The level of the spectrogram at a bit.
    package var bits: Measure
}

extension SearchChance.Measure {
    /// Measures the chance level of one landmark or bit; `nil` if there are too few draws.
    ///
    /// - Parameters:
    ///   - draws: The draws in order of their numbers, so that the sums do not depend on which leaf read them.
    ///   - least: The fewest draws.
    ///   - leastDeviation: The least standard deviation that is returned.
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
    /// `true` if its numbers are in the range of measured ones. Numbers from another machine may be any.
    var isSound: Bool {
        [map, bits].compactMap(\.self).allSatisfy { abs($0.mean) < 1e9 && $0.deviation >= 0.1 && $0.deviation < 1e9 }
    }

    /// Measures chance in the whole catalog from the draws of all leaves.
    init(_ draws: ChanceDraws) {
        func inOrder(_ draws: [ChanceDraws.Draw]) -> [ChanceDraws.Draw] {
            let known = Dictionary(draws.map { ($0.number, $0) }) { first, _ in first }
            return known.values.filter { $0.count > 0 && $0.sum.isFinite }.sorted { $0.number < $1.number }
        }
        self.init(map: ContrastReader.chance(inOrder(draws.map)), bits: DenseBitReader.chance(inOrder(draws.bits)))
    }
}
