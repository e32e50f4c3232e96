import EarshotCore
import EarshotDSP

/// Mono audio at 16 kHz as two spectrograms: a fast one, for loudness and color, and a fine one, for tones.
///
/// Rows of the fast one cover 32 ms every 16 ms as powers of 20 bands. Rows of the fine one cover 128 ms every 32 ms as
/// places of tones. Only the last seconds are kept. Powers and levels are those of the samples; nothing here depends on
/// how samples were cut.
struct SpectralFrames: Sendable {
    typealias Lanes = FourierPlan.Lanes

    static let sampleRate = 16_000
    static let hop = 256
    static let fineHop = 512
    static let bandCount = 20
    static let size = 512
    static let fineSize = FrequencyAxis.frameSize
    /// Fast rows in a step; the analysis goes on step by step.
    static let stepRows = 8
    /// Rows that are kept, at least.
    private static let keptRows = 512

    /// One row of the fast spectrogram.
    struct Row: Sendable {
        /// Mean square of the 256 samples that begin with the row.
        var power: Float
        /// Share of neighbouring samples with a change of sign.
        var crossings: Float
    }

    /// Number of the first row kept, and the rows.
    private(set) var firstRow = 0
    private(set) var rows: [Row] = []
    /// `bandCount` powers a row.
    private(set) var bands: [Float] = []
    private(set) var firstFine = 0
    private(set) var fine: [ToneRow] = []

    private var pending: [Float] = []
    private var pendingStart = 0
    private var fast = FrameSpectrum(size: size, hop: hop, bins: 1..<size / 2, scale: scale(size))
    private var slow = FrameSpectrum(size: fineSize, hop: fineHop, bins: ToneFinder.bins, scale: scale(fineSize))
    private var tones = ToneFinder()
    private let filter = BandFilter()
    private var fastPowers = [Lanes](repeating: .zero, count: size / 2)
    private var finePowers = [Lanes](repeating: .zero, count: ToneFinder.bins.count)

    /// Rows computed since the beginning.
    var rowCount: Int { firstRow + rows.count }
    var fineCount: Int { firstFine + fine.count }

    /// Adds samples; nothing is computed yet.
    mutating func append(_ samples: [Float]) { pending.append(contentsOf: samples) }

    /// Computes the next eight rows of the fast spectrogram, and those of the fine one over the same samples.
    ///
    /// - Returns: `true` if there were samples enough.
    mutating func advance() -> Bool {
        let start = rowCount * Self.hop
        // The fine rows reach furthest: eight of them are computed together with every second eight fast ones.
        let isFineTurn = (rowCount / Self.stepRows).isMultiple(of: 2)
        let end = start + (isFineTurn ? 7 * Self.fineHop + Self.fineSize : 7 * Self.hop + Self.size)
        guard pendingStart + pending.count >= end else { return false }
        addRows(at: start - pendingStart)
        if isFineTurn { addFine(at: fineCount * Self.fineHop - pendingStart) }
        discard()
        return true
    }

    private mutating func addRows(at offset: Int) {
        let hop = Self.hop
        pending.withUnsafeBufferPointer { samples in
            let first = samples.baseAddress! + offset
            fastPowers.withUnsafeMutableBufferPointer { fast.transform(first, into: $0) }
            for lane in 0..<Self.stepRows {
                let block = first + lane * hop
                var (sum, crossings): (Float, Int32) = (0, 0)
                for index in 0..<hop {
                    sum += block[index] * block[index]
                    crossings += (block[index] < 0) != (block[index + 1] < 0) ? 1 : 0
                }
                rows.append(Row(power: sum / Float(hop), crossings: Float(crossings) / Float(hop)))
            }
        }
        filter.apply(fastPowers, to: &bands)
    }

    private mutating func addFine(at offset: Int) {
        pending.withUnsafeBufferPointer { samples in
            let first = samples.baseAddress! + offset
            finePowers.withUnsafeMutableBufferPointer { slow.transform(first, into: $0) }
        }
        tones.rows(of: finePowers, to: &fine)
    }

    private mutating func discard() {
        let used = min(rowCount * Self.hop, fineCount * Self.fineHop) - pendingStart
        if used > 8_192 {
            pending.removeFirst(used)
            pendingStart += used
        }
        // Twice as many as are needed are kept, so that moving them is rare.
        if rows.count > 2 * Self.keptRows {
            let count = rows.count - Self.keptRows
            rows.removeFirst(count)
            bands.removeFirst(count * Self.bandCount)
            firstRow += count
        }
        if fine.count > Self.keptRows {
            let count = fine.count - Self.keptRows / 2
            fine.removeFirst(count)
            firstFine += count
        }
    }

    /// The height of the window with which the powers of all bins together are the mean square of the windowed samples.
    private static func scale(_ size: Int) -> Double {
        let length = Double(size)
        return (2 / (0.375 * length * length)).squareRoot()
    }
}
