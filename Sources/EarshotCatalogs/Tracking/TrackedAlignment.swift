package import EarshotCore
import EarshotSignatures
import Foundation

/// A reference that a stream is heard to play, as a line of stream time against reference time.
package struct TrackedAlignment: Sendable {
    /// The reference's name.
    package let id: ReferenceID
    /// The media items of the reference.
    package let items: [MediaItem]
    /// Its duration.
    package let referenceDuration: MediaTime
    let segment: Int
    let reference: Int
    /// From the stream's zero on.
    var alignment: Alignment
    /// All of the reference, or two hours of it around where it is, for looking elsewhere in it.
    let surroundings: ReferenceWindow
    let density: LandmarkDensity

    /// The playback speed of the stream relative to the reference: 0.05 is 5 % fast.
    package var speedSkew: Double { alignment.speed - 1 }
    /// The pitch of the stream relative to the reference: 0.05 is 105 Hz for 100 Hz.
    package var pitchSkew: Double { Hypothesis.ratio(ofBins: alignment.pitch / Double(Landmark.stepsPerBin)) - 1 }

    /// The position in the reference at a time of the stream, both in seconds.
    package func position(at time: Double) -> Double {
        let second = Double(Landmark.stepsPerSecond)
        return alignment.position(at: time * second) / second
    }

    /// The same line through another place.
    func moved(to alignment: Alignment) -> TrackedAlignment {
        var line = self
        line.alignment = alignment
        return line
    }
}

/// The fit of an interval of a stream and a line.
package struct AlignmentFit: Sendable {
    /// The line, refined by what the stretch says.
    package var line: TrackedAlignment
    /// The evidence of the interval, in nats; the part of one landmark, instant or half of the spectrum is limited.
    package var evidence: Double
    /// Landmarks of the stretch that fall inside the reference.
    package var inside: Int
    /// The part of the stretch that fits, in seconds from its begin.
    package var span: Range<Double>
}
