/// The match of a name with a query.
struct NameMatch: Hashable {
    let reason: CandidateReason
    /// From 0 to 1.
    let score: Double

    /// A match that covers a share of the name, from 0 to 1.
    init(_ reason: CandidateReason, coverage: Double = 1) {
        self.reason = reason
        let range = reason.range
        score = range.lowerBound + (range.upperBound - range.lowerBound) * min(1, max(0, coverage))
    }
}
