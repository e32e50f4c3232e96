import EarshotSignatures
import Foundation

/// What the spectrogram of a query says about places in references: its map at their landmarks, its rises at their bits, and how
/// much more than at any other reference.
///
/// All of it is worked out when it is first needed: a query whose landmarks are clear needs none of it.
struct SoftEvidence {
    private struct Readers {
        var contrast: ContrastReader
        var bits: DenseBitReader
        var scan: ContrastScan
    }

    private let query: Signature
    private let targets: [MaskedSegment]
    private let parameters: MatchingParameters
    private var readers: Readers?
    private var isOpen = false
    /// The highest reading of each reference.
    private var highest: [Candidate.Key: Double] = [:]

    init(_ query: Signature, targets: [MaskedSegment], parameters: MatchingParameters) {
        self.query = query
        self.targets = targets
        self.parameters = parameters
    }

    /// Whether there is a spectrogram of the query, enough of it, and bits to hold it against.
    mutating func isThere() -> Bool {
        if !isOpen {
            isOpen = true
            if query.hasSpectrogram, targets.contains(where: \.segment.hasBits),
                let contrast = ContrastReader(query, targets: targets),
                let bits = DenseBitReader(query, targets: targets)
            {
                readers = Readers(contrast: contrast, bits: bits, scan: contrast.scan())
            }
        }
        return readers != nil
    }

    /// Reads the map at a candidate's place.
    mutating func read(_ candidate: inout Candidate) {
        guard candidate.contrast == nil, isThere(), let readers else { return }
        let segment = targets[candidate.segment].segment
        let reading = readers.contrast.reading(of: segment, candidate.reference, candidate.alignment)
        guard let reading else { return }
        candidate.contrast = reading
        highest[candidate.key] = max(highest[candidate.key] ?? -.infinity, reading.deviations)
    }

    /// Reads map and bits at a candidate's place.
    mutating func readBits(_ candidate: inout Candidate) {
        read(&candidate)
        guard candidate.bitDeviations == nil, let contrast = candidate.contrast else { return }
        let segment = targets[candidate.segment].segment
        // Either may be the exact one.
        for alignment in [candidate.alignment, contrast.alignment] {
            guard let reached = readers?.bits.deviations(of: segment, candidate.reference, alignment) else { continue }
            candidate.bitDeviations = max(candidate.bitDeviations ?? -.infinity, reached)
        }
    }

    /// Reads the map at all candidates' places, and the bits at those that may be answers or stand in their way.
    mutating func read(_ candidates: inout [Candidate]) {
        guard isThere() else { return }
        for index in candidates.indices where candidates[index].score >= parameters.threshold {
            readBits(&candidates[index])
        }
        let best = candidates.indices.filter { candidates[$0].contrast != nil }
            .sorted { candidates[$0].contrast?.deviations ?? 0 > candidates[$1].contrast?.deviations ?? 0 }
        for index in best.prefix(parameters.bitReadings) { readBits(&candidates[index]) }
        // Of references that fit, all places: a recording may repeat itself.
        let fitting = references(of: candidates, from: parameters.leastBits)
        for index in best where fitting.contains(candidates[index].key) { readBits(&candidates[index]) }
        weigh(&candidates)
    }

    /// The map, and the landmarks of a candidate's reference on it.
    func marks(
        of candidate: Candidate,
        _ alignment: Alignment
    ) -> (map: ContrastMap, marks: [ContrastEvidence.Mark])? {
        guard let contrast = readers?.contrast else { return nil }
        let segment = targets[candidate.segment].segment
        return (contrast.map, contrast.marks(of: segment, candidate.reference, alignment))
    }

    /// Works out margins. Of references that fit by their bits too, one is a copy of another or shares something with it: they do not
    /// speak against each other, but against all others.
    private func weigh(_ candidates: inout [Candidate]) {
        let fitting = references(of: candidates, from: parameters.fittingBits)
        let highest = highest.sorted { $0.value > $1.value }
        for index in candidates.indices {
            guard let contrast = candidates[index].contrast else { continue }
            // Even without another candidate, chance reaches so much somewhere.
            let own = candidates[index].key
            let isFitting = fitting.contains(own)
            let other = highest.first { $0.key != own && !(isFitting && fitting.contains($0.key)) }
            candidates[index].margin = contrast.deviations - max(2, other?.value ?? 2)
        }
    }

    /// References with a candidate whose bits stand so far above chance.
    private func references(of candidates: [Candidate], from deviations: Double) -> Set<Candidate.Key> {
        Set(candidates.filter { $0.bitDeviations ?? 0 >= deviations }.map(\.key))
    }

    /// The highest score of the best candidates that no other speed or pitch about its middle fits better; 0 if there is none. A
    /// recording played faster fits its reference about one moment, and one played higher has the same rhythm.
    mutating func bestScore(of candidates: inout [Candidate]) -> Double {
        guard isThere() else { return 0 }
        let first = candidates.indices.filter { candidates[$0].contrast != nil }
            .sorted { candidates[$0].contrast?.deviations ?? 0 > candidates[$1].contrast?.deviations ?? 0 }.prefix(4)
        for index in first { readBits(&candidates[index]) }
        var best = first.map { candidates[$0] }
        weigh(&best)
        return best.reduce(0) { highest, candidate in
            let score = candidate.together(leastBits: parameters.leastBits)
            guard score > highest, score >= parameters.likelyScore, let contrast = candidate.contrast, let readers
            else {
                return highest
            }
            let segment = targets[candidate.segment].segment
            let fitsBetter = readers.contrast.fitsBetterOtherwise(at: contrast, of: segment, candidate.reference)
            return fitsBetter ? highest : score
        }
    }

    /// Returns the distance of the map from chance near a place, in standard deviations; `nil` without a map.
    mutating func deviations(of segment: Int, _ reference: Int, near guess: Alignment) -> Double? {
        guard isThere(), let readers else { return nil }
        return readers.scan.deviations(of: targets[segment].segment, reference, near: guess)
    }

    /// Places found by laying the map on every frame of every reference.
    mutating func scan(limit: Int) -> [Candidate] {
        guard isThere(), let readers else { return [] }
        var found: [Candidate] = []
        for index in targets.indices {
            for place in readers.scan.places(in: targets[index], limit: limit) {
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
