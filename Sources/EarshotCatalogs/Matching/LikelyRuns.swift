/// Finds the likeliest sequence of intervals in which a reference is heard.
enum LikelyRuns {
    /// The log-likelihood that a change between heard and not heard must gain, in nats. Landmarks of one note come and
    /// go together, so this is more than independent ones would need.
    private static let changeCost = 15.0

    /// Returns the runs of bins in which the reference is heard.
    ///
    /// - Parameter gains: For each bin, the log-likelihood ratio of heard against not heard, in nats.
    static func runs(_ gains: [Double]) -> [Range<Int>] {
        // The best sums that end with heard and with not heard; and for each bin whether its best predecessor is heard.
        var (heard, quiet) = (-changeCost, 0.0)
        var (heardBefore, quietBefore): ([Bool], [Bool]) = ([], [])
        for gain in gains {
            // Of equal sums the shorter play is chosen.
            let enters = quiet - changeCost >= heard
            let leaves = heard - changeCost > quiet
            heardBefore.append(!enters)
            quietBefore.append(leaves)
            (heard, quiet) = (max(heard, quiet - changeCost) + gain, max(quiet, heard - changeCost))
        }
        var isHeard = heard - changeCost > quiet
        var runs: [Range<Int>] = []
        var end = gains.count
        for bin in stride(from: gains.count - 1, through: 0, by: -1) {
            let before = isHeard ? heardBefore[bin] : quietBefore[bin]
            if isHeard, !before || bin == 0 { runs.append(bin..<end) }
            if !isHeard, before { end = bin }
            isHeard = before
        }
        return runs.reversed()
    }
}
