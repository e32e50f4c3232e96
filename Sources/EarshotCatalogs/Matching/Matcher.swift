import EarshotSignatures
import Foundation

/// Searches segments for a query: votes, verification, score against chance, and other speeds and pitches if the first
/// hypothesis gives no answer.
struct Matcher {
    let targets: [MaskedSegment]
    let parameters: MatchingParameters
    /// The totals of the whole catalog, of which the segments are a part.
    let totals: SearchTotals
    /// The position of each segment in the whole catalog.
    let parts: [SearchPart]
    /// The number of threads that work on the segments.
    let lanes: Int

    /// Creates a matcher for all segments of a catalog.
    init(_ targets: [MaskedSegment], parameters: MatchingParameters, lanes: Int = 1) {
        self.init(
            targets,
            parameters: parameters,
            totals: SearchTotals(targets),
            parts: SearchPart.whole(targets),
            lanes: lanes
        )
    }

    init(
        _ targets: [MaskedSegment],
        parameters: MatchingParameters,
        totals: SearchTotals,
        parts: [SearchPart],
        lanes: Int
    ) {
        (self.targets, self.parameters) = (targets, parameters)
        (self.totals, self.parts, self.lanes) = (totals, parts, lanes)
    }

    /// `true` if the search has all segments of the catalog.
    var isWhole: Bool { parts.count == totals.segmentCount }

    /// Returns every candidate that was scored, best first. Those whose score reaches the threshold are answers.
    func search(_ query: Signature) -> [Candidate] {
        var work = SearchWork()
        return search(query, counting: &work)
    }

    /// Returns every candidate that was scored, best first, and adds the amount of the index read to `work`.
    func search(_ query: Signature, counting work: inout SearchWork) -> [Candidate] {
        var root = CatalogSearch(query, totals: totals, parameters: parameters)
        guard var leaf = LeafSearch(query, in: self) else { return [] }
        while let round = root.round { root.take([leaf.look(round)]) }
        work += leaf.work
        guard !root.wantsSpectrogram else {
            work.wantsSpectrogram = true
            return []
        }
        return leaf.finish()
    }

    func window(
        _ segment: Segment,
        _ reference: Int,
        _ alignment: Alignment,
        _ verifier: Verifier,
        margin: Int
    ) -> ReferenceWindow {
        let begin = Int(alignment.offset) - margin
        let end = Int(alignment.offset + alignment.speed * verifier.lastTime) + margin
        return ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
    }
}
