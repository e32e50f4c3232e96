import EarshotCore
import EarshotDSP
import EarshotSignatures
import Foundation

/// The evidence of a match, landmark by landmark, for plots.
package struct MatchEvidence: Sendable {
    /// A landmark of the query.
    package struct Mark: Hashable, Sendable {
        /// The time in the query, in seconds.
        package let time: Double
        /// The position on the frequency axis, in bins.
        package let bin: Double
        /// The tier of the landmark; 0 has the strongest.
        package let tier: Int
        /// `true` if it falls inside the reference.
        package let isInside: Bool
        /// `true` if the reference has a counterpart.
        package let isMatched: Bool

        /// Its frequency, in hertz.
        package var frequency: Double { FrequencyAxis.frequency(ofBin: bin) }

        init(_ landmark: Landmark, isInside: Bool, isMatched: Bool) {
            time = Double(landmark.time) / Double(Landmark.stepsPerSecond)
            bin = Double(landmark.frequency) / Double(Landmark.stepsPerBin)
            tier = Int(landmark.tier)
            (self.isInside, self.isMatched) = (isInside, isMatched)
        }
    }

    /// A landmark of the query and one of the reference at the same frequency, after the pitch skew.
    package struct Pair: Hashable, Sendable {
        /// The time in the query, in seconds.
        package let queryTime: Double
        /// The time in the reference, in seconds.
        package let referenceTime: Double
    }

    /// The landmarks of the query that a search uses.
    package let marks: [Mark]
    /// Matched landmarks with their counterparts.
    package let pairs: [Pair]
    /// All pairs of equal frequency between the query's landmarks inside the reference and the reference's landmarks
    /// there: the match, and coincidences around it. An even selection if there are too many.
    package let coincidences: [Pair]
    /// The shares of matching landmarks with the query at other positions of the same reference.
    package let chanceShares: [Double]
    /// The evidence of the landmarks at the match and at other positions.
    package let comparison: Comparison
    /// The position of the query's start in the reference, in seconds; negative if the query begins earlier.
    package let offset: Double
    /// Reference seconds that pass in one second of the query.
    package let speed: Double

    /// The number of landmarks with a counterpart.
    package var matchedCount: Int { pairs.count }
    /// The number of landmarks inside the reference.
    package var insideCount: Int { marks.count { $0.isInside } }
    /// The share of the landmarks inside the reference that have a counterpart.
    package var share: Double { insideCount > 0 ? Double(matchedCount) / Double(insideCount) : 0 }
    /// The mean of ``chanceShares``; `nil` if the reference is too short for other positions.
    package var chanceShare: Double? {
        chanceShares.isEmpty ? nil : chanceShares.reduce(0, +) / Double(chanceShares.count)
    }
}

/// The landmarks of a query beside those of one reference.
struct EvidenceLayout {
    /// The largest difference between frequencies that count as equal, in steps: a quarter of a bin.
    private static let equalFrequencies = 2.0
    private static let second = Double(Landmark.stepsPerSecond)

    let landmarks: [Landmark]
    let verifier: Verifier
    let segment: Segment
    let reference: Int

    init(_ landmarks: [Landmark], segment: Segment, reference: Int) {
        self.landmarks = landmarks
        verifier = Verifier(landmarks)
        self.segment = segment
        self.reference = reference
    }

    func alignment(of match: Placement, from start: MediaTime) -> Alignment {
        let speed = 1 + match.speedSkew
        let found = Alignment(
            offset: (match.offset.seconds - speed * start.seconds) * Self.second,
            speed: speed,
            pitch: Hypothesis.bins(ofRatio: 1 + match.pitchSkew) * Double(Landmark.stepsPerBin)
        )
        let end = start.seconds + match.queryRange.upperBound.seconds
        guard start > .zero || verifier.lastTime > (end + 1) * Self.second else { return found }
        let near = window(found, margin: 2 * Landmark.stepsPerSecond)
        let followed = verifier.follow(found, on: near)
        let isBetter = verifier.tally(on: near, followed).matched >= verifier.tally(on: near, found).matched
        return isBetter && SearchRange.contains(followed) ? followed : found
    }

    /// Returns the query's landmarks, and marks those that the reference has too.
    func marks(_ alignment: Alignment) -> [MatchEvidence.Mark] {
        compared(alignment, on: window(alignment, margin: 0)).map(\.mark)
    }

    func evidence(_ alignment: Alignment, limit: Int, threshold: Double) -> MatchEvidence {
        let near = window(alignment, margin: 0)
        let found = compared(alignment, on: near)
        let (marks, pairs) = (found.map(\.mark), found.compactMap(\.counterpart))
        return MatchEvidence(
            marks: marks,
            pairs: pairs,
            coincidences: coincidences(alignment, on: near, limit: limit),
            chanceShares: verifier.sharesElsewhere(
                alignment,
                inside: marks.count { $0.isInside },
                on: window(alignment, margin: Verifier.surroundings)
            ),
            comparison: MatchEvidence.Comparison(
                verifier,
                on: segment,
                reference: reference,
                alignment,
                threshold: threshold
            ),
            offset: alignment.offset / Self.second,
            speed: alignment.speed
        )
    }

    /// Returns the query's landmarks, the matched ones with their counterparts.
    private func compared(
        _ alignment: Alignment,
        on near: ReferenceWindow
    ) -> [(mark: MatchEvidence.Mark, counterpart: MatchEvidence.Pair?)] {
        zip(landmarks, verifier.matchedLandmarks(on: near, alignment)).map { landmark, isMatched in
            let place = alignment.offset + alignment.speed * Double(landmark.time)
            let found = isMatched ? counterpart(of: landmark, at: place, alignment, on: near) : nil
            let isInside = isInside(landmark, alignment, near)
            return (MatchEvidence.Mark(landmark, isInside: isInside, isMatched: found != nil), found)
        }
    }

    /// Returns the landmark of the reference that is nearest by the verifier's tolerances; `nil` if none is within
    /// them.
    private func counterpart(
        of landmark: Landmark,
        at place: Double,
        _ alignment: Alignment,
        on window: ReferenceWindow
    ) -> MatchEvidence.Pair? {
        let (time, frequency) = (Verifier.timeTolerance, Verifier.frequencyTolerance)
        let height = Double(landmark.frequency) - alignment.pitch
        var nearest: (distance: Double, time: Int32)?
        var index = window.times.partitioningIndex { Double($0) >= place - time }
        while index < window.times.count, Double(window.times[index]) <= place + time {
            let rise = abs(Double(window.frequencies[index]) - height)
            let distance = abs(Double(window.times[index]) - place) / time + rise / frequency
            if rise <= frequency, distance < nearest?.distance ?? .infinity {
                nearest = (distance, window.times[index])
            }
            index += 1
        }
        return nearest.map { pair(Double(landmark.time), Double($0.time)) }
    }

    /// Returns pairs of equal frequency over the whole window, at most `limit`, found by sorting the reference's
    /// landmarks by frequency.
    private func coincidences(_ alignment: Alignment, on window: ReferenceWindow, limit: Int) -> [MatchEvidence.Pair] {
        // The window is widened to whole blocks, which the plot does not show.
        let shown = window.times.indices.filter { window.steps.contains(Int(window.times[$0])) }
        let order = shown.sorted {
            (window.frequencies[$0], window.times[$0]) < (window.frequencies[$1], window.times[$1])
        }
        var seen = 0
        var stride = 1
        var kept: [MatchEvidence.Pair] = []
        for landmark in landmarks where isInside(landmark, alignment, window) {
            let height = Double(landmark.frequency) - alignment.pitch
            var index = order.partitioningIndex {
                Double(window.frequencies[$0]) >= height - Self.equalFrequencies
            }
            while index < order.count, Double(window.frequencies[order[index]]) <= height + Self.equalFrequencies {
                if seen.isMultiple(of: stride) {
                    kept.append(pair(Double(landmark.time), Double(window.times[order[index]])))
                }
                seen += 1
                index += 1
                if kept.count > limit {
                    // Every second pair is as even a selection as all of them.
                    kept = kept.enumerated().compactMap { $0.offset.isMultiple(of: 2) ? $0.element : nil }
                    stride *= 2
                }
            }
        }
        return kept
    }

    private func window(_ alignment: Alignment, margin: Int) -> ReferenceWindow {
        let begin = Int(alignment.offset) - margin
        let end = Int((alignment.offset + alignment.speed * verifier.lastTime).rounded(.up)) + 1 + margin
        return ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
    }

    private func isInside(_ landmark: Landmark, _ alignment: Alignment, _ window: ReferenceWindow) -> Bool {
        let place = alignment.offset + alignment.speed * Double(landmark.time)
        return place >= Double(window.steps.lowerBound) && place <= Double(window.steps.upperBound)
    }

    private func pair(_ query: Double, _ reference: Double) -> MatchEvidence.Pair {
        MatchEvidence.Pair(queryTime: query / Self.second, referenceTime: reference / Self.second)
    }
}
