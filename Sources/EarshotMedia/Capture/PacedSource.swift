public import EarshotCore

/// Delivers the audio of another source in real time, for example a file as if it were captured.
///
/// A block is delivered at the time of its last frame, counted from the first request. A gap in the source takes its
/// time too. Blocks are divided into short ones, as a device delivers them.
public struct PacedSource<Base: AudioSource>: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The source of the audio.
    public let base: Base
    /// The speed relative to real time; `nil` for as fast as possible.
    public let speed: Double?
    /// The longest duration of a delivered block.
    public let blockDuration: MediaTime

    private let clock: MediaClock

    /// Creates a source that delivers another one in real time.
    ///
    /// - Parameters:
    ///   - base: The source of the audio.
    ///   - speed: The speed relative to real time; `nil`, or a number that is not positive, for as fast as possible.
    ///   - blockDuration: The longest duration of a delivered block. Default: 50 ms.
    ///   - clock: The clock that measures real time.
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

    /// The expected duration of ``base``; `nil` if it is not known.
    public var expectedDuration: MediaTime? { base.expectedDuration }

    /// Returns an iterator over the delivered blocks.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), pace: Pace(speed: speed), blockDuration: blockDuration, clock: clock)
    }

    /// An iterator that delivers each block at its time.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var pace: Pace
        let blockDuration: MediaTime
        let clock: MediaClock
        /// Parts of the base's last block, the next one last.
        var parts: [AudioBlock] = []

        /// Waits until the next block is due, and returns it; `nil` at the end.
        ///
        /// - Throws: The source's errors; `cancelled` if the task was canceled during the wait.
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
                        "Reading in real time was canceled.",
                        position: block.time
                    )
                }
            }
            return block
        }
    }
}
