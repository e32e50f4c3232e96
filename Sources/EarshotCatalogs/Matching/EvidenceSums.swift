import EarshotDSP
import EarshotSignatures
import Foundation

/// The sums of the evidence of a query's landmarks under each kind of damage, for each place on the frequency axis.
struct EvidenceSums {
    /// The most that all landmarks of one place on the frequency axis may say. A tone or a click that goes on and on meets
    /// some note of some music again and again; music that is the same meets it everywhere.
    static let mostOfCell = 18.0
    /// Places on the frequency axis.
    static let cellCount = FrequencyAxis.binCount * Landmark.stepsPerBin / cellSize
    /// Two bins: how wide such a place is.
    private static let cellSize = 2 * Landmark.stepsPerBin
    /// The most that all landmarks of one instant may say. Drums that strike at the same moments coincide in time all at
    /// once: where one landmark of a stroke fits, the others do so by the same chance.
    private static let mostOfInstant = 8.0
    /// 32 ms: how long an instant is, in steps.
    private static let instant = 16.0
    /// From this on, in nats, a landmark counts as matched.
    private static let leastOfMatched = 1.0

    private let kinds: Int
    /// The nats of each place, kind by kind.
    private(set) var cells: [Double]
    /// The same with what one instant says limited.
    private(set) var heldBack: [Double]
    /// Landmarks that speak for the match, under each kind.
    private(set) var matched: [Int]
    /// Landmarks that were added.
    private(set) var inside = 0
    // Those of one instant: their places on the frequency axis, and what they say under each kind of damage.
    private var now = -Double.infinity
    private var places: [Int] = []
    private var nats: [Double] = []

    init(kinds: Int) {
        self.kinds = kinds
        cells = [Double](repeating: 0, count: kinds * Self.cellCount)
        heldBack = cells
        matched = [Int](repeating: 0, count: kinds)
    }

    /// Ends the present instant if a time, in steps, lies behind it.
    mutating func begin(at time: Double) {
        guard time >= now + Self.instant else { return }
        close()
        now = (time / Self.instant).rounded(.down) * Self.instant
    }

    /// Adds a landmark.
    ///
    /// - Parameters:
    ///   - weights: How much likelier it is if the match is true, under each kind of damage.
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

    /// Ends the present instant.
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
