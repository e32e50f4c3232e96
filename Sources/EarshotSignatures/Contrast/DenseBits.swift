import EarshotDSP
import Foundation

/// The changes of a spectrum as bits, evenly over time and frequency: stored in a catalog with the landmarks of a
/// reference.
///
/// Every fourth frame, 64 ms, has 23 bits. A bit tells whether the level difference between two neighboring bands of
/// ten bins has risen from 64 ms before to 64 ms after. Landmarks describe the loud positions of a recording, and bits
/// everything else, so both together rarely match by chance. They take 47 bytes a second.
package struct DenseBits: Hashable, Sendable {
    package static let bandCount = 24
    package static let bitCount = bandCount - 1
    /// The number of frames from one row to the next.
    package static let framesPerRow = 4
    /// The number of frames before and after a row's frame between which levels are compared.
    package static let reach = 4
    /// The size of a stored row, in bytes.
    package static let rowSize = 3

    /// The rows, each with 23 bits, the lowest band in the lowest bit.
    package private(set) var rows: [UInt32] = []

    package init(rows: [UInt32] = []) { self.rows = rows }

    /// Decodes rows of three bytes each, little-endian. An incomplete row at the end is ignored.
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

    /// The rows as three bytes each, little-endian.
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

/// The dense bits of a query as numbers, in standard deviations: positive where the difference of two bands has risen.
package struct SoftBits: Sendable {
    private static let limit: Float = 2.5

    /// The number of values in a row: one for each of the ``DenseBits/bitCount`` bits, and one zero.
    package static let stride = 24

    /// The rows of ``stride`` values, two rows a frame less one.
    package let values: [Float]
    package let rowCount: Int

    /// Creates the values of a query.
    ///
    /// - Parameters:
    ///   - levels: The spectrogram of the query.
    ///   - pitch: The pitch of the query relative to the reference, in bins of 1/48 octave.
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
