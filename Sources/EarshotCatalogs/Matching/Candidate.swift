import Foundation

/// A place in a reference that a query may come from, with the evidence for it.
package struct Candidate: Sendable, Hashable, Codable {
    /// The segment, and the reference in it.
    package var segment: Int
    package var reference: Int
    var alignment: Alignment
    /// Weighted votes of the index.
    package var votes: Int
    /// The number of query landmarks inside the reference, and of those that support the match.
    package var inside: Int
    package var matched: Int
    /// The log-likelihood ratio of the query coming from here, in nats.
    package var evidence: Double
    /// Hypotheses that had been tried when it was found.
    package var tried: Int
    /// The evidence of landmarks, one half of the spectrum discounted, less what the best of all places has by chance, in nats; once
    /// map and bits were read, what all three say together.
    package var score: Double
    /// The score of the landmarks alone, in nats; nil where ``score`` is that.
    package var landmarkScore: Double?
    /// The reading of the query's contrast map; nil before it was read.
    package var contrast: ContrastReading?
    /// By how much the map stands further above chance here than in any other reference, in standard deviations.
    package var margin = 0.0
    /// The distance of the query from chance at the reference's bits, in standard deviations; nil before they were read, or where
    /// the reference has none.
    package var bitDeviations: Double?
    /// `true` if the map fits better here at another speed or pitch; `nil` where that was not looked at.
    var fitsBetterOtherwise: Bool?
    /// The part of spectrum or time that an answer rests on, if it is not all.
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

    /// The candidate as landmarks alone speak for it.
    var byLandmarks: Candidate {
        var candidate = self
        (candidate.score, candidate.landmarkScore) = (landmarkScore ?? score, nil)
        candidate.margin = 0
        return candidate
    }

    /// `true` if its numbers are such as a search makes. What comes from another machine may be any.
    var isSound: Bool {
        let steps = -Double(1 << 32)...Double(1 << 32)
        let numbers = [
            score, evidence, margin, landmarkScore ?? 0, bitDeviations ?? 0, contrast?.deviations ?? 0,
            alignment.offset, span.lowerBound, span.upperBound, contrast?.alignment.offset ?? 0,
            contrast?.alignment.pitch ?? 0,
        ]
        // A map may be read a little outside of the range.
        return numbers.allSatisfy(steps.contains) && SearchRange.contains(alignment)
            && (0.5...2).contains(contrast?.alignment.speed ?? 1) && inside >= 0 && (1...1_000).contains(tried)
    }

    /// The order of the places of one reference: the evidence, and what map and bits add where they were read. A recording may
    /// repeat itself nearly, and then everything counts.
    var fit: Double {
        let bits = max(0, bitDeviations ?? 0)
        return evidence + 4 * (contrast?.deviations ?? 0) + bits * bits
    }

    /// Joins landmarks, map and bits to one score, in nats; the score of the landmarks where the others were not read.
    ///
    /// Bits count as their logarithm of probability, half their square, less that of the speeds and pitches that were tried: of several
    /// the best fits better by chance. The margin and the landmarks count as was found on music whose answers are known
    /// (`Docs/measurements.md`). Without bits that fit, the rest is no answer.
    func together(leastBits: Double) -> Double {
        guard contrast != nil, let bits = bitDeviations else { return score }
        let half = max(0, bits) * max(0, bits) / 2
        // Beyond 60 nats the scale only tells more from less.
        let fit = min(half, 54 + half / 10) - log(Double(tried))
        let sum = fit + 2 * min(max(margin, -3), 8) + 0.4 * min(max(score, -40), 40) - 4
        return bits < leastBits ? min(sum, 0) : sum
    }
}
