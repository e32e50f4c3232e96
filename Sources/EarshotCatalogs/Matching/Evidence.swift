import EarshotDSP
import EarshotSignatures
import Foundation

/// The log-likelihood ratio of a query's landmarks at an alignment, against an unrelated reference.
///
/// For each query landmark the reference's landmarks near its place are weighed. The weight is how often a landmark
/// survives the damage, in which tier and how far off, relative to the density of the reference's landmarks at that
/// frequency. The logarithms are summed for each kind of damage, and the kinds are averaged. The unit is the nat: 10
/// nats mean that the landmarks are 22,000 times as likely if the match is true.
struct Evidence: Sendable {
    /// The evidence of all landmarks.
    var total = 0.0
    /// The same, with a limit on the sum of the landmarks of one instant.
    var restrained = 0.0
    /// The parts of it from the lower and the upper half of the frequency axis, under the likeliest damage.
    var lower = 0.0
    var upper = 0.0
    /// The number of query landmarks inside the reference, and the number of those that support the match.
    var inside = 0
    var matched = 0
    /// The index of the likeliest kind of damage in ``DamageModel/all``.
    var damage = 0

    /// The evidence that decides an answer: the restrained evidence less a share of that of one half of the spectrum. A
    /// drum loop or another sample that two recordings share fits only in its own frequencies, while the right
    /// recording fits in the whole spectrum.
    var balanced: Double { restrained - Self.discount * max(0, lower, upper) }

    /// Chosen so that the strongest answers to foreign music come closest to those of chance.
    private static let discount = 0.6
}

/// The density of a reference's landmarks at each frequency.
struct LandmarkDensity {
    /// Landmarks in a step of time, for each step of frequency, with margins of the reach on both sides.
    private let counts: [Double]
    /// The density that is added everywhere, because a landmark may occur where the window has none.
    private static let floor = 3e-6

    init(_ window: ReferenceWindow) {
        let reach = DamageModel.frequencyReach
        var counts = [Double](repeating: 0, count: Self.rows + 2 * reach)
        let duration = Double(max(Landmark.stepsPerSecond, window.steps.count))
        for frequency in window.frequencies where frequency < Self.rows {
            counts[Int(frequency) + reach] += 1 / duration
        }
        self.counts = counts
    }

    private static let rows = FrequencyAxis.binCount * Landmark.stepsPerBin

    /// Returns the density that a counterpart at a frequency competes with, spread as counterparts are.
    @inline(__always)
    func density(at frequency: Int, _ deviation: UnsafeBufferPointer<Double>) -> Double {
        let row = min(max(frequency, 0), Self.rows - 1) + DamageModel.frequencyReach
        return counts.withUnsafeBufferPointer { counts in
            var sum = counts[row] * deviation[0]
            for distance in 1...DamageModel.frequencyReach {
                sum += (counts[row - distance] + counts[row + distance]) * deviation[distance]
            }
            return sum + Self.floor
        }
    }
}
