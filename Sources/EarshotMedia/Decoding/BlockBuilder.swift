import EarshotCore

/// Cuts a run of converted frames into blocks, and off what lies outside the range asked for.
struct BlockBuilder {
    let format: AudioFormat
    private let type: SampleBuffer.Kind
    private let blockFrames: Int
    private let range: Range<Int64>
    /// The position of the next frame, in frames of the output.
    private(set) var position: Int64 = 0
    private var blockStart: Int64 = 0
    private var pending: SampleBuffer
    private var ready: [DecodedBlock] = []

    /// - Parameters:
    ///   - format: The rate and channels of the frames.
    ///   - type: The type of their samples.
    ///   - blockFrames: Frames of a block.
    ///   - range: The frames that are wanted.
    init(format: AudioFormat, type: SampleBuffer.Kind, blockFrames: Int, range: Range<Int64>) {
        self.format = format
        self.type = type
        pending = SampleBuffer(type)
        self.blockFrames = blockFrames
        self.range = range
    }

    /// `true` if nothing more of the range can come.
    var isComplete: Bool { position >= range.upperBound }

    /// The end of what was taken in, within the range.
    var end: MediaTime {
        let frame = min(max(position, range.lowerBound), max(range.upperBound, range.lowerBound))
        return MediaTime(frames: frame, sampleRate: format.sampleRate)
    }

    mutating func nextBlock() -> DecodedBlock? {
        ready.isEmpty ? nil : ready.removeFirst()
    }

    /// Goes on at another place; what is collected becomes a shorter block.
    mutating func move(to newPosition: Int64) {
        finish()
        position = newPosition
    }

    /// Takes in interleaved frames of the builder's format.
    mutating func append(_ bytes: UnsafeRawPointer, frames: Int) {
        let first = max(position, range.lowerBound)
        let last = min(position + Int64(frames), range.upperBound)
        let start = position
        position += Int64(frames)
        var next = first
        while next < last {
            let taken = Int(min(last - next, Int64(blockFrames - pendingFrames)))
            if pendingFrames == 0 { blockStart = next }
            let offset = Int(next - start) * format.channelCount
            copy(bytes, offset: offset, count: taken * format.channelCount)
            next += Int64(taken)
            if pendingFrames == blockFrames { finish() }
        }
    }

    /// Makes a block of what is collected.
    mutating func finish() {
        guard pendingFrames > 0 else { return }
        let rate = format.sampleRate
        ready.append(
            DecodedBlock(
                samples: pending,
                sampleRate: rate,
                channelCount: format.channelCount,
                time: MediaTime(frames: blockStart, sampleRate: rate)
            )
        )
        pending = SampleBuffer(type)
    }

    private var pendingFrames: Int { pending.count / format.channelCount }

    private mutating func copy(_ bytes: UnsafeRawPointer, offset: Int, count: Int) {
        // Without a limit, a block is one frame of the codec.
        let capacity = blockFrames == .max ? count : min(blockFrames, 1 << 20) * format.channelCount
        pending.append(bytes, offset: offset, count: count, capacity: capacity)
    }
}
