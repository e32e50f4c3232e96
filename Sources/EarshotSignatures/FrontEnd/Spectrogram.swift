import EarshotDSP

/// Turns a stream of mono samples at the analysis rate into rows of levels on the frequency axis.
///
/// A row covers 2,048 samples under a Hann window; rows are 256 samples apart. Row *i* begins at sample *256 · i*, and
/// only windows that are wholly filled give a row. Rows are computed eight at a time; each depends on its own samples
/// alone.
struct Spectrogram: Sendable {
    typealias Lanes = FourierPlan.Lanes

    /// Samples between rows.
    static let hop = 256

    private let axis: FrequencyAxis
    private var spectrum: ShortTimeSpectrum
    private var levels: [Lanes]

    init(sampleRate: Int) {
        axis = FrequencyAxis(sampleRate: sampleRate)
        spectrum = ShortTimeSpectrum(size: FrequencyAxis.frameSize, hop: Self.hop, bins: axis.sourceBins)
        levels = [Lanes](repeating: .zero, count: FrequencyAxis.binCount)
    }

    /// Takes samples and hands out each row of ``FrequencyAxis/binCount`` levels that eight finished frames give.
    mutating func append(_ samples: [Float], row: (UnsafeBufferPointer<Float>) -> Void) {
        spectrum.append(samples) { powers, count in
            levels.withUnsafeMutableBufferPointer { levels in
                axis.levels(of: powers, into: levels)
                ShortTimeSpectrum.split(UnsafeBufferPointer(levels), count: count, row)
            }
        }
    }

    /// Hands out the rows of the frames that are complete but do not fill a batch of eight.
    mutating func finish(row: (UnsafeBufferPointer<Float>) -> Void) {
        spectrum.finish { powers, count in
            levels.withUnsafeMutableBufferPointer { levels in
                axis.levels(of: powers, into: levels)
                ShortTimeSpectrum.split(UnsafeBufferPointer(levels), count: count, row)
            }
        }
    }
}
