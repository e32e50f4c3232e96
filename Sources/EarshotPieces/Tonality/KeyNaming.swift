/// The names of keys and notes for users, in a language and with a form of accidentals.
///
/// The names of major, minor and the other modes of a major scale have the fewest accidentals: E flat major, G sharp
/// minor. Those of other scales have sharps.
public struct KeyNaming: Hashable, Sendable {
    /// The supported languages.
    public enum Language: String, Hashable, Sendable, CaseIterable {
        /// C D E F G A B.
        case english = "en"
        /// C D E F G A H, with B for B flat.
        case german = "de"
        /// do ré mi fa sol la si.
        case french = "fr"
        /// do re mi fa sol la si.
        case italian = "it"
        /// do re mi fa sol la si.
        case spanish = "es"
    }

    /// The form of accidentals.
    public enum Accidentals: String, Hashable, Sendable, CaseIterable {
        /// `Eb`, `F#`.
        case ascii
        /// `E♭`, `F♯`.
        case typographic
    }

    /// The language.
    public let language: Language
    /// The form of accidentals. Languages with words for accidentals use the words.
    public let accidentals: Accidentals

    /// Creates a naming.
    public init(language: Language = .english, accidentals: Accidentals = .ascii) {
        self.language = language
        self.accidentals = accidentals
    }

    // MARK: - Keys

    /// Returns the label of a tonality, such as `F Lydian`, `No key`, or `Custom scale on A: A B C E`.
    ///
    /// - Parameters:
    ///   - tonality: The key.
    ///   - spelling: The spelling of its root in a named scale. The spelling of another note is ignored.
    public func label(_ tonality: Tonality, spelling: NoteSpelling? = nil) -> String {
        guard case .tonal(let mask, let root) = tonality else {
            return tonality == .atonal ? words.atonal : words.unknown
        }
        if mask.contains(root), let kind = ScaleKind(mask, root: root) {
            return label(kind, on: root, spelling: spelling)
        }
        let members = mask.members(from: root).map { text(NoteName(sharp: $0)) }.joined(separator: " ")
        let name = "\(words.custom) \(text(NoteName(sharp: root))):" + (members.isEmpty ? " –" : " \(members)")
        return mask.contains(root) ? name : "\(name) (\(words.outside))"
    }

    /// Returns the label of a named scale on a root.
    ///
    /// - Parameters:
    ///   - kind: The scale.
    ///   - root: The root.
    ///   - spelling: The spelling of the root. The spelling of another note is ignored.
    public func label(_ kind: ScaleKind, on root: PitchClass, spelling: NoteSpelling? = nil) -> String {
        let usual = kind.fifthsAboveMajor.map { NoteName(root: root, fifthsAboveMajor: $0) } ?? NoteName(sharp: root)
        let note = text(spelling?.pitch == root ? spelling?.note ?? usual : usual)
        let name = words.scales[kind] ?? kind.rawValue
        guard language == .german else { return "\(note) \(name)" }
        switch kind {
        case .major: return "\(note)-\(name)"
        // German writes the roots of minor keys in lowercase.
        case .minor: return "\(note.lowercased())-\(name)"
        default: return "\(note) \(name)"
        }
    }

    /// Returns the label of a pitch class, as a natural or a sharp.
    public func label(_ pitch: PitchClass) -> String { text(NoteName(sharp: pitch)) }

    // MARK: - Notes

    private func text(_ note: NoteName) -> String {
        switch language {
        case .english: return "CDEFGAB".letter(note.letter) + sign(note.accidentals)
        case .german: return german(note)
        case .french, .italian, .spanish: return words.notes[note.letter] + accidentalWord(note.accidentals)
        }
    }

    private func sign(_ count: Int) -> String {
        let (sharp, flat) = accidentals == .ascii ? ("#", "b") : ("♯", "♭")
        return String(repeating: count < 0 ? flat : sharp, count: abs(count))
    }

    private func german(_ note: NoteName) -> String {
        let letter = "CDEFGAH".letter(note.letter)
        switch note.accidentals {
        case 1...: return letter + String(repeating: "is", count: note.accidentals)
        case -1 where letter == "H": return "B"
        case ..<0:
            // Es and As, not Ees and Aes.
            let flats = String(repeating: "es", count: -note.accidentals)
            return letter == "E" || letter == "A" ? letter + flats.dropFirst() : letter + flats
        default: return letter
        }
    }

    private func accidentalWord(_ count: Int) -> String {
        guard count != 0 else { return "" }
        let word = count > 0 ? words.sharp : words.flat
        return String(repeating: " \(word)", count: abs(count))
    }

    private var words: KeyVocabulary { KeyVocabulary.of(language) }
}

extension String {
    fileprivate func letter(_ place: Int) -> String { String(self[index(startIndex, offsetBy: place)]) }
}
