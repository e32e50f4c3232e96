import EarshotCore
import EarshotSignatures

// An alignment as a line on a stream's timeline. Positions are in steps.
extension Alignment {
    /// Creates an alignment from skews, as matches and plays state them.
    init(offset: Double, speedSkew: Double, pitchSkew: Double) {
        self.init(
            offset: offset,
            speed: 1 + speedSkew,
            pitch: Hypothesis.bins(ofRatio: 1 + pitchSkew) * Double(Landmark.stepsPerBin)
        )
    }

    /// The position in the reference at a step of the stream.
    func position(at step: Double) -> Double { offset + speed * step }

    /// The same line with a step of the stream as its first.
    func seen(from step: Double) -> Alignment { Alignment(offset: position(at: step), speed: speed, pitch: pitch) }
}

extension [MaskedSegment] {
    /// The segment that has a reference, and the reference's number in it; `nil` if none has.
    func location(of id: ReferenceID) -> (segment: Int, reference: Int)? {
        for (index, target) in enumerated() {
            if let number = target.segment.number(of: id), !target.removed.contains(number) { return (index, number) }
        }
        return nil
    }
}
