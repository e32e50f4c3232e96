import EarshotDSP
import Foundation

/// The spectrogram of a recording that is asked for, coarsely: what is left of a landmark that noise has drowned.
///
/// A row has a byte for each bin of the frequency axis; rows are 16 ms apart. A byte counts octaves of power, 3 dB, from digital
/// silence on. Steps of 0.6, 1.8, 3 and 6 dB find equally many recordings (`Docs/decisions/0022-more-evidence.md`), and the coarser
/// they are the less a signature that is sent to a service tells. Only the last minute is kept, longer than most recordings that
/// anybody asks for.
package struct QueryLevels: Hashable, Sendable {
    static let bins = FrequencyAxis.binCount
    /// Rows that are kept at least: one minute.
    package static let mostRows = 60 * Landmark.stepsPerSecond / Landmark.stepsPerFrame
    /// The highest level: a sine of full scale has about 47.
    static let highest: UInt8 = 63
    /// The level of a byte 0, in octaves of power.
    private static let lowest: Float = -30

    /// Rows of 240 levels.
    package private(set) var values: [UInt8] = []
    /// Rows before the first that is kept.
    private var firstRow = 0

    package var rowCount: Int { values.count / Self.bins }

    init() {}

    /// - Parameter values: Rows of 240 levels, at most a minute, each at most ``highest``.
    init(values: [UInt8]) { self.values = values }

    /// - Parameter row: 240 levels as logarithms to base 2 of power.
    mutating func append(_ row: UnsafeBufferPointer<Float>) {
        // A minute at once, so that each row is moved once.
        if rowCount == 2 * Self.mostRows {
            values.removeFirst(Self.mostRows * Self.bins)
            firstRow += Self.mostRows
        }
        for level in row { values.append(min(UInt8(clamping: Int(level - Self.lowest + 0.5)), Self.highest)) }
    }

    /// The power of each level; a sine of full scale has about 2¹⁷.
    static let powers: [Float] = (0...highest).map { exp2(Float($0) + lowest) }

    /// The levels if they are those of a whole recording, of a minute at most.
    var whole: QueryLevels? { firstRow == 0 && rowCount <= Self.mostRows ? self : nil }

    /// The rows of a part of the recording, if they are kept.
    ///
    /// - Parameters:
    ///   - step: Where the part begins, in landmark steps.
    ///   - steps: How long it is.
    func part(from step: Int, steps: Int) -> QueryLevels? {
        let window = FourierTransform.size / Spectrogram.hop
        let first = max(0, (step + Landmark.stepsPerFrame / 2) / Landmark.stepsPerFrame) - firstRow
        let last = min((step + steps) / Landmark.stepsPerFrame - window + 1 - firstRow, rowCount)
        guard first >= 0, first < last, last - first <= Self.mostRows else { return nil }
        return QueryLevels(values: Array(values[first * Self.bins..<last * Self.bins]))
    }

    /// Whether a recording of so many landmark steps may have these rows.
    func canBelong(toSteps steps: Int64) -> Bool {
        rowCount > 0 && rowCount <= min(Self.mostRows, Int(steps) / Landmark.stepsPerFrame)
    }
}
