import EarshotCore

/// The packing of postings: blocks of 32 in order of their keys, each a run of bits.
///
/// A posting says that a key occurs at a unit of the timeline. Keys are stored as differences in Rice code. A unit is
/// stored whole if its key differs from the previous one, and as a difference in Rice code if the key is the same. Each
/// block has its own parameters for both codes.
enum PostingCode {
    /// The number of postings of a full block.
    static let blockSize = 32
    /// The number of frames in a unit of the timeline, as a power of two: 4 frames, 64 ms.
    static let unitShift = 2
    /// Bits of each of the two parameters at the start of a block.
    static let parameterBits = 5
    /// Bytes after the last block, so that a reader of a damaged block stays in bounds until it notices.
    static let padding = 32

    /// Returns the number of bits of a whole unit.
    static func unitBits(frameCount: Int) -> Int {
        max(1, Int.bitWidth - (max(0, frameCount) >> unitShift).leadingZeroBitCount)
    }
}
