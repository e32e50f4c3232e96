import EarshotDSP
import Foundation

/// The shape of a spectrum as bits, evenly over time and frequency: what a catalog keeps of a reference beside its landmarks.
///
/// Every fourth frame, 64 ms, has 23 bits: whether the difference between two neighboring bands of ten bins has risen from 64 ms
/// before to 64 ms after. Landmarks say where a recording is loud; bits say what it does everywhere else, so that both together
/// are seldom right by chance. 47 bytes a second.
package struct DenseBits: Hashable, Sendable {
    package static let bandCount = 24
    package static let bitCount = bandCount - 1
    /// Frames from one row to the next.
    package static let framesPerRow = 4
    /// Frames before and after.
    package static let reach = 4
    /// Bytes of a row.
    package static let rowSize = 3

    /// Rows of 23 bits, the lowest band first.
    package private(set) var rows: [UInt32] = []

    package init(rows: [UInt32] = []) { self.rows = rows }

    /// The rows from bytes, three each, the lowest first.
    package init(bytes: some RandomAccessCollection<UInt8>) {
        rows.reserveCapacity(bytes.count / Self.rowSize)
        var index = bytes.startIndex
        for _ in 0..<bytes.count / Self.rowSize {
            var row: UInt32 = 0
            for shift in 0..<UInt32(Self.rowSize) {
                row |= UInt32(bytes[index]) << (8 * shift)
                index = bytes.index(after: index)
            }
            rows.append(row)
        }
    }

    /// The rows as bytes, three each.
    package var bytes: [UInt8] {
        rows.flatMap { row in (0..<Self.rowSize).map { UInt8(truncatingIfNeeded: row >> (8 * $0)) } }
    }

    /// Returns `true` if these rows can belong to a recording of so many landmark steps: there is at least one row, and
    /// no bit is outside the recording.
    func canBelong(toSteps steps: Int64) -> Bool {
        let most = steps / Int64(Self.framesPerRow * Landmark.stepsPerFrame)
        return !rows.isEmpty && rows.count <= most && rows.allSatisfy { $0 >> UInt32(Self.bitCount) == 0 }
    }

    fileprivate mutating func append(_ row: UInt32) { rows.append(row) }
}

/// Makes dense bits of rows of levels.
struct DenseBitMaker: Sendable {
    private static let ring = 16
    private var bits = DenseBits()
    /// The differences between neighboring bands of the last frames.
    private var differences = [Float](repeating: 0, count: ring * DenseBits.bitCount)
    private var frameCount = 0
    /// `true` if rows are made: none are of a stream whose beginning was forgotten.
    private var isOn = true

    /// Stops, and forgets what was made.
    mutating func stop() {
        isOn = false
        bits = DenseBits()
    }

    /// Fifths of an octave to which powers are brought, so that the same bits come out on every machine.
    private static let unitsPerOctave: Float = 5
    /// The lowest power, as a logarithm to base 2: digital silence.
    private static let lowest: Float = -30
    private static let powers: [Float] = (0..<256).map { exp2(Float($0) / unitsPerOctave + lowest) }

    /// Takes the next frame: 240 levels as logarithms to base 2 of power.
    mutating func append(_ levels: UnsafeBufferPointer<Float>) {
        guard isOn else { return }
        let width = FrequencyAxis.binCount / DenseBits.bandCount
        let powers = Self.powers
        let slot = frameCount % Self.ring * DenseBits.bitCount
        var before: Float = 0
        for band in 0..<DenseBits.bandCount {
            var power: Float = 0
            for bin in band * width..<(band + 1) * width {
                let unit = UInt8(clamping: Int((levels[bin] - Self.lowest) * Self.unitsPerOctave + 0.5))
                power += powers[Int(unit)]
            }
            let level = log2(power + 1e-6)
            if band > 0 { differences[slot + band - 1] = before - level }
            before = level
        }
        frameCount += 1
        settle(isEnd: false)
    }

    /// The rows of everything so far, if there are any.
    mutating func finish() -> DenseBits? {
        settle(isEnd: true)
        return bits.rows.isEmpty ? nil : bits
    }

    /// Adds the rows that are known.
    private mutating func settle(isEnd: Bool) {
        while true {
            let frame = bits.rows.count * DenseBits.framesPerRow
            guard isOn, frame + DenseBits.reach < frameCount || (isEnd && frame < frameCount) else { return }
            let late = min(frame + DenseBits.reach, frameCount - 1) % Self.ring * DenseBits.bitCount
            let early = max(frame - DenseBits.reach, 0) % Self.ring * DenseBits.bitCount
            var row: UInt32 = 0
            for bit in 0..<DenseBits.bitCount where differences[late + bit] > differences[early + bit] {
                row |= 1 << UInt32(bit)
            }
            bits.append(row)
        }
    }
}

/// The soft value of each bit in a query: positive where the difference has risen, in standard deviations.
package struct SoftBits: Sendable {
    private static let limit: Float = 2.5

    /// Values of a row: those of ``DenseBits/bitCount`` bits, and zeros to whole vectors.
    package static let stride = 24

    /// Rows of ``stride`` values, two a frame.
    package let values: [Float]
    package let rowCount: Int

    /// - Parameter pitch: The pitch of the query relative to the reference, in bins.
    package init(_ levels: QueryLevels, pitch: Int) {
        let (bins, count) = (FrequencyAxis.binCount, DenseBits.bitCount)
        let width = bins / DenseBits.bandCount
        let frames = levels.rowCount
        let powers = QueryLevels.powers
        var differences = [Float](repeating: 0, count: frames * count)
        for frame in 0..<frames {
            var before: Float = 0
            for band in 0..<DenseBits.bandCount {
                var power: Float = 0
                for bin in band * width + pitch..<(band + 1) * width + pitch where bin >= 0 && bin < bins {
                    power += powers[Int(levels.values[frame * bins + bin])]
                }
                let level = log2(power + 1e-6)
                if band > 0 { differences[frame * count + band - 1] = before - level }
                before = level
            }
        }
        var rises = [Float](repeating: 0, count: frames * count)
        for frame in 0..<frames {
            let late = min(frame + DenseBits.reach, frames - 1) * count
            let early = max(frame - DenseBits.reach, 0) * count
            for bit in 0..<count { rises[frame * count + bit] = differences[late + bit] - differences[early + bit] }
        }
        for bit in 0..<count {
            var sum: Float = 0
            for frame in 0..<frames { sum += rises[frame * count + bit] * rises[frame * count + bit] }
            let scale = 1 / max((sum / Float(max(1, frames))).squareRoot(), 1e-3)
            for frame in 0..<frames {
                rises[frame * count + bit] = min(max(rises[frame * count + bit] * scale, -Self.limit), Self.limit)
            }
        }
        rowCount = max(0, 2 * frames - 1)
        var values = [Float](repeating: 0, count: rowCount * Self.stride)
        for row in 0..<rowCount {
            let (first, second) = (row / 2 * count, (row + 1) / 2 * count)
            for bit in 0..<count { values[row * Self.stride + bit] = (rises[first + bit] + rises[second + bit]) / 2 }
        }
        self.values = values
    }
}
