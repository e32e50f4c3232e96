public import EarshotCore

/// Delivers another source's audio in real time: a file as if it were captured.
///
/// A block comes when its last frame would have been heard, counted from when the first one was asked for; a gap in the
/// source takes its time too. Blocks are cut short, as a device gives them.
public struct PacedSource<Base: AudioSource>: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The source.
    public let base: Base
    /// The speed relative to real time; `nil` for as fast as possible.
    public let speed: Double?
    /// The longest block.
    public let blockDuration: MediaTime

    private let clock: MediaClock

    /// Paces a source.
    ///
    /// - Parameters:
    ///   - base: The source.
    ///   - speed: The speed relative to real time; as fast as possible if `nil`, or not above zero.
    ///   - blockDuration: The longest block; 50 ms unless stated.
    ///   - clock: By which time passes.
    public init(
        _ base: Base,
        speed: Double? = 1,
        blockDuration: MediaTime = MediaTime(value: 50, timescale: 1_000),
        clock: MediaClock = .system
    ) {
        self.base = base
        self.speed = speed.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.blockDuration = blockDuration
        self.clock = clock
    }

    /// The duration that the source expects.
    public var expectedDuration: MediaTime? { base.expectedDuration }

    /// An iterator over the source's blocks.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), pace: Pace(speed: speed), blockDuration: blockDuration, clock: clock)
    }

    /// Gives one block after the other, each in its time.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var pace: Pace
        let blockDuration: MediaTime
        let clock: MediaClock
        /// Parts of the base's last block, the next one last.
        var parts: [AudioBlock] = []

        /// The next block, in its time; `nil` at the end.
        ///
        /// - Throws: The source's errors; `cancelled` if the task was cancelled while it waited.
        public mutating func next() async throws -> AudioBlock? {
            if parts.isEmpty {
                pace.begin(at: clock.now)
                guard let block = try await base.next(isolation: #isolation) else { return nil }
                let rate = block.buffer.sampleRate
                parts = block.cut(into: CaptureSource.Options.frames(blockDuration, sampleRate: rate)).reversed()
            }
            guard let block = parts.popLast() else { return nil }
            if let moment = pace.moment(of: block) {
                do {
                    try await clock.sleep(until: moment)
                    try Task.checkCancellation()
                } catch {
                    throw EarshotError(
                        .cancelled,
                        "Reading in real time was cancelled.",
                        position: block.time
                    )
                }
            }
            return block
        }
    }
}
