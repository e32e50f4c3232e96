import EarshotSignatures
import Foundation

/// The evidence of a query's spectrogram at positions in references: the map at their landmarks, the levels at their
/// bits, and the margin over other references.
///
/// All of it is computed on first use, because a query with clear landmarks needs none of it.
struct SoftEvidence {
    private struct Readers {
        var contrast: ContrastReader
        var bits: DenseBitReader
        var scan: ContrastScan
    }

    private let query: Signature
    private let matcher: Matcher
    private let chance: SearchChance?
    private var readers: Readers?
    private var isOpen = false
    /// The highest reading of each reference.
    private(set) var readings = ReferenceReadings()

    private var targets: [MaskedSegment] { matcher.targets }
    private var parameters: MatchingParameters { matcher.parameters }

    /// Creates evidence that is not read yet.
    ///
    /// - Parameter chance: The chance level of the spectrogram in the whole catalog. If `nil`, it is measured if the
    ///   segments are the whole; otherwise the spectrogram is not used.
    init(_ query: Signature, in matcher: Matcher, chance: SearchChance? = nil) {
        (self.query, self.matcher, self.chance) = (query, matcher, chance)
    }

    /// Takes over readings of earlier rounds.
    ///
    /// - Parameter others: Candidates of other leaves.
    mutating func take(_ known: [ReferenceReading], elsewhere others: [Candidate]) {
        readings.take(known)
        readings.take(elsewhere: others, parameters)
    }

    /// Returns `true` if the query has a spectrogram of sufficient length and the catalog has bits to compare it with.
    mutating func isThere() -> Bool {
        if !isOpen {
            isOpen = true
            if query.hasSpectrogram, matcher.totals.hasBits, chance.map({ $0.map != nil }) ?? matcher.isWhole,
                let contrast = ContrastReader(query, targets: targets, chance: chance?.map),
                let bits = DenseBitReader(query, targets: targets, chance: chance?.bits)
            {
                readers = Readers(contrast: contrast, bits: bits, scan: contrast.scan())
            }
        }
        return readers != nil
    }

    /// Reads the map at a candidate's place, unless it was read.
    mutating func read(_ candidate: inout Candidate) {
        guard candidate.contrast == nil, isThere(), let readers else { return }
        let segment = targets[candidate.segment].segment
        let reading = readers.contrast.reading(of: segment, candidate.reference, candidate.alignment)
        guard let reading else { return }
        candidate.contrast = reading
        readings.take(reading.deviations, of: candidate.key)
    }

    /// Reads map and bits at a candidate's place, unless they were read.
    mutating func readBits(_ candidate: inout Candidate) {
        read(&candidate)
        guard candidate.bitDeviations == nil, let contrast = candidate.contrast else { return }
        let segment = targets[candidate.segment].segment
        // Either of the two alignments may be the exact one.
        for alignment in [candidate.alignment, contrast.alignment] {
            guard let reached = readers?.bits.deviations(of: segment, candidate.reference, alignment) else { continue }
            candidate.bitDeviations = max(candidate.bitDeviations ?? -.infinity, reached)
        }
    }

    /// Reads the map at the positions of all candidates, and the bits at those that may be answers or compete with one.
    mutating func read(_ candidates: inout [Candidate]) {
        guard isThere() else { return }
        for index in candidates.indices where candidates[index].score >= parameters.threshold {
            readBits(&candidates[index])
        }
        let best = candidates.indices.filter { candidates[$0].contrast != nil }
            .sorted { candidates[$0].contrast?.deviations ?? 0 > candidates[$1].contrast?.deviations ?? 0 }
        for index in best.prefix(parameters.bitReadings) { readBits(&candidates[index]) }
        // All places of references that fit are read, because a recording may repeat itself.
        let fitting = ReferenceReadings.references(of: candidates, from: parameters.leastBits)
        for index in best where fitting.contains(candidates[index].key) { readBits(&candidates[index]) }
        readings.weigh(&candidates, parameters)
    }

    /// Returns the map, and the landmarks of a candidate's reference on it; `nil` if the spectrogram is not available.
    func marks(
        of candidate: Candidate,
        _ alignment: Alignment
    ) -> (map: ContrastMap, marks: [ContrastEvidence.Mark])? {
        guard let contrast = readers?.contrast else { return nil }
        let segment = targets[candidate.segment].segment
        return (contrast.map, contrast.marks(of: segment, candidate.reference, alignment))
    }

    /// Returns the highest joint score of the best candidates; see ``ReferenceReadings/bestScore(of:_:)``.
    @discardableResult
    mutating func bestScore(of candidates: inout [Candidate]) -> Double {
        guard isThere() else { return 0 }
        let first = ReferenceReadings.best(of: candidates)
        for index in first { readBits(&candidates[index]) }
        var known: [Int: Bool] = [:]
        let score = readings.bestScore(of: candidates, first, parameters) { index in
            let candidate = candidates[index]
            if let fits = candidate.fitsBetterOtherwise { return fits }
            guard let contrast = candidate.contrast, let readers else { return true }
            let segment = targets[candidate.segment].segment
            let fits = readers.contrast.fitsBetterOtherwise(at: contrast, of: segment, candidate.reference)
            known[index] = fits
            return fits
        }
        for (index, fits) in known { candidates[index].fitsBetterOtherwise = fits }
        return score
    }

    /// Returns the distance of the map from chance near a place, in standard deviations; `nil` without a map, or before
    /// ``isThere()`` was called.
    func deviations(of segment: Int, _ reference: Int, near guess: Alignment) -> Double? {
        guard let readers else { return nil }
        return readers.scan.deviations(of: targets[segment].segment, reference, near: guess)
    }

    /// Scans every reference with the map, and returns the best places as candidates that are not scored.
    mutating func scan(limit: Int, lanes: Int) -> [Candidate] {
        guard isThere(), let readers else { return [] }
        var found: [Candidate] = []
        let all = Lanes.map(targets, lanes: lanes) { readers.scan.places(in: $0, limit: limit) }
        for (index, places) in all.enumerated() {
            for place in places {
                var candidate = Candidate(
                    segment: index,
                    reference: place.reference,
                    alignment: Alignment(offset: Double(place.step), speed: 1, pitch: 0),
                    votes: 0,
                    inside: 0,
                    matched: 0,
                    evidence: 0,
                    tried: 1,
                    score: 0,
                    span: 0...0
                )
                read(&candidate)
                candidate.alignment = candidate.contrast?.alignment ?? candidate.alignment
                found.append(candidate)
            }
        }
        return found
    }
}
