package import EarshotSignatures

/// The root of a search: decides which round every leaf is asked, and joins what they answer.
///
/// A leaf is a catalog over some of the segments. Whoever owns the search asks all leaves, on this machine or over a network:
///
/// ```swift
/// var search = CatalogSearch(query, totals: totals)
/// while let round = search.round {
///     search.take(leaves.map { $0.catalog.answer(round, to: query, parts: $0.parts) })
/// }
/// ```
package struct CatalogSearch: Sendable {
    /// The round to be asked; `nil` once the search has ended.
    package private(set) var round: SearchRound?
    /// Whether it ended without an answer because the query's spectrogram, which whoever asks keeps, would tell more.
    package private(set) var wantsSpectrogram = false
    /// The segments that the last round searched, ascending, each once.
    package private(set) var segments: [Int] = []
    /// Candidates of all leaves, best first; those whose score reaches the threshold are answers.
    package private(set) var candidates: [Candidate] = []
    /// What was read of the index.
    package private(set) var work = SearchWork()

    /// - Parameter totals: Of the whole catalog.
    package init(_ query: Signature, totals: SearchTotals, parameters: MatchingParameters = MatchingParameters()) {
        round = SearchRound(kind: .quick, totals: totals)
    }

    /// Joins the answers of all leaves to the round, and decides what is next.
    ///
    /// A segment that two answers name counts in the first of them. Of one that no answer names, candidates of an earlier round stay.
    package mutating func take(_ answers: [RoundAnswer]) {
        round = nil
    }

    /// Whether all segments of the whole were searched in the last round.
    package var isComplete: Bool { false }

    /// The references that are answered, best first.
    package var references: [ReferenceMatch] { [] }
}
