import EarshotDSP
import EarshotSignatures

/// Eight rows of the fast spectrogram in sums: 128 ms.
struct Block: Sendable {
    /// Sums of the logarithms (base 2) of the bands and of their squares.
    var sums: [Float]
    var squares: [Float]
    /// The mean level, as the mean of ``sums``.
    var level: Float
    var isAudible: Bool

    init(_ frames: SpectralFrames, firstRow: Int) {
        let bands = SpectralFrames.bandCount
        sums = [Float](repeating: 0, count: bands)
        squares = sums
        var audible = 0
        for row in firstRow..<firstRow + SpectralFrames.stepRows {
            let place = row - frames.firstRow
            if frames.rows[place].power > AudioFeatures.silence { audible += 1 }
            var band = 0
            while band < bands {
                var lanes = SIMD8<Float>(repeating: 1)
                let count = min(8, bands - band)
                // -80 dBFS in a band is as good as nothing.
                for lane in 0..<count { lanes[lane] = (frames.bands[place * bands + band + lane] + 1e-8) * 1e6 }
                lanes = FrequencyAxis.logarithm(lanes)
                for lane in 0..<count {
                    sums[band + lane] += lanes[lane]
                    squares[band + lane] += lanes[lane] * lanes[lane]
                }
                band += 8
            }
        }
        level = sums.reduce(0, +) / Float(bands * SpectralFrames.stepRows)
        isAudible = 2 * audible >= SpectralFrames.stepRows
    }
}
