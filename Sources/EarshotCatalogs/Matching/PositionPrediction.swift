public import EarshotCore

/// A prediction of the playback position in a reference at any time, computed from a match.
///
/// Position = ``position`` + (1 + ``speedSkew``) · (instant − ``instant``). It advances at the measured speed, because
/// an error of 1 % would add 10 ms every second. Instants are those of one `MediaClock`.
public struct PositionPrediction: Hashable, Sendable {
    /// The time for which a prediction is fresh without confirmation: 10 s. Later positions are still predicted, but
    /// the prediction is stale.
    public static let freshness = MediaTime(value: 10, timescale: 1)

    /// An instant at which the position was known.
    public let instant: MediaTime
    /// The position in the reference at that instant; negative before the reference begins.
    public let position: MediaTime
    /// The relative deviation of the playback speed from the reference's: 0.05 is 5 % fast.
    public let speedSkew: Double
    /// The duration of the reference.
    public let referenceDuration: MediaTime
    /// The last instant whose audio matched the reference.
    public let confirmedAt: MediaTime

    /// Creates a prediction from a known position.
    ///
    /// - Parameters:
    ///   - position: The position in the reference at the instant.
    ///   - instant: The instant at which the position was known.
    ///   - speedSkew: The relative deviation of the playback speed from the reference's.
    ///   - referenceDuration: The duration of the reference.
    ///   - confirmedAt: The last instant whose audio matched the reference.
    public init(
        position: MediaTime,
        at instant: MediaTime,
        speedSkew: Double,
        referenceDuration: MediaTime,
        confirmedAt: MediaTime
    ) {
        self.position = position
        self.instant = instant
        self.speedSkew = speedSkew
        self.referenceDuration = referenceDuration
        self.confirmedAt = confirmedAt
    }

    /// Returns the position at an instant: at most the reference's duration; negative before the reference begins.
    public func position(at instant: MediaTime) -> MediaTime {
        min(unlimited(at: instant), referenceDuration)
    }

    /// Returns `true` if the reference has ended at an instant.
    public func hasEnded(at instant: MediaTime) -> Bool { unlimited(at: instant) >= referenceDuration }

    /// Returns `true` if the last confirmation is more than ``freshness`` before the instant.
    public func isStale(at instant: MediaTime) -> Bool { instant - confirmedAt > Self.freshness }

    /// Returns the instant at which a position is reached; before ``instant`` if it has been passed.
    public func instant(of position: MediaTime) -> MediaTime {
        instant + scaled(position - self.position, by: 1 / (1 + speedSkew))
    }

    private func unlimited(at instant: MediaTime) -> MediaTime {
        position + scaled(instant - self.instant, by: 1 + speedSkew)
    }

    private func scaled(_ time: MediaTime, by factor: Double) -> MediaTime {
        MediaTime(seconds: time.seconds * factor, preferredTimescale: 1_000_000)
    }
}
