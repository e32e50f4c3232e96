import EarshotDSP
import EarshotSignatures

/// The changes of speed and pitch that are searched for, and the tolerance of a measured alignment.
///
/// This is the only definition of these bounds. ``Hypothesis/escalation`` covers the range, and an alignment outside of
/// it and its tolerance is chance.
enum SearchRange {
    /// Reference seconds in one second of the query. The pitch stays the same or follows the speed.
    static let speeds = 0.90...1.10
    /// The change of pitch without a change of speed, in semitones.
    static let semitones = -1.5...1.5
    /// The same, in bins of the frequency axis.
    static let pitches = semitones.lowerBound * binsPerSemitone...semitones.upperBound * binsPerSemitone

    /// The distance by which a measured speed may lie outside of ``speeds``. A query of 1 s measures it to about 1 %.
    static let speedTolerance = 0.02
    /// The distance by which a measured pitch may lie outside of the range, in bins: a quarter of a semitone. It covers
    /// the error of the pitch, and that of the speed if the pitch is compared with it.
    static let pitchTolerance = 1.0

    static let binsPerSemitone = Double(FrequencyAxis.binsPerOctave) / 12

    /// Returns `true` if an alignment is within the range, with the tolerance of its measurement.
    static func contains(_ alignment: Alignment) -> Bool {
        guard
            alignment.speed >= speeds.lowerBound - speedTolerance,
            alignment.speed <= speeds.upperBound + speedTolerance
        else { return false }
        let pitch = alignment.pitch / Double(Landmark.stepsPerBin)
        let isKept =
            pitch >= pitches.lowerBound - pitchTolerance && pitch <= pitches.upperBound + pitchTolerance
        // At a speed of 0.90 the pitch falls by 1.82 semitones, more than a change of pitch alone may.
        return isKept || abs(pitch - Hypothesis.bins(ofRatio: alignment.speed)) <= pitchTolerance
    }
}
