import EarshotSignatures

extension Verifier {
    /// The distance to either side of a position over which chance is measured: 60 s.
    static let surroundings = 60 * Landmark.stepsPerSecond
    /// Landmarks that must lie inside a reference for a place to count.
    static let leastInside = 16

    /// The shares that fit when the query lies elsewhere in the same reference, at up to 24 places.
    ///
    /// - Parameters:
    ///   - alignment: The place in question, which is not among them.
    ///   - inside: Landmarks inside the reference there; a place with fewer than half of them is left out.
    ///   - window: The reference, ``surroundings`` around the place.
    func sharesElsewhere(_ alignment: Alignment, inside: Int, on window: ReferenceWindow) -> [Double] {
        let second = Double(Landmark.stepsPerSecond)
        var shares: [Double] = []
        for step in 1...12 {
            for side in [-1.0, 1.0] {
                var shifted = alignment
                // Distances that share no beat: multiples of 1.37 s, each a little further.
                shifted.offset += side * (Double(step) * 1.37 + Double(step * step) * 0.053) * second
                let tally = tally(on: window, shifted)
                if tally.inside * 2 >= inside, tally.inside >= Self.leastInside { shares.append(tally.share) }
            }
        }
        return shares
    }
}
