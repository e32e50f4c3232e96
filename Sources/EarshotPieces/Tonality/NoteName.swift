/// The spelling of a pitch class: a letter and accidentals.
struct NoteName: Hashable, Sendable {
    /// The position on the line of fifths: F is −1, C 0, G 1, and so on. Seven further is one more sharp.
    let fifths: Int

    /// The index of the letter, 0 to 6 for C to B.
    var letter: Int { (fifths * 4 % 7 + 7) % 7 }

    /// The number of sharps; negative for flats.
    var accidentals: Int { Int((Double(fifths + 1) / 7).rounded(.down)) }

    /// Creates the spelling of a pitch class as a natural or a sharp.
    init(sharp pitch: PitchClass) {
        // On the line of fifths, C to B without flats are at 0 to 11, except F, which is before C.
        let place = pitch.rawValue * 7 % 12
        fifths = place == 11 ? -1 : place
    }

    /// Creates the root of a mode of a major scale, with the smallest key signature. Of two equal signatures the one
    /// whose root has fewer accidentals is used, and then the one with sharps.
    ///
    /// - Parameters:
    ///   - root: The pitch class.
    ///   - fifthsAboveMajor: ``ScaleKind/fifthsAboveMajor``.
    init(root: PitchClass, fifthsAboveMajor: Int) {
        let place = root.rawValue * 7 % 12
        // The size of the key signature in sharps, negative for flats, is between −6 and 6.
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

    /// Creates a letter with accidentals.
    ///
    /// - Parameters:
    ///   - letter: The index of the letter, 0 to 6 for C to B.
    ///   - accidentals: The number of sharps; negative for flats.
    init(letter: Int, accidentals: Int) {
        fifths = [0, 2, 4, -1, 1, 3, 5][letter] + 7 * accidentals
    }

    /// The pitch class with this spelling.
    var pitch: PitchClass { PitchClass.c.raised(by: fifths % 12 * 7) }
}
