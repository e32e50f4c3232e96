/// Brings samples to fewer bits, with noise of triangular distribution and of two steps' width added before rounding, so that
/// what is lost is no distortion of the sound but an even hiss (Lipshitz, Wannamaker, Vanderkooy: Quantization and Dither,
/// J. Audio Eng. Soc. 40/5, 1992).
///
/// Values beyond full scale are clipped, and values that are not numbers become silence. The dither noise is the same
/// each time.
struct Quantizer: Sendable {
    /// Bits of the result: 8 to 32.
    let bits: Int
    /// `true` if noise is added.
    let dithers: Bool
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(bits: Int, dithers: Bool) {
        self.bits = bits
        self.dithers = dithers
    }

    /// The samples as integers of ``bits`` bits in the upper bits of 32.
    ///
    /// - Parameter source: Samples of any type. Integers that have no more bits than wanted stay as they are.
    mutating func quantize(_ source: SampleBuffer, significantBits: Int) -> [Int32] {
        switch source {
        case .int16(let samples):
            if bits >= min(16, significantBits) { return samples.map { Int32($0) << 16 } }
            return reduced(samples) { Double($0) / 32_768 }
        case .int32(let samples):
            if bits >= significantBits { return samples }
            return reduced(samples) { Double($0) / 2_147_483_648 }
        case .float32(let samples): return reduced(samples) { Double($0) }
        case .float64(let samples): return reduced(samples) { $0 }
        }
    }

    @inline(__always)
    private mutating func reduced<Sample>(_ samples: [Sample], _ value: (Sample) -> Double) -> [Int32] {
        let steps = Double(Int64(1) << (bits - 1))
        let shift = Int32(32 - bits)
        let (least, most) = (-steps, steps - 1)
        // At 32 bits there is nothing below a step that could be heard or measured.
        let adds = dithers && bits < 32
        var state = state
        let result = [Int32](unsafeUninitializedCapacity: samples.count) { output, count in
            for index in 0..<samples.count {
                var sample = value(samples[index]) * steps
                if adds {
                    // Two even distributions of one step each make a triangular one of two: the halves of a random word.
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let word = UInt32(truncatingIfNeeded: state >> 32)
                    sample += (Double(word >> 16) - Double(word & 0xFFFF)) / 65_536
                }
                let bounded = sample.isNaN ? 0 : min(most, max(least, sample.rounded()))
                output.initializeElement(at: index, to: Int32(bounded) << shift)
            }
            count = samples.count
        }
        self.state = state
        return result
    }
}
