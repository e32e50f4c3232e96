package import EarshotCore
package import EarshotSignatures
import Foundation

extension Catalog {
    /// Returns the evidence of one occurrence of a match.
    ///
    /// - Parameters:
    ///   - query: The signature that was matched, or a longer one that contains it.
    ///   - match: The occurrence.
    ///   - id: The reference that it is in.
    ///   - start: The position of the matched signature in `query`. A longer query is traced to both sides, because the
    ///     speed of a slice is not exact enough for the whole.
    ///   - limit: The largest number of coincidences to return.
    /// - Returns: `nil` if the catalog does not have the reference.
    /// - Throws: `internalError` if the index over references added since the catalog was opened cannot be built.
    package func evidence(
        for query: Signature,
        match: Placement,
        id: ReferenceID,
        from start: MediaTime = .zero,
        coincidences limit: Int = 3_000
    ) throws(EarshotError) -> MatchEvidence? {
        let targets = try matchTargets()
        guard let layout = Self.layout(query, on: id, in: targets) else { return nil }
        let alignment = layout.alignment(of: match, from: start)
        return layout.evidence(
            alignment,
            limit: max(1, limit),
            threshold: Self.leastEvidence(for: alignment, in: targets, MatchingParameters())
        )
    }

    /// Returns the landmarks of a query that a search uses, and marks those that a reference has too.
    ///
    /// - Parameters:
    ///   - query: The signature that was matched.
    ///   - occurrence: The match; `nil` if there is none.
    /// - Returns: The landmarks in order of time. None is marked as matched if there is no match or the catalog does
    ///   not have the reference.
    /// - Throws: `internalError` if the index over references added since the catalog was opened cannot be built.
    package func marks(
        of query: Signature,
        on occurrence: (id: ReferenceID, placement: Placement)?
    ) throws(EarshotError) -> [MatchEvidence.Mark] {
        guard let occurrence, let layout = Self.layout(query, on: occurrence.id, in: try matchTargets()) else {
            return query.thinned(to: MatchingParameters().queryDensity).landmarks.map {
                MatchEvidence.Mark($0, isInside: false, isMatched: false)
            }
        }
        return layout.marks(layout.alignment(of: occurrence.placement, from: .zero))
    }

    /// Returns the landmarks of a query beside those of a reference; `nil` if there is no reference of this name.
    private static func layout(_ query: Signature, on id: ReferenceID, in targets: [MaskedSegment]) -> EvidenceLayout? {
        // An earlier segment may have the same name, removed there.
        for target in targets {
            guard let number = target.segment.number(of: id), !target.removed.contains(number) else { continue }
            let landmarks = query.thinned(to: MatchingParameters().queryDensity).landmarks
            return EvidenceLayout(landmarks, segment: target.segment, reference: number)
        }
        return nil
    }

    /// The evidence that an answer at this alignment needs, in nats: the threshold plus the logarithm of the places and
    /// hypotheses that were tried.
    private static func leastEvidence(
        for alignment: Alignment,
        in targets: [MaskedSegment],
        _ parameters: MatchingParameters
    ) -> Double {
        let frames = SearchTotals(targets).frameCount
        let tried = PlayFinder.isPlain(alignment) ? 1 : Hypothesis.escalation.count + 1
        return parameters.threshold + log(Double(max(frames, parameters.leastFrameCount) * tried))
    }
}
