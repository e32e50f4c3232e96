import EarshotCore
import Foundation

/// Makes blocks of raw little-endian samples, however the bytes are cut.
struct PCMParser {
    let format: AudioFormat
    private let blockBytes: Int
    private let frameBytes: Int
    private var bytes: [UInt8] = []
    private var frames: Int64 = 0

    init(format: AudioFormat, blockFrames: Int) {
        self.format = format
        frameBytes = format.channelCount * format.sampleType.byteCount
        blockBytes = blockFrames * frameBytes
    }

    /// The number of bytes missing for a complete block.
    var missingBytes: Int { max(blockBytes - bytes.count, 0) }

    /// The start of the next block.
    var position: MediaTime { MediaTime(frames: frames, sampleRate: format.sampleRate) }

    mutating func append(_ new: some Sequence<UInt8>) {
        bytes.append(contentsOf: new)
    }

    /// The next whole block, where there is one.
    mutating func nextBlock() -> AudioBlock? {
        bytes.count >= blockBytes ? take(blockBytes) : nil
    }

    /// The rest of the audio at the end; an incomplete frame is dropped.
    mutating func finish() -> AudioBlock? {
        let whole = bytes.count / frameBytes * frameBytes
        defer { bytes = [] }
        return whole > 0 ? take(whole) : nil
    }

    private mutating func take(_ count: Int) -> AudioBlock {
        let part = bytes.prefix(count)
        let buffer: AudioBuffer
        let (rate, channels) = (format.sampleRate, format.channelCount)
        switch format.sampleType {
        case .int16:
            buffer = AudioBuffer(
                Self.integers(part, UInt16.self).map { Int16(bitPattern: $0) },
                sampleRate: rate,
                channelCount: channels
            )
        case .float32:
            buffer = AudioBuffer(
                Self.integers(part, UInt32.self).map { Float(bitPattern: $0) },
                sampleRate: rate,
                channelCount: channels
            )
        }
        bytes.removeFirst(count)
        let block = AudioBlock(buffer, at: position)
        frames += Int64(buffer.frameCount)
        return block
    }

    private static func integers<Word: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>, _ type: Word.Type) -> [Word] {
        bytes.withUnsafeBytes { raw in
            let size = MemoryLayout<Word>.size
            return (0..<raw.count / size).map {
                Word(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * size, as: Word.self))
            }
        }
    }
}
