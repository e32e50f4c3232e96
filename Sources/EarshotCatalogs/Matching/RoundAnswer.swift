/// The answer of a leaf to a round.
package struct RoundAnswer: Sendable, Codable {
    /// The segments that were searched, by their numbers in the whole catalog.
    package var segments: [Int]
    /// Candidates in these segments, including carried ones, best first.
    package var candidates: [Candidate] = []
    /// The references of candidates that may become answers.
    package var references: [FoundReference] = []
    /// The highest readings of the query's map, highest first.
    package var readings: [ReferenceReading] = []
    /// The draws from these segments that measure chance in the whole catalog; `nil` after the first round.
    package var draws: ChanceDraws?
    package var work = SearchWork()
    /// `true` if this leaf has all segments and has run all rounds itself.
    package var isLast = false

    package init(segments: [Int]) { self.segments = segments }
}
