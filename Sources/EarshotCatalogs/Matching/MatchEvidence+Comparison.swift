import EarshotSignatures
import Foundation

extension MatchEvidence {
    /// The evidence for a match beside that for the same query laid elsewhere on the same reference, in nats, as it counts
    /// for the score.
    package struct Comparison: Hashable, Sendable {
        /// At the match.
        package let here: Double
        /// The values at other positions, in no order; empty if the reference is too short.
        package let elsewhere: [Double]
        /// From which evidence on an answer is given.
        package let threshold: Double
    }
}

extension MatchEvidence.Comparison {
    /// Places that are tried.
    private static let placeCount = 400
    /// The distance from the match at which its own landmarks no longer count: 1 s.
    private static let distance = Double(Landmark.stepsPerSecond)
    /// The share of the landmarks inside at the match that must be inside elsewhere too, for the two to compare.
    private static let leastShare = 0.75

    /// Weighs a query at the match and at up to 400 places spread over the whole reference.
    init(
        _ verifier: Verifier,
        on segment: Segment,
        reference: Int,
        _ alignment: Alignment,
        threshold: Double
    ) {
        let length = segment.records[reference].frameCount * Landmark.stepsPerFrame
        let whole = ReferenceWindow(segment, reference: reference, steps: 0..<length)
        // Places of one minute share a density, as they do when the catalog is searched.
        var densities: [Int: LandmarkDensity] = [:]
        func weighed(_ alignment: Alignment) -> Evidence {
            let minute = Int((alignment.offset / Double(Verifier.surroundings)).rounded(.down))
            let density = densities[minute] ?? Self.density(of: segment, reference, around: alignment, verifier)
            densities[minute] = density
            return verifier.evidence(on: whole, alignment, density: density)
        }
        let match = weighed(alignment)
        let span = alignment.speed * verifier.lastTime
        // As far as the clip may stand out at either end.
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
            // Multiples of the golden section fall evenly and share no beat.
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
