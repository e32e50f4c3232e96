import EarshotCore

/// Cuts consecutive blocks of audio to a slice of the timeline. A state machine that does not read itself.
///
/// Frame `n` of the timeline is the audio at `n` divided by the rate, in seconds. Audio outside of the slice, or that overlaps earlier
/// blocks, is left out; gaps are filled with silence, so that frames keep their positions.
struct SampleSlice {
    private let start: Int64
    private let end: Int64
    private let format: AudioFormat
    /// The next frame of the timeline to be returned.
    private var position: Int64
    /// The block that is being cut; `nil` if the next one is needed.
    private var block: AudioBlock?

    /// The most frames of silence that are returned at once.
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

    /// `true` if all frames of the slice were returned.
    var isComplete: Bool { position >= end }

    /// Takes the next block, of the slice's format. To be called when ``next()`` has returned `nil`.
    mutating func append(_ block: AudioBlock) { self.block = block }

    /// Returns the next bytes of the silence before the block and of the block, little-endian; `nil` if another block is needed, or the slice is
    /// complete.
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
