import EarshotCore
import EarshotSignatures

// An alignment as a line on a stream's timeline. Positions are in steps of 2 ms.
extension Alignment {
    /// Creates an alignment from relative skews, as matches and plays have them.
    init(offset: Double, speedSkew: Double, pitchSkew: Double) {
        self.init(
            offset: offset,
            speed: 1 + speedSkew,
            pitch: Hypothesis.bins(ofRatio: 1 + pitchSkew) * Double(Landmark.stepsPerBin)
        )
    }

    /// Returns the position in the reference at a step of the stream, in steps.
    func position(at step: Double) -> Double { offset + speed * step }

    /// Returns the same line with the given step of the stream as zero of the query's time.
    func seen(from step: Double) -> Alignment { Alignment(offset: position(at: step), speed: speed, pitch: pitch) }
}

extension [MaskedSegment] {
    /// Returns the segment that has a reference, and the reference's number in it; `nil` if none has.
    func location(of id: ReferenceID) -> (segment: Int, reference: Int)? {
        for (index, target) in enumerated() {
            if let number = target.segment.number(of: id), !target.removed.contains(number) { return (index, number) }
        }
        return nil
    }
}
