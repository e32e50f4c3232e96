import EarshotCore
package import EarshotSignatures

/// The root of a search: decides which round every leaf is asked, and joins what they answer.
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
    /// The round to be asked; `nil` once the search has ended.
    package private(set) var round: SearchRound?
    /// `true` if the search ended without an answer because the query's spectrogram, which the caller has, would help.
    package private(set) var wantsSpectrogram = false
    /// Candidates of all leaves, best first; those whose score reaches the threshold are answers.
    package private(set) var candidates: [Candidate] = []
    /// The amount of the index that was read.
    package private(set) var work = SearchWork()

    private let totals: SearchTotals
    private let parameters: MatchingParameters
    private let hasSpectrogram: Bool
    private let canAddSpectrogram: Bool
    /// Segments that were searched in every round that counts.
    private var searched: Set<Int> = []
    private var found: [Candidate.Key: FoundReference] = [:]
    private var readings = ReferenceReadings()
    private var draws = ChanceDraws()
    private var chance: SearchChance?

    /// - Parameter totals: Of the whole catalog.
    package init(_ query: Signature, totals: SearchTotals, parameters: MatchingParameters = MatchingParameters()) {
        (self.totals, self.parameters) = (totals, parameters)
        hasSpectrogram = query.hasSpectrogram && totals.hasBits
        canAddSpectrogram = query.canAddSpectrogram && totals.hasBits
        round = SearchRound(kind: .quick, totals: totals)
    }

    /// The segments that were searched, ascending, each once. What an earlier round of a segment found stays where a later one is missing, and
    /// the segment is then not named.
    package var segments: [Int] { searched.sorted() }

    /// `true` if all segments of the whole were searched; of a part no absence can be told.
    package var isComplete: Bool { searched.count == totals.segmentCount }

    /// The references that are answered, best first.
    package var references: [ReferenceMatch] {
        candidates.filter(parameters.isAnswer).grouped(by: \.key).compactMap { key, candidates in
            found[key].map { ReferenceMatch($0, candidates, parameters) }
        }
    }

    /// Joins the answers of all leaves to the round, and decides what is next.
    ///
    /// A segment in two answers counts in the first of them. For a segment in no answer, candidates of an earlier round
    /// are kept.
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

    /// Scores candidates of several leaves beside each other, best first.
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

    /// Returns `true` if a quick answer lacks the spectrogram where it could change it: leaves cannot read it before they know chance in
    /// the whole.
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
