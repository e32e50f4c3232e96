/// The spelling of a note: a letter with its accidentals, such as `C#`, which is the same pitch class as `Db`.
///
/// A ``Tonality`` has pitch classes only. The spelling of its root is stored with it, so that a key is displayed as its
/// maker wrote it.
public struct NoteSpelling: Hashable, Sendable, CustomStringConvertible {
    let note: NoteName

    init(_ note: NoteName) {
        self.note = note
    }

    /// Parses a spelling: an uppercase letter from A to G, and up to two `#` or `b`; `nil` for any other text.
    public init?(_ text: String) {
        guard let first = text.first, let letter = Array("CDEFGAB").firstIndex(of: first) else { return nil }
        let signs = text.dropFirst()
        switch signs {
        case "", "#", "##": note = NoteName(letter: letter, accidentals: signs.count)
        case "b", "bb": note = NoteName(letter: letter, accidentals: -signs.count)
        default: return nil
        }
    }

    /// Parses the spelling of the root in the name of a key, such as `C#` in `C# major`, as
    /// ``Tonality/init(name:language:)`` does.
    ///
    /// - Returns: `nil` if the text is not the name of a key, if the key has no root, or if the spelling is the usual
    ///   one.
    public init?(rootOf name: String, language: KeyNaming.Language? = nil) {
        guard name.utf8.count <= 200, let (tonality, note) = KeyParser(language: language).key(name), let note else {
            return nil
        }
        self.note = note
        let naming = KeyNaming()
        if naming.label(tonality, spelling: self) == naming.label(tonality) { return nil }
    }

    /// The pitch class.
    public var pitch: PitchClass { note.pitch }

    /// The letter with its accidentals, in English and with plain signs.
    public var description: String {
        String(Array("CDEFGAB")[note.letter])
            + String(repeating: note.accidentals < 0 ? "b" : "#", count: abs(note.accidentals))
    }
}
