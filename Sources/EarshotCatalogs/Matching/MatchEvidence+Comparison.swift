import EarshotSignatures
import Foundation

extension MatchEvidence {
    /// The evidence for a match beside that for the same query at other positions of the same reference, in nats. Each
    /// value is the balanced evidence that scores use.
    package struct Comparison: Hashable, Sendable {
        /// The evidence at the match.
        package let here: Double
        /// The evidence at other positions, in no order; empty if the reference is too short.
        package let elsewhere: [Double]
        /// The evidence from which an answer is given.
        package let threshold: Double
    }
}

extension MatchEvidence.Comparison {
    /// The number of positions that are tried.
    private static let placeCount = 400
    /// The distance from the match at which its own landmarks no longer count: 1 s, in steps.
    private static let distance = Double(Landmark.stepsPerSecond)
    /// The share of the match's landmarks inside the reference that must be inside at another position too, so that
    /// both can be compared.
    private static let leastShare = 0.75

    /// Weighs a query at the match and at up to 400 positions spread over the whole reference.
    init(
        _ verifier: Verifier,
        on segment: Segment,
        reference: Int,
        _ alignment: Alignment,
        threshold: Double
    ) {
        let length = segment.records[reference].frameCount * Landmark.stepsPerFrame
        let whole = ReferenceWindow(segment, reference: reference, steps: 0..<length)
        // Positions within one minute share a density, as in a search.
        var densities: [Int: LandmarkDensity] = [:]
        func weighed(_ alignment: Alignment) -> Evidence {
            let minute = Int((alignment.offset / Double(Verifier.surroundings)).rounded(.down))
            let density = densities[minute] ?? Self.density(of: segment, reference, around: alignment, verifier)
            densities[minute] = density
            return verifier.evidence(on: whole, alignment, density: density)
        }
        let match = weighed(alignment)
        let span = alignment.speed * verifier.lastTime
        // The query may reach beyond either end of the reference by this much.
        let low = -(1 - Self.leastShare) * span
        let room = Double(length) - span - 2 * low
        here = match.balanced
        self.threshold = threshold
        guard room > 0 else {
            elsewhere = []
            return
        }
        elsewhere = (0..<Self.placeCount).compactMap { index in
            var shifted = alignment
            // Multiples of the golden ratio are spread evenly and share no beat.
            let share = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            shifted.offset = low + share * room
            guard abs(shifted.offset - alignment.offset) >= Self.distance else { return nil }
            let evidence = weighed(shifted)
            guard Double(evidence.inside) >= Self.leastShare * Double(match.inside) else { return nil }
            return evidence.balanced
        }
    }

    private static func density(
        of segment: Segment,
        _ reference: Int,
        around alignment: Alignment,
        _ verifier: Verifier
    ) -> LandmarkDensity {
        let low = Int(alignment.offset) - Verifier.surroundings
        let high = Int(alignment.offset + alignment.speed * verifier.lastTime) + Verifier.surroundings
        return LandmarkDensity(ReferenceWindow(segment, reference: reference, steps: low..<max(low, high)))
    }
}
