import EarshotCore

/// Joins the answers of neighbouring slices of a recording into plays.
struct PlayMerger {
    /// How far from the line of a play the next answer may lie: 0.4 s.
    private static let tolerance = 0.4
    /// How long a play may go unheard before it has ended: 20 s.
    private static let patience = MediaTime(value: 20, timescale: 1)

    /// Plays so far, in order of their beginning.
    private var found: [Play] = []

    var plays: [Play] {
        found.sorted {
            if $0.recordingRange.lowerBound != $1.recordingRange.lowerBound {
                return $0.recordingRange.lowerBound < $1.recordingRange.lowerBound
            }
            return $0.score > $1.score
        }
    }

    /// Takes the answer to a slice.
    mutating func add(_ match: Match, at start: MediaTime) {
        for reference in match.references {
            for (occurrence, alternatives) in Self.parts(of: reference) {
                // Where a reference repeats itself, several places fit a part; the one that goes on a play is the one.
                if let (index, next) = continuation(of: reference.id, by: [occurrence] + alternatives, at: start) {
                    extend(index, with: next, at: start)
                } else {
                    found.append(Self.play(reference, occurrence, alternatives, at: start))
                }
            }
        }
    }

    /// The plays of a single query.
    static func plays(of match: Match, at start: MediaTime) -> [Play] {
        match.references.flatMap { reference in
            parts(of: reference).map { play(reference, $0.occurrence, $0.alternatives, at: start) }
        }
    }

    /// The parts of a query in which a reference is heard, best first, and for each the other places that fit it.
    private static func parts(
        of reference: ReferenceMatch
    ) -> [(occurrence: ReferenceMatch.Occurrence, alternatives: [ReferenceMatch.Occurrence])] {
        var parts: [(occurrence: ReferenceMatch.Occurrence, alternatives: [ReferenceMatch.Occurrence])] = []
        for occurrence in reference.occurrences {
            if let same = parts.firstIndex(where: { overlap($0.occurrence.queryRange, occurrence.queryRange) > 0.3 }) {
                parts[same].alternatives.append(occurrence)
            } else {
                parts.append((occurrence, []))
            }
        }
        return parts
    }

    /// What two ranges share, as a part of the shorter.
    private static func overlap(_ first: Range<MediaTime>, _ second: Range<MediaTime>) -> Double {
        let shared = min(first.upperBound, second.upperBound) - max(first.lowerBound, second.lowerBound)
        let shorter = min(first.upperBound - first.lowerBound, second.upperBound - second.lowerBound)
        return shorter > .zero ? shared.seconds / shorter.seconds : 1
    }

    private func continuation(
        of id: ReferenceID,
        by occurrences: [ReferenceMatch.Occurrence],
        at start: MediaTime
    ) -> (Int, ReferenceMatch.Occurrence)? {
        for index in found.indices.reversed() where found[index].id == id {
            let play = found[index]
            guard start <= play.recordingRange.upperBound + Self.patience else { continue }
            let expected = play.offset.seconds + (1 + play.speedSkew) * start.seconds
            let near = occurrences.filter { occurrence in
                // A speed measured over ten seconds leads astray by a hundredth of the way since the play began.
                let drift = 0.005 * (start - play.recordingRange.lowerBound).seconds
                return abs(occurrence.offset.seconds - expected) <= Self.tolerance + min(drift, 2)
            }
            if let best = near.first { return (index, best) }
        }
        return nil
    }

    private mutating func extend(_ index: Int, with occurrence: ReferenceMatch.Occurrence, at start: MediaTime) {
        let recording = start + occurrence.queryRange.lowerBound..<start + occurrence.queryRange.upperBound
        found[index].recordingRange = Self.union(found[index].recordingRange, recording)
        found[index].referenceRange = Self.union(found[index].referenceRange, occurrence.referenceRange)
        found[index].score = max(found[index].score, occurrence.score)
        found[index].confidence = max(found[index].confidence, occurrence.confidence)
    }

    private static func union(_ first: Range<MediaTime>, _ second: Range<MediaTime>) -> Range<MediaTime> {
        min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }

    private static func play(
        _ reference: ReferenceMatch,
        _ best: ReferenceMatch.Occurrence,
        _ alternatives: [ReferenceMatch.Occurrence],
        at start: MediaTime
    ) -> Play {
        func atZero(_ occurrence: ReferenceMatch.Occurrence) -> MediaTime {
            occurrence.offset
                - MediaTime(seconds: start.seconds * (1 + occurrence.speedSkew), preferredTimescale: 16_000)
        }
        return Play(
            id: reference.id,
            items: reference.items,
            referenceDuration: reference.referenceDuration,
            offset: atZero(best),
            recordingRange: start + best.queryRange.lowerBound..<start + best.queryRange.upperBound,
            referenceRange: best.referenceRange,
            speedSkew: best.speedSkew,
            pitchSkew: best.pitchSkew,
            score: best.score,
            confidence: best.confidence,
            alternatives: alternatives.map(atZero)
        )
    }
}
