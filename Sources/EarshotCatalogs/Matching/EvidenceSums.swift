import EarshotDSP
import EarshotSignatures
import Foundation

/// The sums of the evidence of a query's landmarks under each kind of damage, for each place on the frequency axis.
struct EvidenceSums {
    /// The largest sum of all landmarks of one place on the frequency axis, in nats. A constant tone or repeated click
    /// meets some note of other music again and again; the same music meets it everywhere.
    static let mostOfCell = 18.0
    /// The number of places on the frequency axis.
    static let cellCount = FrequencyAxis.binCount * Landmark.stepsPerBin / cellSize
    /// The width of a place on the frequency axis, in steps: two bins.
    private static let cellSize = 2 * Landmark.stepsPerBin
    /// The largest sum of all landmarks of one instant, in nats. Drums that strike at the same moments coincide all at
    /// once: if one landmark of a stroke fits, the others do so by the same chance.
    private static let mostOfInstant = 8.0
    /// The length of an instant, in steps: 32 ms.
    private static let instant = 16.0
    /// The evidence from which a landmark counts as matched, in nats.
    private static let leastOfMatched = 1.0

    private let kinds: Int
    /// The evidence of each place, in nats, for each kind of damage.
    private(set) var cells: [Double]
    /// The same, with a limit on the sum of one instant.
    private(set) var heldBack: [Double]
    /// The number of landmarks that support the match, for each kind.
    private(set) var matched: [Int]
    /// The number of landmarks that were added.
    private(set) var inside = 0
    // The landmarks of the current instant: their places on the frequency axis, and their evidence under each kind of
    // damage.
    private var now = -Double.infinity
    private var places: [Int] = []
    private var nats: [Double] = []

    init(kinds: Int) {
        self.kinds = kinds
        cells = [Double](repeating: 0, count: kinds * Self.cellCount)
        heldBack = cells
        matched = [Int](repeating: 0, count: kinds)
    }

    /// Ends the current instant if a time, in steps, lies after it.
    mutating func begin(at time: Double) {
        guard time >= now + Self.instant else { return }
        close()
        now = (time / Self.instant).rounded(.down) * Self.instant
    }

    /// Adds a landmark.
    ///
    /// - Parameters:
    ///   - weights: The likelihood ratio of the landmark, for each kind of damage. The match is true against it is not.
    ///   - frequency: The position on the frequency axis, in steps.
    mutating func add(_ weights: UnsafeMutableBufferPointer<Double>, at frequency: Int) {
        inside += 1
        places.append(min(max(frequency / Self.cellSize, 0), Self.cellCount - 1))
        for kind in 0..<kinds {
            let weight = log(weights[kind])
            nats.append(weight)
            if weight >= Self.leastOfMatched { matched[kind] += 1 }
        }
    }

    /// Ends the current instant and adds its evidence, limited to the largest sum of an instant.
    mutating func close() {
        for kind in 0..<kinds {
            var sum = 0.0
            for number in places.indices { sum += nats[number * kinds + kind] }
            let share = sum > Self.mostOfInstant ? Self.mostOfInstant / sum : 1
            for number in places.indices {
                let cell = kind * Self.cellCount + places[number]
                cells[cell] += nats[number * kinds + kind]
                heldBack[cell] += share * nats[number * kinds + kind]
            }
        }
        places.removeAll(keepingCapacity: true)
        nats.removeAll(keepingCapacity: true)
    }
}
