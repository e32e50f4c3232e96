public import EarshotCore

/// The alignment of two recordings of one event.
public struct RecordingAlignment: Hashable, Sendable {
    /// The measurement of one block of the recording.
    public struct Block: Hashable, Sendable {
        /// Its middle, in seconds of the recording.
        public let time: Double
        /// The seconds by which it is heard later in the reference than the line says.
        public let deviation: Double
        /// The clarity of its peak: its height above its surroundings.
        public let clarity: Double
        /// `true` if the line was laid through it; the others lie too far beside it.
        public let isUsed: Bool
    }

    /// Reference time = offset + (1 + speed skew) · recording time.
    public let line: ReferenceAlignment
    /// Twice the standard error of the offset, at least 1 µs.
    public let offsetUncertainty: MediaTime
    /// The excess of the recording's clock over the reference's, in parts per million.
    public let driftPartsPerMillion: Double
    /// Twice the standard error of the drift, in parts of a million.
    public let driftUncertainty: Double
    /// The root mean square of what the blocks used deviate from the line.
    public let residual: MediaTime
    /// The part of the recording that lies within the reference.
    public let overlap: Range<MediaTime>
    /// The blocks that had a clear peak, in order of time.
    public let blocks: [Block]
    /// The number of blocks that had any sound.
    public let audibleBlockCount: Int
    /// The share of the blocks with sound that the line was laid through, from 0 to 1.
    public let confidence: Double
    /// `true` if one recording has its polarity turned round.
    public let isInverted: Bool

    init(
        line: ReferenceAlignment,
        fit: FittedLine,
        overlap: ClosedRange<Double>,
        blocks: [Block],
        audible: Int,
        isInverted: Bool
    ) {
        func time(_ seconds: Double) -> MediaTime {
            MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
        }
        self.line = line
        // The offset is where the recording begins, away from the middle of the points: the slope's error adds.
        let lever = fit.slopeError * fit.middle
        let error = (fit.valueError * fit.valueError + lever * lever).squareRoot()
        offsetUncertainty = time(max(2 * error, 1e-6))
        driftPartsPerMillion = (1 / line.speed - 1) * 1e6
        driftUncertainty = 2 * fit.slopeError / (line.speed * line.speed) * 1e6
        residual = time(fit.residual)
        self.overlap = time(overlap.lowerBound)..<time(overlap.upperBound)
        self.blocks = blocks
        audibleBlockCount = audible
        confidence = Double(fit.members.count) / Double(max(1, audible))
        self.isInverted = isInverted
    }
}
