import EarshotCore
import EarshotSignatures

/// Finds references that have audio in common with a signature.
///
/// A few slices are searched. If several of them lie on one line of time against reference time, the whole signature is
/// compared with the reference along that line, in pieces of 5 s.
struct DuplicateFinder {
    /// The largest number of slices that are searched, and the length of each, in seconds.
    private static let sliceCount = 5
    private static let sliceSeconds = 10
    /// The length of a piece that is compared, in steps: 5 s.
    private static let pieceSteps = 5 * Landmark.stepsPerSecond
    /// The fewest landmarks of a piece that is counted; a quieter piece is ignored.
    private static let leastLandmarks = 12
    /// The share of matching landmarks from which a piece fits. Between encodings of one recording it is about 0.9, by
    /// chance 0.1 to 0.25.
    private static let fittingShare = 0.5
    /// The coverage from which a recording counts as covered.
    private static let covered = 0.9
    /// The largest relative difference in speed between two copies of a recording: 0.5 %.
    private static let sameSpeed = 0.005

    private let targets: [MaskedSegment]
    private let parameters: MatchingParameters

    init(_ targets: [MaskedSegment]) {
        self.targets = targets
        var parameters = MatchingParameters()
        // Copies are alike, so a third of the landmarks with half the pairs finds them.
        parameters.queryDensity = 24
        parameters.queryFanOut = 5
        parameters.candidateCount = 12
        parameters.escalates = false
        self.parameters = parameters
    }

    /// Returns references with common audio: those of the same recording first, then by coverage.
    func duplicates(of signature: Signature) -> [Duplicate] {
        let kept = signature.thinned(to: Reference.density)
        guard !kept.isEmpty else { return [] }
        let identical = identical(to: kept)
        return identical.isEmpty ? similar(to: kept) : identical
    }

    // MARK: - Equal signatures

    private func identical(to signature: Signature) -> [Duplicate] {
        // The upper half of the digest covers the audio, the lower half the items.
        let digest = Reference(id: "", signature: signature, items: []).contentDigest >> 32
        var found: [Duplicate] = []
        for target in targets {
            for number in 0..<target.segment.referenceCount
            where target.segment.records[number].contentDigest >> 32 == digest && !target.removed.contains(number) {
                guard let reference = target.segment.reference(number), reference.signature == signature else {
                    continue
                }
                found.append(
                    Duplicate(
                        id: reference.id,
                        relation: .identical,
                        coverage: 1,
                        referenceCoverage: 1,
                        speed: 1,
                        offset: .zero
                    )
                )
            }
        }
        return found
    }

    // MARK: - Equal audio

    /// A slice found in a reference: the middle of the slice in both, in steps.
    private struct Hit {
        var slice: Int
        var time: Double
        var referenceTime: Double
        var speed: Double

        /// The distance of another hit from the line through this one at speed 1, in steps.
        func drift(of other: Hit) -> Double { (other.referenceTime - referenceTime) - (other.time - time) }
    }

    private struct Place: Hashable {
        var target: Int
        var reference: Int
    }

    private func similar(to signature: Signature) -> [Duplicate] {
        var hits: [Place: [Hit]] = [:]
        let matcher = Matcher(targets, parameters: parameters)
        for (index, slice) in Self.slices(of: signature).enumerated() {
            let middle = slice.signature.duration.seconds / 2 * Double(Landmark.stepsPerSecond)
            let start = Double(slice.offset.converted(toTimescale: Int32(Landmark.stepsPerSecond)).value)
            for candidate in matcher.search(slice.signature) where candidate.score >= parameters.threshold {
                let place = Place(target: candidate.segment, reference: candidate.reference)
                hits[place, default: []].append(
                    Hit(
                        slice: index,
                        time: start + middle,
                        referenceTime: candidate.alignment.offset + candidate.alignment.speed * middle,
                        speed: candidate.alignment.speed
                    )
                )
            }
        }
        let order = hits.keys.sorted { ($0.target, $0.reference) < ($1.target, $1.reference) }
        let found = order.compactMap { compare(signature, with: $0, Self.consensus(hits[$0] ?? [])) }
        return found.enumerated().sorted {
            let (left, right) = ($0.element, $1.element)
            if left.isSameRecording != right.isSameRecording { return left.isSameRecording }
            if left.coverage != right.coverage { return left.coverage > right.coverage }
            return $0.offset < $1.offset
        }.map(\.element)
    }

    /// Cuts evenly spread slices; a short signature gives one.
    private static func slices(of signature: Signature) -> [Signature.Slice] {
        let seconds = signature.duration.seconds
        let count = min(sliceCount, max(1, Int(seconds / Double(sliceSeconds + 2))))
        let length = min(Double(sliceSeconds), seconds)
        return (0..<count).map { index in
            let middle = (Double(index) + 0.5) / Double(count) * seconds
            return signature.slice(
                from: MediaTime(seconds: max(0, middle - length / 2)),
                duration: MediaTime(seconds: length)
            )
        }
    }

    /// Returns the largest set of hits on one line, with the nearest hit of each slice.
    private static func consensus(_ hits: [Hit]) -> [Hit] {
        var best: [Hit] = []
        for anchor in hits {
            var near: [Int: Hit] = [:]
            for hit in hits {
                // The tolerance: 0.1 s, plus 0.5 % of the distance for a difference in speed.
                let limit = 0.1 * Double(Landmark.stepsPerSecond) + sameSpeed * abs(hit.time - anchor.time)
                guard abs(anchor.drift(of: hit)) <= limit else { continue }
                let other = near[hit.slice]
                if other.map({ abs(anchor.drift(of: hit)) < abs(anchor.drift(of: $0)) }) ?? true {
                    near[hit.slice] = hit
                }
            }
            if near.count > best.count { best = near.values.sorted { $0.time < $1.time } }
        }
        return best
    }

    private static func line(through hits: [Hit]) -> Alignment? {
        guard let first = hits.first, let last = hits.last else { return nil }
        let speed =
            last.time > first.time ? (last.referenceTime - first.referenceTime) / (last.time - first.time) : first.speed
        let time = hits.reduce(0) { $0 + $1.time } / Double(hits.count)
        let reference = hits.reduce(0) { $0 + $1.referenceTime } / Double(hits.count)
        return Alignment(offset: reference - speed * time, speed: speed, pitch: 0)
    }

    /// Compares the whole signature with a reference along a line, piece by piece. `nil` if they have too little in
    /// common.
    private func compare(_ signature: Signature, with place: Place, _ hits: [Hit]) -> Duplicate? {
        guard let line = Self.line(through: hits) else { return nil }
        let segment = targets[place.target].segment
        guard let id = segment.id(place.reference) else { return nil }
        let second = Double(Landmark.stepsPerSecond)
        let duration = signature.duration.seconds * second
        let referenceDuration = segment.records[place.reference].duration.seconds * second
        var (fitting, other, quiet) = (0.0, 0.0, 0.0)
        var lower = 0
        var begin = 0.0
        while begin < duration {
            let end = min(duration, begin + Double(Self.pieceSteps))
            var upper = lower
            while upper < signature.landmarks.count, Double(signature.landmarks[upper].time) < end { upper += 1 }
            let landmarks = Array(signature.landmarks[lower..<upper])
            lower = upper
            let from = line.offset + line.speed * begin
            let isInside =
                from + line.speed * (end - begin) / 2 >= 0 && from + line.speed * (end - begin) / 2 <= referenceDuration
            if landmarks.count < Self.leastLandmarks {
                if isInside { quiet += end - begin }
            } else if isInside, fits(landmarks, line, segment, place.reference) {
                fitting += end - begin
            } else {
                other += end - begin
            }
            begin = end
        }
        guard fitting > 0 else { return nil }
        let coverage = fitting / (fitting + other)
        let referenceCoverage = min(1, (fitting + quiet) * line.speed / max(referenceDuration, 1))
        let relation: Duplicate.Relation
        switch (coverage >= Self.covered, referenceCoverage >= Self.covered) {
        case (true, true): relation = abs(line.speed - 1) <= Self.sameSpeed ? .sameRecording : .overlap
        case (true, false): relation = .excerpt
        case (false, true): relation = .extended
        case (false, false):
            // Less than 15 s, or less than half of both, is a phrase or a sample that two recordings share.
            guard fitting >= 15 * second || max(coverage, referenceCoverage) >= 0.5 else { return nil }
            relation = .overlap
        }
        return Duplicate(
            id: id,
            relation: relation,
            coverage: coverage,
            referenceCoverage: referenceCoverage,
            speed: line.speed,
            offset: MediaTime(seconds: line.offset / second, preferredTimescale: 1_000)
        )
    }

    private func fits(_ landmarks: [Landmark], _ line: Alignment, _ segment: Segment, _ reference: Int) -> Bool {
        let first = line.offset + line.speed * Double(landmarks.first?.time ?? 0)
        let last = line.offset + line.speed * Double(landmarks.last?.time ?? 0)
        let margin = Double(Landmark.stepsPerSecond)
        let window = ReferenceWindow(
            segment,
            reference: reference,
            steps: Int(first - margin)..<Int(max(first, last) + margin)
        )
        let tally = Verifier(landmarks).tally(on: window, line)
        return tally.inside * 2 >= landmarks.count && tally.share >= Self.fittingShare
    }
}
