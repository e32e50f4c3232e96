import EarshotDSP
import Foundation

/// The spectrogram of a recording that is asked for, coarsely: what is left of a landmark that noise has drowned.
///
/// A row has a byte for each bin of the frequency axis; rows are 16 ms apart, so that a second takes 15 kB. A byte counts fifths of
/// an octave of power, 0.6 dB, from digital silence on. Only the last minute is kept, longer than most recordings that anybody asks for.
package struct QueryLevels: Sendable {
    static let bins = FrequencyAxis.binCount
    /// Rows that are kept at least: one minute.
    package static let mostRows = 60 * Landmark.stepsPerSecond / Landmark.stepsPerFrame
    /// Units in an octave of power.
    package static let unitsPerOctave: Float = 5
    /// The level of a byte 0, in octaves of power.
    private static let lowest: Float = -30

    /// Rows of 240 bytes.
    package private(set) var values: [UInt8] = []
    /// Rows before the first that is kept.
    private var firstRow = 0

    package var rowCount: Int { values.count / Self.bins }

    init() {}

    private init(values: [UInt8]) { self.values = values }

    mutating func append(_ row: UnsafeBufferPointer<Float>) {
        // A minute at once, so that each row is moved once.
        if rowCount == 2 * Self.mostRows {
            values.removeFirst(Self.mostRows * Self.bins)
            firstRow += Self.mostRows
        }
        for level in row { values.append(UInt8(clamping: Int((level - Self.lowest) * Self.unitsPerOctave + 0.5))) }
    }

    /// The row that was added last.
    func withLastRow(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        values.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0.suffix(Self.bins))) }
    }

    /// The power of each level; a sine of full scale has about 2¹⁷.
    static let powers: [Float] = (0..<256).map { exp2(Float($0) / unitsPerOctave + lowest) }

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
}
