import Foundation

/// A place in a reference that a query may come from, with the evidence for it.
package struct Candidate: Sendable, Hashable, Codable {
    /// The index of the segment among those searched, and the number of the reference in it.
    package var segment: Int
    package var reference: Int
    var alignment: Alignment
    /// Weighted votes of the index.
    package var votes: Int
    /// The number of query landmarks inside the reference, and the number of those that support the match.
    package var inside: Int
    package var matched: Int
    /// The log-likelihood ratio of the query coming from this place, in nats.
    package var evidence: Double
    /// The number of hypotheses of speed and pitch that had been tried when it was found.
    package var tried: Int
    /// The evidence of the landmarks less a discount for one half of the spectrum, and less what the best of all places
    /// reaches by chance, in nats. Once map and bits are read, the joint score of all three.
    package var score: Double
    /// The score of the landmarks alone, in nats; `nil` if ``score`` is that already.
    package var landmarkScore: Double?
    /// The reading of the query's contrast map; `nil` until it is read.
    package var contrast: ContrastReading?
    /// The distance above chance of the map here, less that of the best other reference, in standard deviations.
    package var margin = 0.0
    /// The distance of the query from chance at the reference's bits, in standard deviations; `nil` until they are
    /// read, and if the reference has none.
    package var bitDeviations: Double?
    /// `true` if the map fits better here at another speed or pitch; `nil` if that was not tried.
    var fitsBetterOtherwise: Bool?
    /// The part of spectrum or time that an answer rests on; `nil` if it rests on all.
    var sharedMaterial: SharedMaterial?
    /// The part of the query that fits, in steps.
    var span: ClosedRange<Double>
}

extension Candidate {
    /// A reference of the segments searched.
    struct Key: Hashable {
        var segment: Int
        var reference: Int
    }

    var key: Key { Key(segment: segment, reference: reference) }

    /// The candidate with the score of its landmarks alone.
    var byLandmarks: Candidate {
        var candidate = self
        (candidate.score, candidate.landmarkScore) = (landmarkScore ?? score, nil)
        candidate.margin = 0
        return candidate
    }

    /// `true` if its numbers are in the range of those that a search produces. A candidate from another machine may
    /// have any.
    var isSound: Bool {
        let steps = -Double(1 << 32)...Double(1 << 32)
        let numbers = [
            score, evidence, margin, landmarkScore ?? 0, bitDeviations ?? 0, contrast?.deviations ?? 0,
            alignment.offset, span.lowerBound, span.upperBound, contrast?.alignment.offset ?? 0,
            contrast?.alignment.pitch ?? 0,
        ]
        // The speed of a map's reading may lie a little outside the search range.
        return numbers.allSatisfy(steps.contains) && SearchRange.contains(alignment)
            && (0.5...2).contains(contrast?.alignment.speed ?? 1) && inside >= 0 && (1...1_000).contains(tried)
    }

    /// The rank of a place among those of one reference: the evidence, plus map and bits if they were read. A recording
    /// may nearly repeat itself, and then all three are needed to tell the places apart.
    var fit: Double {
        let bits = max(0, bitDeviations ?? 0)
        return evidence + 4 * (contrast?.deviations ?? 0) + bits * bits
    }

    /// Joins landmarks, map and bits to one score, in nats. Returns the score of the landmarks if the others were not
    /// read.
    ///
    /// Bits count as their logarithm of probability, half their square, less the logarithm of the number of speeds and
    /// pitches tried: the best of several fits better by chance. The weights of the margin and the landmarks were found
    /// on music whose answers are known (`Docs/measurements.md`). If the bits are below `leastBits`, the score is at
    /// most 0, which is no answer.
    func together(leastBits: Double) -> Double {
        guard contrast != nil, let bits = bitDeviations else { return score }
        let half = max(0, bits) * max(0, bits) / 2
        // Beyond 60 nats the order matters only, so the scale is flatter.
        let fit = min(half, 54 + half / 10) - log(Double(tried))
        let sum = fit + 2 * min(max(margin, -3), 8) + 0.4 * min(max(score, -40), 40) - 4
        return bits < leastBits ? min(sum, 0) : sum
    }
}
