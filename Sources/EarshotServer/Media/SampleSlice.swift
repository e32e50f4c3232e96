import EarshotCore

/// Cuts blocks of sound, in order, to a slice of a timeline: a state machine without a reader.
///
/// Frame `n` of the timeline is what is heard at `n` divided by the rate. What lies before the slice, behind it, or was given
/// already is left out; where nothing is heard there is silence, so that each frame of the answer has its place.
struct SampleSlice {
    private let start: Int64
    private let end: Int64
    private let format: AudioFormat
    /// The next frame of the timeline that is wanted.
    private var position: Int64
    /// The block that is cut.
    private var block: AudioBlock?

    /// Frames of silence that are made at once.
    private static let silence: Int64 = 16_384

    /// - Parameters:
    ///   - start: The first frame.
    ///   - length: The largest number of frames.
    ///   - format: The format of every block.
    init(start: Int64, length: Int64, format: AudioFormat) {
        (self.start, self.format) = (start, format)
        end = start + length
        position = start
    }

    /// `true` if everything is there.
    var isComplete: Bool { position >= end }

    /// Takes the next block, of the slice's format, when the one before it has been given.
    mutating func append(_ block: AudioBlock) { self.block = block }

    /// The next bytes of the block that was taken, and of the silence before it; the lowest byte of a sample first. Nothing when
    /// another block is wanted, or everything is there.
    mutating func next() -> [UInt8]? {
        guard !isComplete, let block else { return nil }
        let time = block.time.converted(toTimescale: Int32(clamping: format.sampleRate))
        let gap = time.isNumeric ? min(time.value, end) - position : 0
        guard gap <= 0 else {
            let frames = min(gap, Self.silence)
            position += frames
            return [UInt8](repeating: 0, count: Int(frames) * format.channelCount * format.sampleType.byteCount)
        }
        self.block = nil
        guard -gap < Int64(block.buffer.frameCount) else { return nil }
        let first = Int(-gap)
        let count = Int(min(Int64(block.buffer.frameCount - first), end - position))
        position += Int64(count)
        let samples = first * format.channelCount..<(first + count) * format.channelCount
        switch block.buffer.samples {
        case .int16(let values): return Self.bytes(values[samples].map(\.littleEndian))
        case .float32(let values): return Self.bytes(values[samples].map(\.bitPattern.littleEndian))
        }
    }

    private static func bytes<Value>(_ values: [Value]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }
}
