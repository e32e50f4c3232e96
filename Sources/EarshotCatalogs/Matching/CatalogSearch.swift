import EarshotCore
package import EarshotSignatures

/// The root of a search: decides which round the leaves are asked next, and joins their answers.
///
/// A leaf is a catalog over some of the segments. The owner of the search queries all leaves, on this machine or over a
/// network:
///
/// ```swift
/// var search = CatalogSearch(query, totals: totals)
/// while let round = search.round {
///     search.take(leaves.map { $0.catalog.answer(round, to: query, parts: $0.parts) })
/// }
/// ```
package struct CatalogSearch: Sendable {
    /// The round to ask the leaves; `nil` once the search has ended.
    package private(set) var round: SearchRound?
    /// `true` if the search ended without an answer, and the spectrogram that the caller can add would help.
    package private(set) var wantsSpectrogram = false
    /// Candidates of all leaves, best first. Those whose score reaches the threshold are answers.
    package private(set) var candidates: [Candidate] = []
    /// The amount of the index that was read.
    package private(set) var work = SearchWork()

    private let totals: SearchTotals
    private let parameters: MatchingParameters
    private let hasSpectrogram: Bool
    private let canAddSpectrogram: Bool
    /// The segments that were searched in every round that counts.
    private var searched: Set<Int> = []
    private var found: [Candidate.Key: FoundReference] = [:]
    private var readings = ReferenceReadings()
    private var draws = ChanceDraws()
    private var chance: SearchChance?

    /// Creates a search.
    ///
    /// - Parameter totals: The totals of the whole catalog.
    package init(_ query: Signature, totals: SearchTotals, parameters: MatchingParameters = MatchingParameters()) {
        (self.totals, self.parameters) = (totals, parameters)
        hasSpectrogram = query.hasSpectrogram && totals.hasBits
        canAddSpectrogram = query.canAddSpectrogram && totals.hasBits
        round = SearchRound(kind: .quick, totals: totals)
    }

    /// The segments that were searched, ascending. If a later round lacks a segment, the segment is not listed, but
    /// candidates that an earlier round found in it remain.
    package var segments: [Int] { searched.sorted() }

    /// `true` if all segments of the whole were searched. Otherwise the search cannot tell that a recording is absent.
    package var isComplete: Bool { searched.count == totals.segmentCount }

    /// The references whose score reaches the threshold, best first.
    package var references: [ReferenceMatch] {
        candidates.filter(parameters.isAnswer).grouped(by: \.key).compactMap { key, candidates in
            found[key].map { ReferenceMatch($0, candidates, parameters) }
        }
    }

    /// Joins the answers of all leaves to the current round, and decides which round is next.
    ///
    /// If two answers have the same segment, the first counts. If no answer has a segment, its candidates of an earlier
    /// round are kept.
    package mutating func take(_ answers: [RoundAnswer]) {
        guard let asked = round else { return }
        for answer in answers { work += answer.work }
        if let last = answers.first(where: \.isLast) {
            searched = join([last])
            (round, wantsSpectrogram) = (nil, last.work.wantsSpectrogram)
        } else {
            let new = join(answers)
            searched = asked.kind == .wide ? searched.intersection(new) : new
            round = next(after: asked)
        }
    }

    // MARK: - Joining

    /// Merges answers into the candidates.
    ///
    /// - Returns: The segments that the answers name.
    private mutating func join(_ answers: [RoundAnswer]) -> Set<Int> {
        var named: Set<Int> = []
        var joined: [Candidate] = []
        for answer in answers {
            let counted = Set(answer.segments.filter { (0..<totals.segmentCount).contains($0) }).subtracting(named)
            named.formUnion(counted)
            joined += answer.candidates.filter { counted.contains($0.segment) && $0.isSound }
            readings.take(answer.readings.lazy.filter { counted.contains($0.segment) })
            for reference in answer.references where counted.contains(reference.segment) {
                found[Candidate.Key(segment: reference.segment, reference: reference.number)] = reference
            }
            draws.map += answer.draws?.map ?? []
            draws.bits += answer.draws?.bits ?? []
        }
        joined += candidates.filter { !named.contains($0.segment) }
        candidates =
            answers.count > 1 || joined.count > (answers.first?.candidates.count ?? 0) ? ranked(joined) : joined
        if chance == nil, !draws.map.isEmpty { chance = SearchChance(draws) }
        return named
    }

    /// Scores candidates of several leaves against each other, best first.
    private func ranked(_ joined: [Candidate]) -> [Candidate] {
        var all = joined.map(\.byLandmarks)
        guard let first = all.byReference().first, !parameters.isClear(first) else { return all.byReference() }
        readings.weigh(&all, parameters)
        for index in all.indices where joined[index].landmarkScore != nil {
            all[index].landmarkScore = all[index].score
            all[index].score = all[index].together(leastBits: parameters.leastBits)
        }
        return all.byReference()
    }

    // MARK: - Rounds

    private mutating func next(after asked: SearchRound) -> SearchRound? {
        guard asked.kind != .wide else { return nil }
        let found = candidates.map(\.byLandmarks)
        if asked.kind == .quick, !parameters.isEnough(found) || misses(found, asked) { return following(.full) }
        guard !canAddSpectrogram || found.contains(where: parameters.isClear) else {
            (wantsSpectrogram, candidates) = (true, [])
            return nil
        }
        let isSure = found.contains(where: parameters.isSure)
        let best = isSure ? .infinity : readings.bestScore(of: found, parameters)
        let looksAgain: Bool
        if best >= parameters.likelyScore {
            looksAgain = false
        } else if totals.postingCount <= parameters.pairLimit {
            looksAgain = parameters.scans && hasSpectrogram
        } else {
            looksAgain =
                totals.postingCount <= parameters.secondLookLimit && !found.contains(where: parameters.isAnswer)
        }
        guard looksAgain || parameters.escalates && !isSure && best < parameters.sureScore else { return nil }
        var round = following(.wide)
        round.looksAgain = looksAgain
        return round
    }

    /// Returns `true` if a quick answer lacks a reading of the spectrogram that could change it. A leaf cannot read it
    /// before it knows chance in the whole catalog.
    private func misses(_ found: [Candidate], _ asked: SearchRound) -> Bool {
        guard hasSpectrogram, asked.chance == nil, !draws.map.isEmpty, let first = found.first else { return false }
        return !parameters.isClear(first) || parameters.alike(first, among: found).count > 1
    }

    private func following(_ kind: SearchRound.Kind) -> SearchRound {
        var round = SearchRound(kind: kind, totals: totals)
        round.carried = Array(candidates.prefix(SearchRound.mostCandidates))
        round.readings = Array(readings.all.prefix(ReferenceReadings.mostCarried))
        round.chance = chance
        return round
    }
}
