import EarshotSignatures

extension Verifier {
    /// The distance to either side of a position over which chance is measured: 60 s.
    static let surroundings = 60 * Landmark.stepsPerSecond
    /// The fewest landmarks inside a reference for a place to count.
    static let leastInside = 16

    /// Returns the shares of matching landmarks with the query at up to 24 other positions of the same reference.
    ///
    /// - Parameters:
    ///   - alignment: The match, which is not among the positions.
    ///   - inside: The number of landmarks inside the reference at the match. Positions with fewer than half of them
    ///     are left out.
    ///   - window: The reference, ``surroundings`` around the match.
    func sharesElsewhere(_ alignment: Alignment, inside: Int, on window: ReferenceWindow) -> [Double] {
        let second = Double(Landmark.stepsPerSecond)
        var shares: [Double] = []
        for step in 1...12 {
            for side in [-1.0, 1.0] {
                var shifted = alignment
                // Distances without a common beat: multiples of 1.37 s, each a little further.
                shifted.offset += side * (Double(step) * 1.37 + Double(step * step) * 0.053) * second
                let tally = tally(on: window, shifted)
                if tally.inside * 2 >= inside, tally.inside >= Self.leastInside { shares.append(tally.share) }
            }
        }
        return shares
    }
}
