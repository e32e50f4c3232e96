public import EarshotCore

/// A prediction of the playback position in a reference at any time, computed from a match.
///
/// Position = ``position`` + (1 + ``speedSkew``) · (instant − ``instant``): it runs at the measured speed, for at 1 % of
/// error a position would be 10 ms further off with every second. Instants are those of one `MediaClock`.
public struct PositionPrediction: Hashable, Sendable {
    /// The time for which a prediction counts as fresh without confirmation: 10 s. Later positions are still predicted,
    /// but the prediction is stale.
    public static let freshness = MediaTime(value: 10, timescale: 1)

    /// An instant at which the position was known.
    public let instant: MediaTime
    /// The position in the reference at that instant; below zero before the reference begins.
    public let position: MediaTime
    /// The playback speed relative to the reference: 0.05 is 5 % fast.
    public let speedSkew: Double
    /// The duration of the reference.
    public let referenceDuration: MediaTime
    /// The last instant whose audio was found in the reference.
    public let confirmedAt: MediaTime

    /// A prediction from a known position.
    ///
    /// - Parameters:
    ///   - position: The position in the reference at the instant.
    ///   - instant: The time at which the position was known.
    ///   - speedSkew: The playback speed relative to the reference.
    ///   - referenceDuration: The duration of the reference.
    ///   - confirmedAt: The last instant whose audio was found in the reference.
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

    /// The position at an instant: never beyond the reference's end; below zero before its begin.
    public func position(at instant: MediaTime) -> MediaTime {
        min(unlimited(at: instant), referenceDuration)
    }

    /// Returns `true` if the reference is over at an instant.
    public func hasEnded(at instant: MediaTime) -> Bool { unlimited(at: instant) >= referenceDuration }

    /// Returns `true` if the prediction has not been confirmed for longer than ``freshness``.
    public func isStale(at instant: MediaTime) -> Bool { instant - confirmedAt > Self.freshness }

    /// The time at which a position is reached; before ``instant`` if it has already been passed.
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
