import EarshotCore
import EarshotDSP
import EarshotSignatures
import Foundation

/// The matching landmarks of a match by octave and by half second, relative to as many by chance.
struct EvidenceSpread: Hashable, Sendable {
    /// The landmarks of one part.
    struct Part: Hashable, Sendable {
        /// The sum of their values above chance, in standard deviations of one landmark.
        fileprivate(set) var sum = 0.0
        fileprivate(set) var count = 0

        fileprivate var mean: Double { count > 0 ? sum / Double(count) : 0 }
    }

    /// Landmark steps in half a second.
    private static let stepsPerPart = Double(Landmark.stepsPerSecond / 2)
    /// The share of the strongest part's mean from which a part fits. `Docs/measurements.md` lists how often a part is
    /// reported for whole recordings and for others.
    private static let leastShare = 0.25
    /// The distance from chance that a part of half the strength would reach, in standard deviations, from which its
    /// absence counts.
    private static let leastDeviations = 3.0
    /// The fewest landmarks of the strongest part.
    private static let leastCount = 8
    /// The fewest missing parts of time at an end, 1 s: less may be a pause.
    private static let leastMissing = 2

    private var octaves = [Part](repeating: Part(), count: octaveCount)
    private var times: [Part]

    static let octaveCount = FrequencyAxis.binCount / FrequencyAxis.binsPerOctave

    /// Creates an empty spread.
    ///
    /// - Parameter length: The length of the query, in steps of 2 ms.
    init(length: Double) {
        times = [Part](repeating: Part(), count: Int(max(0, length) / Self.stepsPerPart) + 1)
    }

    /// Adds a landmark.
    ///
    /// - Parameters:
    ///   - value: The landmark's distance from chance, in standard deviations.
    ///   - time: The time in the query, in steps of 2 ms.
    ///   - octave: The octave of the reference's landmark; 0 is the lowest.
    mutating func add(_ value: Double, time: Double, octave: Int) {
        octaves[octave].sum += value
        octaves[octave].count += 1
        let part = min(max(0, Int(time / Self.stepsPerPart)), times.count - 1)
        times[part].sum += value
        times[part].count += 1
    }

    /// The part of spectrum or time that the match rests on; `nil` if it rests on all, or if there are too few
    /// landmarks.
    var sharedMaterial: SharedMaterial? {
        let frequencies = Self.fitting(octaves, leastMissing: 1).map { range in
            func edge(_ octave: Int) -> Double { (FrequencyAxis.lowestFrequency * exp2(Double(octave))).rounded() }
            return edge(range.lowerBound)..<edge(range.upperBound)
        }
        let stretch = Self.fitting(times, leastMissing: Self.leastMissing).map { range in
            MediaTime(
                value: Int64(range.lowerBound),
                timescale: 2
            )..<MediaTime(
                value: Int64(range.upperBound),
                timescale: 2
            )
        }
        guard frequencies != nil || stretch != nil else { return nil }
        return SharedMaterial(frequencies: frequencies, times: stretch)
    }

    /// Returns the parts from the first to the last that fits; `nil` unless at least `leastMissing` are missing at one
    /// end.
    private static func fitting(_ parts: [Part], leastMissing: Int) -> Range<Int>? {
        let strongest = parts.filter { $0.count >= leastCount }.map(\.mean).max() ?? 0
        guard strongest > 0 else { return nil }
        func isThere(_ part: Part) -> Bool { part.count > 0 && part.mean >= leastShare * strongest }
        func isMissing(_ part: Part) -> Bool {
            part.mean < leastShare * strongest
                && strongest / 2 * Double(part.count).squareRoot() >= leastDeviations
        }
        guard let first = parts.firstIndex(where: isThere), let last = parts.lastIndex(where: isThere) else {
            return nil
        }
        let before = parts[..<first].count(where: isMissing) >= leastMissing
        let after = parts[(last + 1)...].count(where: isMissing) >= leastMissing
        guard before || after else { return nil }
        return (before ? first : 0)..<(after ? last + 1 : parts.count)
    }
}
