/// The answer of a leaf to a round.
package struct RoundAnswer: Sendable, Codable {
    /// The segments that were searched, by their numbers in the whole.
    package var segments: [Int]
    /// Candidates in these segments, carried ones too, best first.
    package var candidates: [Candidate] = []
    /// The references of candidates that may be answered.
    package var references: [FoundReference] = []
    /// The highest readings of the query's map, highest first.
    package var readings: [ReferenceReading] = []
    /// The draws that measure chance in the whole catalog, those in these segments; only of the first round.
    package var draws: ChanceDraws?
    package var work = SearchWork()
    /// `true` if no segment lies elsewhere, so that the leaf has done all rounds itself.
    package var isLast = false

    package init(segments: [Int]) { self.segments = segments }
}
