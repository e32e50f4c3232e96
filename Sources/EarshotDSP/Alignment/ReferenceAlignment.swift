public import EarshotCore

/// The line of a recording on a reference: reference time = ``offset`` + (1 + ``speedSkew``) · recording time.
public struct ReferenceAlignment: Hashable, Sendable {
    /// The time in the reference of the recording's first instant, in units of a nanosecond.
    public var offset: MediaTime
    /// The excess of the recording's speed over the reference's: 0.05 is 5 % fast.
    public var speedSkew: Double

    /// A line.
    public init(offset: MediaTime, speedSkew: Double) {
        self.offset = offset
        self.speedSkew = speedSkew
    }

    package init(seconds offset: Double, speed: Double) {
        self.init(
            offset: MediaTime(seconds: offset, preferredTimescale: 1_000_000_000),
            speedSkew: speed - 1
        )
    }

    /// The position in the reference at a time of the recording.
    public func position(at time: MediaTime) -> MediaTime {
        MediaTime(seconds: place(time.seconds), preferredTimescale: 1_000_000_000)
    }

    package var speed: Double { 1 + speedSkew }

    package func place(_ seconds: Double) -> Double { offset.seconds + speed * seconds }

    /// The line with what was measured beside it added.
    func corrected(by fit: FittedLine) -> ReferenceAlignment {
        ReferenceAlignment(
            seconds: offset.seconds + fit.value - fit.slope * fit.middle,
            speed: speed + fit.slope
        )
    }
}
