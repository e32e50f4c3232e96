import EarshotCore

/// Packs postings that arrive in order of key and unit.
struct PostingWriter {
    private static let tooLarge = EarshotError(
        .catalogInvalid,
        "The index would exceed 4 GiB, at some thousand hours of music: split the references into several catalogs."
    )

    /// The first key of each block.
    private(set) var blockKeys: [UInt32] = []
    /// The offset of each block, in bytes, and the end of the last block.
    private(set) var offsets: [UInt32] = []
    private(set) var postingCount = 0
    private var writer: BitWriter
    /// Bytes that ``drain()`` has returned.
    private var drained = 0
    private let unitBits: Int
    private var keys: [UInt32] = []
    private var units: [UInt32] = []
    // Values of the block being written. Members, so that their memory is reused.
    private var gaps: [UInt32] = []
    private var steps: [UInt32] = []

    init(frameCount: Int, reserving count: Int) {
        unitBits = PostingCode.unitBits(frameCount: frameCount)
        writer = BitWriter(reservingCapacity: count * 4)
        keys.reserveCapacity(PostingCode.blockSize)
        units.reserveCapacity(PostingCode.blockSize)
    }

    /// Appends a posting, and packs a block when 32 are waiting.
    ///
    /// - Throws: `catalogInvalid` if the index exceeds 4 GiB.
    @inline(__always)
    mutating func append(key: UInt32, unit: UInt32) throws(EarshotError) {
        keys.append(key)
        units.append(unit)
        if keys.count == PostingCode.blockSize { try writeBlock() }
    }

    /// Returns the blocks packed since the last call, for callers that write them out one part after the other.
    mutating func drain() -> [UInt8] {
        let bytes = writer.bytes
        drained += bytes.count
        writer = BitWriter(reservingCapacity: bytes.count)
        return bytes
    }

    /// Packs the last block and returns the bytes that were not drained. Nothing may be appended after this.
    mutating func finish() throws(EarshotError) -> [UInt8] {
        if !keys.isEmpty { try writeBlock() }
        offsets.append(UInt32(drained + writer.bytes.count))
        writer.pad(PostingCode.padding)
        return writer.bytes
    }

    private mutating func writeBlock() throws(EarshotError) {
        guard drained + writer.bytes.count < Int(UInt32.max) - 4096 else { throw Self.tooLarge }
        blockKeys.append(keys[0])
        offsets.append(UInt32(drained + writer.bytes.count))
        postingCount += keys.count
        gaps.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
        for index in 1..<max(1, keys.count) {
            gaps.append(keys[index] - keys[index - 1])
            if keys[index] == keys[index - 1] { steps.append(units[index] - units[index - 1]) }
        }
        let gapParameter = Self.parameter(for: gaps)
        let stepParameter = Self.parameter(for: steps)
        writer.write(UInt32(gapParameter), width: PostingCode.parameterBits)
        writer.write(UInt32(stepParameter), width: PostingCode.parameterBits)
        for index in keys.indices {
            let isSame = index > 0 && keys[index] == keys[index - 1]
            if index > 0 { writer.writeRice(keys[index] - keys[index - 1], parameter: gapParameter) }
            if isSame {
                writer.writeRice(units[index] - units[index - 1], parameter: stepParameter)
            } else {
                writer.write(units[index], width: unitBits)
            }
        }
        writer.align()
        keys.removeAll(keepingCapacity: true)
        units.removeAll(keepingCapacity: true)
    }

    /// Returns the Rice parameter that takes the fewest bits.
    private static func parameter(for numbers: [UInt32]) -> Int {
        guard !numbers.isEmpty else { return 0 }
        let mean = numbers.reduce(0.0) { $0 + Double($1) } / Double(numbers.count)
        let middle = max(0, Int.bitWidth - 1 - Int(mean.rounded(.up)).leadingZeroBitCount)
        // The best parameter is near the logarithm of the mean, and below it if a few numbers are large.
        var (best, least) = (0, Int.max)
        for parameter in max(0, middle - 6)...min(24, middle + 1) {
            var cost = 0
            for number in numbers { cost += RiceCode.cost(number, parameter: parameter) }
            if cost < least { (best, least) = (parameter, cost) }
        }
        return best
    }
}
