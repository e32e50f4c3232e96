package import EarshotCore
package import EarshotSignatures

extension Catalog {
    /// Answers a round of a search of which this catalog has a part of the segments.
    ///
    /// - Parameters:
    ///   - round: What the root asks.
    ///   - query: The signature of a recording, the same in all rounds.
    ///   - parts: For each segment of this catalog its place in the whole; `nil` for one that is not to be searched.
    /// - Throws: As ``match(_:isThorough:)``.
    package func answer(
        _ round: SearchRound,
        to query: Signature,
        parts: [SearchPart?],
        parameters: MatchingParameters = MatchingParameters()
    ) throws(EarshotError) -> RoundAnswer {
        RoundAnswer(segments: parts.compactMap { $0?.segment })
    }

    /// The size of all segments, for a search whose only leaf is this catalog.
    package var totals: SearchTotals {
        get throws(EarshotError) { SearchTotals(try matchTargets()) }
    }
}
