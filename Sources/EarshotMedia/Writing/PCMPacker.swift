/// Puts samples into the bytes of a layout.
struct PCMPacker: Sendable {
    let layout: PCMLayout
    /// `true` if 8-bit samples have no sign, as in WAV.
    let isUnsigned: Bool
    private var quantizer: Quantizer
    private let significantBits: Int

    /// - Parameters:
    ///   - layout: The layout of the samples.
    ///   - isUnsigned: `true` if 8-bit samples have no sign.
    ///   - significantBits: Bits of the source's samples that mean something.
    ///   - dithers: `true` if noise hides what is lost with fewer bits.
    init(_ layout: PCMLayout, isUnsigned: Bool, significantBits: Int, dithers: Bool) {
        self.layout = layout
        self.isUnsigned = isUnsigned && layout.bits == 8 && !layout.isFloat
        self.significantBits = significantBits
        quantizer = Quantizer(bits: layout.isFloat ? 32 : layout.bits, dithers: dithers)
    }

    /// The samples as bytes, interleaved as they are.
    mutating func bytes(_ samples: SampleBuffer) -> [UInt8] {
        guard layout.isFloat else { return integers(quantizer.quantize(samples, significantBits: significantBits)) }
        switch samples {
        case .int16(let samples): return floats(samples) { Double($0) / 32_768 }
        case .int32(let samples): return floats(samples) { Double($0) / 2_147_483_648 }
        case .float32(let samples): return floats(samples) { Double($0) }
        case .float64(let samples): return floats(samples) { $0 }
        }
    }

    private func integers(_ samples: [Int32]) -> [UInt8] {
        let size = layout.bytesPerSample
        let flip: UInt32 = isUnsigned ? 0x8000_0000 : 0
        let isBigEndian = layout.isBigEndian
        return [UInt8](unsafeUninitializedCapacity: samples.count * size) { output, count in
            let bytes = UnsafeMutableRawBufferPointer(output)
            // What is kept stands in the upper bits.
            for (index, sample) in samples.enumerated() {
                let word = UInt32(bitPattern: sample) ^ flip
                switch size {
                case 1: bytes[index] = UInt8(truncatingIfNeeded: word >> 24)
                case 2:
                    let short = UInt16(truncatingIfNeeded: word >> 16)
                    bytes.storeBytes(
                        of: isBigEndian ? short.bigEndian : short.littleEndian,
                        toByteOffset: index * 2,
                        as: UInt16.self
                    )
                case 3:
                    let middle = UInt8(truncatingIfNeeded: word >> 16)
                    let (high, low) = (UInt8(truncatingIfNeeded: word >> 24), UInt8(truncatingIfNeeded: word >> 8))
                    bytes[index * 3] = isBigEndian ? high : low
                    bytes[index * 3 + 1] = middle
                    bytes[index * 3 + 2] = isBigEndian ? low : high
                default:
                    bytes.storeBytes(
                        of: isBigEndian ? word.bigEndian : word.littleEndian,
                        toByteOffset: index * 4,
                        as: UInt32.self
                    )
                }
            }
            count = samples.count * size
        }
    }

    @inline(__always)
    private func floats<Sample>(_ samples: [Sample], _ value: (Sample) -> Double) -> [UInt8] {
        let isBigEndian = layout.isBigEndian
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * layout.bytesPerSample)
        func put(_ word: some FixedWidthInteger) {
            withUnsafeBytes(of: isBigEndian ? word.bigEndian : word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for sample in samples {
            let number = value(sample)
            if layout.bits == 64 { put(number.bitPattern) } else { put(Float(number).bitPattern) }
        }
        return bytes
    }
}
