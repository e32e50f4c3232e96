public import EarshotCore

/// The position of a recording on a reference.
///
/// Reference time = ``offset`` + (1 + ``speedSkew``) · recording time. The recording is a query, a file or a stream,
/// depending on the type that embeds the placement.
public struct Placement: Hashable, Sendable {
    /// The reference time at the recording's start; negative if the recording begins before the reference.
    public var offset: MediaTime
    /// The interval of the recording that matches.
    public var queryRange: Range<MediaTime>
    /// The interval of the reference that matches.
    public var referenceRange: Range<MediaTime>
    /// The relative deviation of the recording's speed from the reference's: 0.05 is 5 % fast.
    public var speedSkew: Double
    /// The relative deviation of the recording's pitch from the reference's: with 0.05, 100 Hz are heard as 105 Hz.
    public var pitchSkew: Double
    /// The evidence against chance, in nats, for comparison with other placements; 0 if unknown, as in the answer of a
    /// service.
    public var score: Double
    /// The probability that the placement is right, from 0 to 1. A catalog answers from about 0.93 on.
    public var confidence: Double
    /// The part of spectrum or time that the match rests on; `nil` if it rests on all of it, or if unknown, as for a
    /// play that was traced.
    public var sharedMaterial: SharedMaterial?

    /// Creates a placement.
    ///
    /// - Parameters:
    ///   - offset: The reference time at the recording's first instant.
    ///   - queryRange: The part of the recording that fits.
    ///   - referenceRange: The part of the reference that it fits.
    ///   - speedSkew: The relative deviation in speed.
    ///   - pitchSkew: The relative deviation in pitch.
    ///   - score: The evidence against chance, in nats.
    ///   - confidence: The probability that the placement is right, from 0 to 1.
    ///   - sharedMaterial: The part of spectrum or time that the match rests on, if it is not all.
    public init(
        offset: MediaTime,
        queryRange: Range<MediaTime>,
        referenceRange: Range<MediaTime>,
        speedSkew: Double = 0,
        pitchSkew: Double = 0,
        score: Double = 0,
        confidence: Double = 0,
        sharedMaterial: SharedMaterial? = nil
    ) {
        self.offset = offset
        self.queryRange = queryRange
        self.referenceRange = referenceRange
        self.speedSkew = speedSkew
        self.pitchSkew = pitchSkew
        self.score = score
        self.confidence = confidence
        self.sharedMaterial = sharedMaterial
    }

    /// Returns the reference time at a time of the recording, with a resolution of at least a microsecond.
    public func referenceTime(at time: MediaTime) -> MediaTime {
        offset + MediaTime(seconds: time.seconds * (1 + speedSkew), preferredTimescale: 1_000_000)
    }

    /// Returns the placement of a whole recording from that of a part of it.
    ///
    /// - Parameter start: The time in the recording at which the part starts.
    package func shifted(toPartAt start: MediaTime) -> Placement {
        guard start != .zero else { return self }
        var placement = self
        placement.offset = referenceTime(at: .zero - start)
        placement.queryRange = queryRange.lowerBound + start..<queryRange.upperBound + start
        placement.sharedMaterial?.times = sharedMaterial?.times.map { $0.lowerBound + start..<$0.upperBound + start }
        return placement
    }
}
