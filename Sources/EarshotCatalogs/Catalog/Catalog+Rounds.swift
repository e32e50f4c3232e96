package import EarshotCore
package import EarshotSignatures

extension Catalog {
    /// The totals of all segments, for a search whose only leaf is this catalog.
    package var totals: SearchTotals {
        get throws(EarshotError) { SearchTotals(try matchTargets()) }
    }

    /// Answers one round of a search in which this catalog has some of the segments.
    ///
    /// - Parameters:
    ///   - round: The round that the root asks for.
    ///   - query: The signature of the recording, the same in all rounds.
    ///   - parts: For each segment of this catalog its position in the whole; `nil` for a segment that is not to be
    ///     searched.
    /// - Throws: The errors of ``match(_:isThorough:)`` except `moreEvidence`, which the root decides; `requestInvalid`
    ///   if `parts` does not have one entry for each segment, or the segments do not fit into the totals of the round.
    package func answer(
        _ round: SearchRound,
        to query: Signature,
        parts: [SearchPart?],
        parameters: MatchingParameters = MatchingParameters()
    ) throws(EarshotError) -> RoundAnswer {
        try check(query)
        let all = try matchTargets()
        guard parts.count == all.count else {
            throw EarshotError(
                .requestInvalid,
                "The round names \(parts.count) segments of \(name), which has \(all.count): ask for the segments that it has."
            )
        }
        let chosen = zip(all, parts).compactMap { target, part in part.map { (target: target, part: $0) } }
            .sorted { $0.part.segment < $1.part.segment }
        let targets = chosen.map(\.target)
        guard SearchTotals(targets).fits(into: round.totals, as: chosen.map(\.part)), round.chance?.isSound ?? true
        else {
            throw EarshotError(
                .requestInvalid,
                "The segments of \(name) do not fit into the whole that the round tells of: ask again with its totals."
            )
        }
        let lanes = lanes.take(for: targets, parameters)
        defer { self.lanes.giveBack(lanes) }
        let matcher = Matcher(
            targets,
            parameters: parameters,
            totals: round.totals,
            parts: chosen.map(\.part),
            lanes: lanes
        )
        var answer = matcher.answer(round, to: query)
        // Joining may change a score to that of the landmarks alone, or to one against rivals of other leaves. So every
        // candidate that may become an answer is named.
        let named = answer.candidates.filter {
            max($0.score, $0.landmarkScore ?? $0.score) >= parameters.threshold
                || $0.bitDeviations ?? 0 >= parameters.leastBits
        }
        for (key, _) in named.grouped(by: \.key) { answer.references.append(try found(key, in: targets)) }
        matcher.renumber(&answer)
        return answer
    }
}

extension SearchTotals {
    /// Returns `true` if segments of this size may be parts of a whole.
    fileprivate func fits(into whole: SearchTotals, as parts: [SearchPart]) -> Bool {
        let most = 1 << 48
        guard whole.frameCount <= most, whole.postingCount <= most, frameCount <= whole.frameCount,
            postingCount <= whole.postingCount, segmentCount <= whole.segmentCount, whole.hasBits || !hasBits
        else { return false }
        return zip(parts, parts.dropFirst()).allSatisfy { $0.segment < $1.segment }
            && parts.allSatisfy {
                (0..<whole.segmentCount).contains($0.segment) && (0...whole.frameCount).contains($0.firstFrame)
            }
    }
}
