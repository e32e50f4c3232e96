import EarshotCore

/// How postings are packed: blocks of 32 in order of key, each a run of bits.
///
/// A posting says that a key occurs at a unit of the timeline. Keys are stored as differences in Rice's code; a unit is
/// stored whole when the key is another than that before, and as a difference in Rice's code when it is the same. The
/// parameters of both codes are chosen for each block.
enum PostingCode {
    static let blockSize = 32
    /// Frames in a unit of the timeline, as a power of two: 4 frames, 64 ms.
    static let unitShift = 2
    /// Bits of the two parameters at the start of a block.
    static let parameterBits = 5
    /// A quotient that is not written out: as many zeros, then the number itself in 32 bits.
    static let escape = 24
    /// Bytes behind the last block, so that a reader whose block is damaged stays inside before it notices.
    static let padding = 32

    /// Bits that a whole unit takes.
    static func unitBits(frameCount: Int) -> Int {
        max(1, Int.bitWidth - (max(0, frameCount) >> unitShift).leadingZeroBitCount)
    }

    /// Bits of a number in Rice's code.
    @inline(__always)
    static func cost(_ number: UInt32, parameter: Int) -> Int {
        let quotient = Int(number >> UInt32(parameter))
        return quotient < escape ? quotient + 1 + parameter : escape + 32
    }
}

/// Collects numbers of any width as a run of bits, the lowest first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var count = 0

    init(reservingCapacity capacity: Int) { bytes.reserveCapacity(capacity) }

    /// - Parameter width: At most 32.
    mutating func write(_ number: UInt32, width: Int) {
        held |= UInt64(number) << UInt64(count)
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }

    mutating func writeRice(_ number: UInt32, parameter: Int) {
        let quotient = Int(number >> UInt32(parameter))
        guard quotient < PostingCode.escape else {
            write(0, width: PostingCode.escape)
            write(number, width: 32)
            return
        }
        write(1 << UInt32(quotient), width: quotient + 1)
        write(number & (1 << UInt32(parameter) - 1), width: parameter)
    }

    /// Fills the last byte.
    mutating func align() {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: held)) }
        (held, count) = (0, 0)
    }

    mutating func pad(_ number: Int) { bytes.append(contentsOf: repeatElement(0, count: number)) }
}
