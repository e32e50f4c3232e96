package import EarshotCore
import EarshotSignatures
import Foundation

/// A reference that a stream plays, as an alignment of stream time with reference time.
package struct TrackedAlignment: Sendable {
    /// The reference's name.
    package let id: ReferenceID
    /// The media items of the reference.
    package let items: [MediaItem]
    /// The duration of the reference.
    package let referenceDuration: MediaTime
    let segment: Int
    let reference: Int
    /// The alignment, with the stream's start as zero of the query's time.
    var alignment: Alignment
    /// The landmarks of the reference, up to one hour to either side of the match, for a search for other positions.
    let surroundings: ReferenceWindow
    let density: LandmarkDensity

    /// The relative deviation of the stream's speed from the reference's: 0.05 is 5 % fast.
    package var speedSkew: Double { alignment.speed - 1 }
    /// The relative deviation of the stream's pitch from the reference's: with 0.05, 100 Hz are heard as 105 Hz.
    package var pitchSkew: Double { Hypothesis.ratio(ofBins: alignment.pitch / Double(Landmark.stepsPerBin)) - 1 }

    /// Returns the position in the reference at a time of the stream, both in seconds.
    package func position(at time: Double) -> Double {
        let second = Double(Landmark.stepsPerSecond)
        return alignment.position(at: time * second) / second
    }

    /// Returns the same reference with another alignment.
    func moved(to alignment: Alignment) -> TrackedAlignment {
        var line = self
        line.alignment = alignment
        return line
    }
}

/// The fit of an interval of a stream on an alignment.
package struct AlignmentFit: Sendable {
    /// The alignment, refined by the interval if this was asked for.
    package var line: TrackedAlignment
    /// The evidence of the interval, in nats. The parts of one landmark, one instant and one half of the spectrum are
    /// limited.
    package var evidence: Double
    /// The number of landmarks of the interval inside the reference.
    package var inside: Int
    /// The part of the interval that fits, in seconds from its start.
    package var span: Range<Double>
}
