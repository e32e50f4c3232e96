/// A clock that never steps back, read as media time: what captures are stamped with and predictions run on.
///
/// Only differences of its times are meaningful. Tests use a clock that they set by hand.
public struct MediaClock: Sendable {
    private let read: @Sendable () -> MediaTime
    private let wait: @Sendable (MediaTime) async throws -> Void

    /// A clock of one's own.
    ///
    /// - Parameters:
    ///   - read: Gives the time now; never less than before.
    ///   - wait: Returns when the clock shows a time or later, and throws when its task is cancelled first.
    public init(
        read: @escaping @Sendable () -> MediaTime,
        wait: @escaping @Sendable (_ until: MediaTime) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }

    /// The time now.
    public var now: MediaTime { read() }

    /// Waits until the clock shows a time. Returns at once when it does already.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until time: MediaTime) async throws { try await wait(time) }

    /// The system's monotonic clock, in nanoseconds since its first use; it continues while the machine sleeps.
    public static let system: MediaClock = {
        let start = ContinuousClock.now
        return MediaClock(
            read: {
                let (seconds, attoseconds) = start.duration(to: .now).components
                return MediaTime(value: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, timescale: 1_000_000_000)
            },
            wait: { time in
                try await Task.sleep(until: start + .nanoseconds(time.converted(toTimescale: 1_000_000_000).value))
            }
        )
    }()
}
