/// A monotonic clock that is read as media time, for the times of captures and predictions.
///
/// Only differences of its times are meaningful. Tests can use a clock that they set themselves.
public struct MediaClock: Sendable {
    private let read: @Sendable () -> MediaTime
    private let wait: @Sendable (MediaTime) async throws -> Void

    /// Creates a custom clock.
    ///
    /// - Parameters:
    ///   - read: Returns the current time; never less than before.
    ///   - wait: Waits until the clock shows the given time or later; throws if its task is canceled before.
    public init(
        read: @escaping @Sendable () -> MediaTime,
        wait: @escaping @Sendable (_ until: MediaTime) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }

    /// The current time of the clock.
    public var now: MediaTime { read() }

    /// Waits until the clock shows a time. Returns at once if it is past.
    ///
    /// - Throws: `CancellationError` if the task is canceled before.
    public func sleep(until time: MediaTime) async throws { try await wait(time) }

    /// The system's monotonic clock, in nanoseconds since its first use; it continues while the system sleeps.
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
