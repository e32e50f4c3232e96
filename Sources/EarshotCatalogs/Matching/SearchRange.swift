import EarshotDSP
import EarshotSignatures

/// The changes of a query that are looked for, and how far a measured alignment may lie outside of them.
///
/// The one definition of these bounds: ``Hypothesis/escalation`` covers the range, and an alignment outside of it is
/// chance.
enum SearchRange {
    /// Reference seconds in one second of the query. Pitch is kept, or follows as on a record that turns at another speed.
    static let speeds = 0.90...1.10
    /// Pitch that is kept apart from speed, in semitones.
    static let semitones = -1.5...1.5
    /// The same in bins of the frequency axis.
    static let pitches = semitones.lowerBound * binsPerSemitone...semitones.upperBound * binsPerSemitone

    /// The distance by which a measured speed may lie outside of `speeds`. A query of one second measures it to about 1 %.
    static let speedTolerance = 0.02
    /// The distance of a measured pitch from the range that is allowed, in bins: a quarter of a semitone. It allows for the error
    /// of pitch, and for that of speed where pitch is held against it.
    static let pitchTolerance = 1.0

    static let binsPerSemitone = Double(FrequencyAxis.binsPerOctave) / 12

    /// Returns whether an alignment is within the range, allowing for the error of its measurement.
    static func contains(_ alignment: Alignment) -> Bool {
        guard
            alignment.speed >= speeds.lowerBound - speedTolerance,
            alignment.speed <= speeds.upperBound + speedTolerance
        else { return false }
        let pitch = alignment.pitch / Double(Landmark.stepsPerBin)
        let isKept =
            pitch >= pitches.lowerBound - pitchTolerance && pitch <= pitches.upperBound + pitchTolerance
        // At 0.90 pitch falls by 1.82 semitones, more than it may by itself.
        return isKept || abs(pitch - Hypothesis.bins(ofRatio: alignment.speed)) <= pitchTolerance
    }
}
