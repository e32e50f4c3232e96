import EarshotSignatures
import Foundation

extension Verifier {
    /// The largest evidence of one landmark, in nats, because an exact coincidence may have a common cause.
    private static let mostOfOne = 5.0

    /// Computes the evidence of a match.
    ///
    /// - Parameters:
    ///   - window: The reference, wider than the query by the reach of the deviations.
    ///   - alignment: The match.
    ///   - density: The density of the reference's landmarks around it.
    func evidence(on window: ReferenceWindow, _ alignment: Alignment, density: LandmarkDensity) -> Evidence {
        let kinds = DamageTables.shared.kinds
        var sums = EvidenceSums(kinds: kinds)
        forEachWeight(on: window, alignment, density: density) { index, weights in
            sums.begin(at: times[index])
            sums.add(weights, at: Int(frequencies[index]))
        }
        sums.close()
        var evidence = Evidence()
        evidence.inside = sums.inside
        let (cells, heldBack, matched) = (sums.cells, sums.heldBack, sums.matched)
        func sum(_ cells: [Double], _ kind: Int, _ range: Range<Int>) -> Double {
            range.reduce(0) { $0 + min(cells[kind * EvidenceSums.cellCount + $1], EvidenceSums.mostOfCell) }
        }
        let totals = (0..<kinds).map { sum(cells, $0, 0..<EvidenceSums.cellCount) }
        evidence.total = Self.mean(totals)
        let lower = (0..<kinds).map { sum(heldBack, $0, 0..<EvidenceSums.cellCount / 2) }
        let upper = (0..<kinds).map { sum(heldBack, $0, EvidenceSums.cellCount / 2..<EvidenceSums.cellCount) }
        let rest = zip(lower, upper).map { $0 + $1 }
        evidence.damage = rest.firstIndex(of: rest.max() ?? 0) ?? 0
        evidence.restrained = Self.mean(rest)
        evidence.lower = lower[evidence.damage]
        evidence.upper = upper[evidence.damage]
        evidence.matched = matched[evidence.damage]
        return evidence
    }

    /// Returns the logarithm of the mean likelihood over the kinds of damage, which are equally likely beforehand.
    private static func mean(_ totals: [Double]) -> Double {
        let best = totals.max() ?? 0
        return best + log(totals.reduce(0) { $0 + exp($1 - best) } / Double(totals.count))
    }

    /// Returns the part of the query that a match covers, in steps: the run of landmarks with the greatest evidence.
    func span(
        on window: ReferenceWindow,
        _ alignment: Alignment,
        density: LandmarkDensity,
        damage: Int
    ) -> ClosedRange<Double> {
        var (run, runStart) = (0.0, times.first ?? 0)
        var best = (sum: 0.0, start: times.first ?? 0, end: times.last ?? 0)
        forEachWeight(on: window, alignment, density: density) { index, weights in
            if run <= 0 { (run, runStart) = (0, times[index]) }
            run += log(weights[damage])
            if run > best.sum { best = (run, runStart, times[index]) }
        }
        return best.start...max(best.start, best.end)
    }

    /// Calls `body` for each landmark of the query inside the window with its likelihood ratio under each kind of
    /// damage: the match is true against it is not.
    @inline(__always)
    private func forEachWeight(
        on window: ReferenceWindow,
        _ alignment: Alignment,
        density: LandmarkDensity,
        _ body: (_ index: Int, _ weights: UnsafeMutableBufferPointer<Double>) -> Void
    ) {
        let tables = DamageTables.shared
        let low = Double(window.steps.lowerBound)
        let high = Double(window.steps.upperBound)
        let most = exp(Self.mostOfOne)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: tables.kinds) { weights in
            var first = 0
            for index in times.indices {
                let place = alignment.offset + alignment.speed * times[index]
                guard place >= low else { continue }
                guard place <= high else { break }
                let height = frequencies[index] - alignment.pitch
                let reach = Double(DamageModel.timeReach) + 0.5
                while first < window.times.count, Double(window.times[first]) < place - reach { first += 1 }
                weights.initialize(repeating: 0)
                add(near: first, place, height, tier: tiers[index], on: window, tables, to: weights)
                for kind in 0..<tables.kinds {
                    var weight = tables.absence[kind * DamageModel.queryTiers + tiers[index]]
                    if weights[kind] > 0 {
                        let chance = tables.frequency.withUnsafeBufferPointer {
                            let row = kind * DamageTables.frequencyCells
                            return density.density(
                                at: Int(max(0, height) + 0.5),
                                UnsafeBufferPointer(rebasing: $0[row..<row + DamageTables.frequencyCells])
                            )
                        }
                        weight += weights[kind] / chance
                    }
                    weights[kind] = min(weight, most)
                }
                body(index, weights)
            }
        }
    }

    /// Adds up the landmarks of the reference near a place, each weighted by its distance.
    @inline(__always)
    private func add(
        near first: Int,
        _ place: Double,
        _ height: Double,
        tier: Int,
        on window: ReferenceWindow,
        _ tables: DamageTables,
        to weights: UnsafeMutableBufferPointer<Double>
    ) {
        var next = first
        while next < window.times.count {
            let gap = Double(window.times[next]) - place
            guard gap <= Double(DamageModel.timeReach) + 0.5 else { break }
            // Adds a half and truncates, because rounding to nearest is a library call on processors without SSE 4.1.
            let timeCell = Int(abs(gap) + 0.5)
            let frequencyCell = Int(abs(Double(window.frequencies[next]) - height) + 0.5)
            // A damaged catalog may have landmarks out of order.
            if timeCell < DamageTables.timeCells, frequencyCell < DamageTables.frequencyCells {
                let pair = tier * DamageModel.referenceTiers + Int(window.tiers[next])
                for kind in 0..<tables.kinds {
                    weights[kind] +=
                        tables.presence[kind * DamageModel.queryTiers * DamageModel.referenceTiers + pair]
                        * tables.time[kind * DamageTables.timeCells + timeCell]
                        * tables.frequency[kind * DamageTables.frequencyCells + frequencyCell]
                }
            }
            next += 1
        }
    }
}
