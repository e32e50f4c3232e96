import EarshotCore
import EarshotSignatures

/// The packed form of a reference's landmarks in a segment: a directory and blocks of bits.
///
/// Time is divided into the blocks of ``LandmarkPacking``. The directory has one byte a block, the number of its
/// landmarks. Times ascend within a block and are stored in Elias–Fano code: the low bits as they are, the high bits as
/// the positions of ones in a run of bits. Frequency and tier have fields of equal width. The size of a block follows
/// from the number of its landmarks, so the directory alone leads a reader to any block.
enum LandmarkBlocks {
    /// Bytes after the landmarks of all references, so that a reader may load eight bytes at any position of a block.
    static let padding = 8
    /// The bits of frequency and tier together.
    private static let fieldBits = 14
    private static let frequencyBits = 11
    private static let frequencyMask: UInt32 = 1 << 11 - 1
    /// The highest tier that fits into the field. References keep tiers below ``DamageModel/referenceTiers``.
    private static let maximumTier: UInt8 = 7
    private static let stepBits = LandmarkPacking.stepsPerBlock.trailingZeroBitCount

    /// The size of a block in bytes, by the number of its landmarks.
    static let sizes = (0...LandmarkPacking.blockCapacity).map { Shape(count: $0).size }

    /// The layout of the bits of a block.
    private struct Shape {
        let count: Int
        /// The bits of a time that are stored as they are.
        let lowBits: Int
        /// The number of values that the other bits of a time may have.
        let highValues: Int

        /// Computes the layout.
        ///
        /// - Parameter count: The number of landmarks of the block, 0 to 255.
        @inline(__always)
        init(count: Int) {
            self.count = count
            // The logarithm of the number of landmarks, rounded up.
            lowBits = stepBits - (Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
            highValues = 1 << (stepBits - lowBits)
        }

        /// The length of the run of high bits: a one for each landmark, and a zero for each step to the next value.
        @inline(__always)
        var highBits: Int { count + highValues - 1 }

        @inline(__always)
        var fieldStart: Int { highBits + count * lowBits }

        var size: Int { count == 0 ? 0 : (fieldStart + count * fieldBits + 7) / 8 }
    }

    // MARK: - Writing

    /// Packs landmarks, which must be sorted, into directory and blocks. Landmarks beyond a block's capacity are
    /// dropped.
    static func pack(_ landmarks: [Landmark]) -> (directory: [UInt8], blocks: [UInt8]) {
        var directory: [UInt8] = []
        var writer = BitWriter(reservingCapacity: landmarks.count * 5 / 2)
        var start = 0
        while start < landmarks.count {
            let block = Int(landmarks[start].time) / LandmarkPacking.stepsPerBlock
            var end = start + 1
            while end < landmarks.count, Int(landmarks[end].time) / LandmarkPacking.stepsPerBlock == block { end += 1 }
            directory.append(contentsOf: repeatElement(0, count: block - directory.count))
            let kept = landmarks[start..<min(end, start + LandmarkPacking.blockCapacity)]
            directory.append(UInt8(kept.count))
            write(kept, to: &writer)
            start = end
        }
        return (directory, writer.bytes)
    }

    private static func write(_ landmarks: ArraySlice<Landmark>, to writer: inout BitWriter) {
        let shape = Shape(count: landmarks.count)
        let times = landmarks.map { $0.time % UInt32(LandmarkPacking.stepsPerBlock) }
        var value = 0
        func advance(to next: Int) {
            while value < next {
                let step = min(32, next - value)
                writer.write(0, width: step)
                value += step
            }
        }
        for time in times {
            advance(to: Int(time >> UInt32(shape.lowBits)))
            writer.write(1, width: 1)
        }
        advance(to: shape.highValues - 1)
        for time in times { writer.write(time & (1 << UInt32(shape.lowBits) - 1), width: shape.lowBits) }
        for landmark in landmarks {
            let tier = UInt32(min(landmark.tier, maximumTier))
            writer.write(UInt32(landmark.frequency) & frequencyMask | tier << UInt32(frequencyBits), width: fieldBits)
        }
        writer.align()
    }

    // MARK: - Reading

    /// Calls `body` with the time within the block, the frequency and the tier of each landmark of a block. A damaged
    /// block yields fewer or wrong landmarks, but no time outside the block.
    ///
    /// - Parameters:
    ///   - base: Memory that extends at least ``padding`` bytes beyond the block.
    ///   - start: The offset of the block, in bytes.
    ///   - count: The number of landmarks from the directory, 0 to 255.
    @inline(__always)
    static func forEachLandmark(
        in base: UnsafeRawBufferPointer,
        at start: Int,
        count: Int,
        _ body: (_ time: UInt32, _ frequency: UInt32, _ tier: UInt32) -> Void
    ) {
        guard count > 0 else { return }
        let shape = Shape(count: count)
        let lowMask: UInt32 = 1 << UInt32(shape.lowBits) - 1
        var low = start * 8 + shape.highBits
        var field = start * 8 + shape.fieldStart
        // The remaining ones of eight bytes of high bits, and the index of the first of these bits.
        var ones = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        var loaded = 0
        for index in 0..<count {
            while ones == 0 {
                loaded += 64
                guard loaded < shape.highBits else { return }
                ones = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start + loaded / 8, as: UInt64.self))
            }
            // Ones are no steps, so those before this one are subtracted.
            let high = loaded + ones.trailingZeroBitCount - index
            guard high < shape.highValues else { return }
            ones &= ones - 1
            let time = UInt32(truncatingIfNeeded: high << shape.lowBits) | bits(base, at: low) & lowMask
            let rest = bits(base, at: field)
            body(time, rest & frequencyMask, rest >> UInt32(frequencyBits) & UInt32(maximumTier))
            low += shape.lowBits
            field += fieldBits
        }
    }

    /// Returns at least 25 bits from a position, in bits.
    @inline(__always)
    private static func bits(_ base: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
        UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position >> 3, as: UInt32.self))
            >> UInt32(position & 7)
    }

    /// Decodes the landmarks of a reference; `nil` if its bytes are malformed.
    ///
    /// - Parameters:
    ///   - base: Memory that extends at least ``padding`` bytes beyond the landmarks.
    ///   - place: The range of directory and blocks.
    ///   - directoryCount: The number of bytes of the directory, at most those of `place`.
    static func unpack(
        _ base: UnsafeRawBufferPointer,
        at place: Range<Int>,
        directoryCount: Int
    ) -> [Landmark]? {
        var landmarks: [Landmark] = []
        landmarks.reserveCapacity(place.count / 2)
        let first = place.lowerBound + directoryCount
        var start = first
        for block in 0..<directoryCount {
            let count = Int(base[place.lowerBound + block])
            guard start + sizes[count] <= place.upperBound else { return nil }
            let time = UInt32(truncatingIfNeeded: block * LandmarkPacking.stepsPerBlock)
            forEachLandmark(in: base, at: start, count: count) { step, frequency, tier in
                landmarks.append(
                    Landmark(time: time &+ step, frequency: UInt16(frequency), tier: UInt8(tier))
                )
            }
            start += sizes[count]
        }
        guard landmarks.allSatisfy({ $0.frequency < Landmark.frequencyCount }),
            zip(landmarks, landmarks.dropFirst()).allSatisfy(<=)
        else { return nil }
        // Packing the landmarks again must give the same bytes. Then none is missing, and no bit between them is set.
        let (directory, blocks) = pack(landmarks)
        return directory.elementsEqual(base[place.lowerBound..<first])
            && blocks.elementsEqual(base[first..<place.upperBound]) ? landmarks : nil
    }
}
