import EarshotCore

/// The packing of postings: blocks of 32 in order of key, each a run of bits.
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
    /// Bytes behind the last block, so that a reader whose block is damaged stays inside before it notices.
    static let padding = 32

    /// Bits that a whole unit takes.
    static func unitBits(frameCount: Int) -> Int {
        max(1, Int.bitWidth - (max(0, frameCount) >> unitShift).leadingZeroBitCount)
    }
}
