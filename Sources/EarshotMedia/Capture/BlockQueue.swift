import EarshotCore

/// Blocks on their way from the capturing thread to whoever reads them, up to a length.
struct BlockQueue {
    let capacity: MediaTime
    private var blocks: [AudioBlock] = []
    private var first = 0
    private(set) var duration: MediaTime = .zero

    init(capacity: MediaTime) {
        self.capacity = capacity
    }

    var isEmpty: Bool { first == blocks.count }

    /// Whether another block would be too many. A queue that holds nothing takes a block of any length.
    func isFull(for block: AudioBlock) -> Bool {
        !isEmpty && duration + block.buffer.duration > capacity
    }

    mutating func append(_ block: AudioBlock) {
        blocks.append(block)
        duration += block.buffer.duration
    }

    /// Adds a block and, where that is too much, drops the oldest, a tenth of the capacity at once, so that a slow reader
    /// loses one stretch and not a bit of every second.
    ///
    /// - Returns: How much sound was dropped.
    mutating func appendDroppingOldest(_ block: AudioBlock) -> MediaTime {
        var lost = MediaTime.zero
        if isFull(for: block) {
            let rest = capacity - capacity.converted(toTimescale: 1_000_000).scaled(byFraction: 0.1)
            while !isEmpty, duration + block.buffer.duration > rest, let dropped = popFirst() {
                lost += dropped.buffer.duration
            }
        }
        append(block)
        return lost
    }

    mutating func popFirst() -> AudioBlock? {
        guard !isEmpty else { return nil }
        let block = blocks[first]
        first += 1
        duration = isEmpty ? .zero : duration - block.buffer.duration
        // The front is cleared in one go now and then: removing the first of an array moves all others.
        if first > 64 || isEmpty {
            blocks.removeFirst(first)
            first = 0
        }
        return block
    }

    mutating func removeAll() {
        (blocks, first, duration) = ([], 0, .zero)
    }
}
