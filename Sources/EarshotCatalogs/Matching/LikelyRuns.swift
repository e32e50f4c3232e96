/// The likeliest sequence of heard and not heard.
enum LikelyRuns {
    /// The log-likelihood that a change between heard and not heard must be worth. Landmarks of one note come and go together, so this
    /// is more than independent ones would ask for.
    private static let changeCost = 15.0

    /// The runs of bins in which it is heard.
    ///
    /// - Parameter gains: For each bin, the log-likelihood that it is heard against that it is not.
    static func runs(_ gains: [Double]) -> [Range<Int>] {
        // The best sum with the reference heard in a bin, and not heard; where each came from.
        var (heard, quiet) = (-changeCost, 0.0)
        var (heardBefore, quietBefore): ([Bool], [Bool]) = ([], [])
        for gain in gains {
            // Of equal ones the shorter play.
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
