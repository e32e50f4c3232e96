import EarshotSignatures

/// The alignment of a query with a reference: reference time = `offset` + `speed` · query time, and query frequency =
/// reference frequency + `pitch`, all in steps.
struct Alignment: Sendable, Hashable, Codable {
    /// The position of the query's first instant in the reference, in steps of 2 ms; negative if the query begins
    /// earlier.
    var offset: Double
    /// Reference seconds in one second of the query.
    var speed: Double
    /// The pitch of the query relative to the reference, in steps of 1/8 bin.
    var pitch: Double
}

extension Alignment {
    /// Lines beside this one on which a reference fits by chance: at twelve other times and four other pitches.
    var linesBeside: [Alignment] {
        var lines: [Alignment] = []
        for step in 1...6 {
            for side in [-1.0, 1.0] {
                var shifted = self
                // Distances that share no beat, as the matcher takes them.
                let seconds = Double(step) * 1.37 + Double(step * step) * 0.053
                shifted.offset += side * seconds * Double(Landmark.stepsPerSecond)
                lines.append(shifted)
            }
        }
        // Near the ends of a reference, and in short ones, only other pitches stay inside.
        for bins in [-13.0, -7, 7, 13] {
            var shifted = self
            shifted.pitch += bins * Double(Landmark.stepsPerBin)
            lines.append(shifted)
        }
        return lines
    }
}
