/// How a pitch class is spelt: a letter and an accidental.
struct NoteName: Hashable, Sendable {
    /// Its place on the line of fifths: F is −1, C 0, G 1, and so on; seven further is a sharp more.
    let fifths: Int

    /// C to B, as 0 to 6.
    var letter: Int { (fifths * 4 % 7 + 7) % 7 }

    /// Sharps; flats when negative.
    var accidentals: Int { Int((Double(fifths + 1) / 7).rounded(.down)) }

    /// A pitch class as a sharp or as a natural.
    init(sharp pitch: PitchClass) {
        // C to B are 0 to 11 on the line of fifths where none is flat, with F as the one before C.
        let place = pitch.rawValue * 7 % 12
        fifths = place == 11 ? -1 : place
    }

    /// The root of a mode of a major scale, with the fewest accidentals before the staff; of two as few with the one whose root has
    /// fewer, and then with sharps.
    ///
    /// - Parameters:
    ///   - root: The pitch class.
    ///   - fifthsAboveMajor: ``ScaleKind/fifthsAboveMajor``.
    init(root: PitchClass, fifthsAboveMajor: Int) {
        let place = root.rawValue * 7 % 12
        // The signature, as sharps; flats when negative: −6 to 6.
        let candidates = [place - 24, place - 12, place, place + 12]
        let best = candidates.min { one, other in
            let (first, second) = (NoteName(fifths: one), NoteName(fifths: other))
            return (abs(one - fifthsAboveMajor), abs(first.accidentals), other)
                < (abs(other - fifthsAboveMajor), abs(second.accidentals), one)
        }
        fifths = best ?? place
    }

    private init(fifths: Int) {
        self.fifths = fifths
    }

    /// A letter with accidentals.
    ///
    /// - Parameters:
    ///   - letter: C to B, as 0 to 6.
    ///   - accidentals: Sharps; flats when negative.
    init(letter: Int, accidentals: Int) {
        fifths = [0, 2, 4, -1, 1, 3, 5][letter] + 7 * accidentals
    }

    /// The pitch class that is spelt so.
    var pitch: PitchClass { PitchClass.c.raised(by: fifths % 12 * 7) }
}
