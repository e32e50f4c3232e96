import EarshotDSP
import Foundation
import Synchronization

/// The coarse spectrogram of a query, which contains what is left of landmarks in loud noise.
///
/// A row has a byte for each bin of the frequency axis; rows are 16 ms apart. A byte counts octaves of power (3 dB)
/// above digital silence. Steps of 0.6, 1.8, 3 and 6 dB find equally many recordings
/// (`Docs/decisions/0022-more-evidence.md`), and coarser steps reveal less when a signature is sent to a service. Only
/// the last minute is kept, unless a whole long recording is to be searched: older rows are then kept compressed, 4 kB
/// a second.
package struct QueryLevels: Sendable {
    static let bins = FrequencyAxis.binCount
    /// The number of rows that are always kept: one minute.
    package static let mostRows = 60 * Landmark.stepsPerSecond / Landmark.stepsPerFrame
    /// The highest level: a sine of full scale has about 47.
    static let highest: UInt8 = 63
    /// The level of a byte 0, in octaves of power.
    private static let lowest: Float = -30

    /// Rows of a packed block, 10 s.
    private static let blockRows = mostRows / 6

    /// The latest rows, each of 240 levels.
    package private(set) var values: [UInt8] = []
    /// Rows before the first of ``values``.
    private var firstRow = 0
    /// `true` if rows are packed instead of forgotten.
    private let keepsAll: Bool
    /// The blocks before ``values``, and how many were forgotten before them.
    private var packed: [[UInt8]] = []
    private var forgotten = 0
    /// Blocks that were unpacked last: what follows each other is mostly asked for one behind the other.
    private var unpacked = Unpacked()

    private final class Unpacked: Sendable {
        private static let most = 4
        private let blocks = Mutex<[(number: Int, values: [UInt8])]>([])

        func values(of number: Int, _ unpack: () -> [UInt8]?) -> [UInt8]? {
            if let known = blocks.withLock({ $0.first { $0.number == number } }) { return known.values }
            guard let values = unpack() else { return nil }
            blocks.withLock { blocks in
                if blocks.count == Self.most { blocks.removeFirst() }
                blocks.append((number, values))
            }
            return values
        }
    }

    package var rowCount: Int { values.count / Self.bins }

    /// Creates an empty spectrogram.
    ///
    /// - Parameter keepsAll: `true` to keep more than the last minute.
    init(keepsAll: Bool = false) { self.keepsAll = keepsAll }

    /// Creates a spectrogram from levels.
    ///
    /// - Parameter values: Rows of 240 levels, at most a minute, each at most ``highest``.
    init(values: [UInt8]) {
        self.values = values
        keepsAll = false
    }

    /// Appends a row.
    ///
    /// - Parameter row: 240 levels as logarithms to base 2 of power.
    mutating func append(_ row: UnsafeBufferPointer<Float>) {
        // A minute at once, so that each row is moved once.
        if rowCount == 2 * Self.mostRows {
            if keepsAll {
                // A copy may go on with other audio.
                unpacked = Unpacked()
                for start in stride(from: 0, to: Self.mostRows, by: Self.blockRows) {
                    packed.append(LevelCode.bytes(rows(start..<start + Self.blockRows)))
                }
            }
            values.removeFirst(Self.mostRows * Self.bins)
            firstRow += Self.mostRows
        }
        for level in row { values.append(min(UInt8(clamping: Int(level - Self.lowest + 0.5)), Self.highest)) }
    }

    /// Rows of ``values``.
    private func rows(_ range: Range<Int>) -> QueryLevels {
        QueryLevels(values: Array(values[range.lowerBound * Self.bins..<range.upperBound * Self.bins]))
    }

    /// Forgets packed rows before a row.
    mutating func forget(before row: Int) {
        let count = min(max(0, row / Self.blockRows - forgotten), packed.count)
        packed.removeFirst(count)
        forgotten += count
    }

    /// The power of each level; a sine of full scale has about 2¹⁷.
    static let powers: [Float] = (0...highest).map { exp2(Float($0) + lowest) }

    /// `true` if no row was forgotten.
    var isWhole: Bool { keepsAll ? forgotten == 0 : whole != nil }

    /// The levels of the whole recording; `nil` if it is longer than a minute.
    package var whole: QueryLevels? { firstRow == 0 && rowCount <= Self.mostRows ? QueryLevels(values: values) : nil }

    /// The rows of a part of the recording, if they are kept.
    ///
    /// - Parameters:
    ///   - step: The beginning of the part, in landmark steps.
    ///   - steps: The length of the part, in landmark steps.
    func part(from step: Int, steps: Int) -> QueryLevels? {
        let window = FrequencyAxis.frameSize / Spectrogram.hop
        let first = (step + Landmark.stepsPerFrame / 2) / Landmark.stepsPerFrame
        return part(first..<max(first, (step + steps) / Landmark.stepsPerFrame - window + 1))
    }

    /// Returns the rows with these numbers, limited to those of the recording; `nil` if the range is empty, or some
    /// rows are no longer kept.
    package func part(_ wanted: Range<Int>) -> QueryLevels? {
        let first = max(0, wanted.lowerBound)
        let last = min(wanted.upperBound, firstRow + rowCount)
        guard first < last, keepsAll || last - first <= Self.mostRows else { return nil }
        if first >= firstRow { return rows(first - firstRow..<last - firstRow) }
        guard first >= forgotten * Self.blockRows, !packed.isEmpty else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity((last - first) * Self.bins)
        for block in first / Self.blockRows...(min(last, firstRow) - 1) / Self.blockRows {
            let start = block * Self.blockRows
            // Packed here, so it can be read.
            let values = unpacked.values(of: block) {
                LevelCode.levels(packed[block - forgotten][...], rows: Self.blockRows)?.values
            }
            guard let values else { return nil }
            let wanted = max(first - start, 0)..<min(last - start, Self.blockRows)
            part += values[wanted.lowerBound * Self.bins..<wanted.upperBound * Self.bins]
        }
        if last > firstRow { part += values[..<((last - firstRow) * Self.bins)] }
        return QueryLevels(values: part)
    }

    /// Returns `true` if these rows can belong to a recording of so many landmark steps.
    func canBelong(toSteps steps: Int64) -> Bool {
        rowCount > 0 && rowCount <= min(Self.mostRows, Int(steps) / Landmark.stepsPerFrame)
    }
}
