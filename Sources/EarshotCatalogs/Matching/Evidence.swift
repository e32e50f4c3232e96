import EarshotDSP
import EarshotSignatures
import Foundation

/// The log-likelihood ratio of a query's landmarks at this alignment against an unrelated reference.
///
/// For each landmark of the query the reference's landmarks near the place it falls on are weighed: how often a landmark
/// survives the damage, in which tier, how far off; against how dense landmarks are at that frequency in this reference
/// anyway. The logarithms are summed for each kind of damage, and the kinds are averaged. In nats: 10 says that the
/// landmarks are 22,000 times as likely if the match is true.
struct Evidence: Sendable {
    /// The evidence of all landmarks.
    var total = 0.0
    /// The same with what the landmarks of one instant say limited.
    var restrained = 0.0
    /// Of this, the part of the landmarks in the lower and in the upper half of the frequency axis, under the likeliest
    /// damage.
    var lower = 0.0
    var upper = 0.0
    /// The number of query landmarks inside the reference, and of those that support the match.
    var inside = 0
    var matched = 0
    /// The likeliest kind of damage.
    var damage = 0

    /// The evidence that decides about an answer: the restrained evidence, less that of one half of the spectrum. A
    /// drum loop or another sample that two recordings share is convincing only in its own frequencies; the right
    /// recording is heard in the whole spectrum.
    var balanced: Double { restrained - Self.discount * max(0, lower, upper) }

    /// Chosen where the strongest answers to foreign music come closest to those of chance.
    private static let discount = 0.6
}

/// The density of a reference's landmarks at each frequency.
struct LandmarkDensity {
    /// Landmarks a step of time, for each step of frequency, with room for the reach on both sides.
    private let counts: [Double]
    /// Added everywhere: a landmark may turn up where the stretch has none.
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

    /// The density that a counterpart of a frequency competes with, spread as counterparts are.
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
