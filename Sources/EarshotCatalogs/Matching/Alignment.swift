import EarshotSignatures

/// The alignment of a query with a reference.
///
/// Reference time = `offset` + `speed` · query time. Query frequency = reference frequency + `pitch`. All are in steps.
struct Alignment: Sendable, Hashable, Codable {
    /// The position of the query's start in the reference, in steps of 2 ms; negative if the query begins earlier.
    var offset: Double
    /// Reference seconds that pass in one second of the query.
    var speed: Double
    /// The pitch of the query relative to the reference, in steps of 1/8 bin.
    var pitch: Double
}

extension Alignment {
    /// Lines next to this one, on which a reference fits only by chance: at twelve other times and four other pitches.
    var linesBeside: [Alignment] {
        var lines: [Alignment] = []
        for step in 1...6 {
            for side in [-1.0, 1.0] {
                var shifted = self
                // The distances have no common beat, as those of the matcher.
                let seconds = Double(step) * 1.37 + Double(step * step) * 0.053
                shifted.offset += side * seconds * Double(Landmark.stepsPerSecond)
                lines.append(shifted)
            }
        }
        // Near the ends of a reference, and in short ones, only lines at other pitches stay inside.
        for bins in [-13.0, -7, 7, 13] {
            var shifted = self
            shifted.pitch += bins * Double(Landmark.stepsPerBin)
            lines.append(shifted)
        }
        return lines
    }
}
