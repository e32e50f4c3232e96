/// Parses the names of keys, in all languages of ``KeyNaming``.
struct KeyParser {
    /// The language that decides the meaning of `B` if the other words do not.
    let language: KeyNaming.Language?

    /// Parses the name of a key; `nil` for any other text.
    func tonality(_ name: String) -> Tonality? { key(name)?.tonality }

    /// Parses the name of a key and the spelling of its root; `nil` for any other text.
    func key(_ name: String) -> (tonality: Tonality, root: NoteName?)? {
        let text = Self.plain(name)
        if let state = Self.states[text] { return (state, nil) }
        if let masked = Self.masked(text) { return (masked, nil) }
        // A note alone is major, as in ID3, if it is in uppercase. In lowercase it may be either.
        let isBare = name.unicodeScalars.first { !$0.properties.isWhitespace }?.properties.isUppercase ?? false
        // `CM` is C major, and `Cm` C minor. Only here the letter case decides the mode.
        let isLargeM = name.unicodeScalars.last { !$0.properties.isWhitespace } == "M"
        for (note, rest, isB) in Self.notes(text) {
            if rest.isEmpty {
                guard isBare else { continue }
                let root = isB && language == .german ? Self.bFlat : note
                return (.major(root.pitch), root)
            }
            if rest == "m", isLargeM { return (.major(note.pitch), note) }
            guard let word = Self.words[rest] else { continue }
            let isGerman = word.languages == [.german] || word.languages.contains(.german) && language == .german
            let root = isB && isGerman ? Self.bFlat : note
            return (Self.key(word.kind, root.pitch), root)
        }
        return nil
    }

    private static let bFlat = NoteName(letter: 6, accidentals: -1)

    private static func key(_ kind: ScaleKind, _ root: PitchClass) -> Tonality {
        .tonal(ScaleMask(rawValue: kind.relativeMask).raised(by: root.rawValue), root: root)
    }

    /// Normalizes a name: lowercase, plain accidentals, and one space for each run of separators.
    private static func plain(_ name: String) -> String {
        let separators: Set<Character> = ["-", "–", "_", ","]
        let replaced = name.lowercased().map { letter -> String in
            switch letter {
            case "♯": "#"
            case "♭": "b"
            case _ where letter.isWhitespace || separators.contains(letter): " "
            default: String(letter)
            }
        }
        return replaced.joined().split(separator: " ").joined(separator: " ")
    }

    // MARK: - Notes

    /// Returns the readings of a note at the start, with the rest of the text, and `true` for a `B` without accidental,
    /// which is another note in German.
    private static func notes(_ text: String) -> [(note: NoteName, rest: String, isB: Bool)] {
        var readings: [(NoteName, String, Bool)] = []
        for (name, letter) in names where text.hasPrefix(name) {
            let behind = text.dropFirst(name.count)
            for (sign, raise) in signs(of: name) where behind.hasPrefix(sign) {
                let rest = behind.dropFirst(sign.count)
                // A word must end before the next begins, but the abbreviated mode may follow a single letter directly.
                let isParted = rest.isEmpty || rest.first == " " || name.count == 1
                guard isParted else { continue }
                let words = rest.first == " " ? rest.dropFirst() : rest
                let note = NoteName(letter: letter, accidentals: raise)
                readings.append((note, String(words), name == "b" && sign.isEmpty))
            }
        }
        return readings
    }

    private static func signs(of name: String) -> [(String, Int)] {
        let words = [
            (" sharp", 1), (" flat", -1), (" dièse", 1), (" bémol", -1), (" diesis", 1), (" bemolle", -1),
            (" sostenido", 1), (" bemol", -1),
        ]
        let plain = [("##", 2), ("bb", -2), ("#", 1), ("b", -1)] + words
        let german: [(String, Int)] =
            switch name {
            // Es and As. Ees and Aes are Dutch and unambiguous.
            case "a", "e": [("isis", 2), ("is", 1), ("es", -1), ("s", -1)]
            case "b": []
            case _ where name.count == 1: [("isis", 2), ("eses", -2), ("is", 1), ("es", -1)]
            default: []
            }
        return plain + german + [("", 0)]
    }

    /// The names of notes with the index of their letter, 0 to 6 for C to B.
    private static let names: [(String, Int)] = [
        ("do", 0), ("ré", 1), ("re", 1), ("mi", 2), ("fa", 3), ("sol", 4), ("la", 5), ("si", 6), ("c", 0), ("d", 1),
        ("e", 2), ("f", 3), ("g", 4), ("a", 5), ("b", 6), ("h", 6),
    ]

    // MARK: - Words

    private struct Word {
        let kind: ScaleKind
        var languages: Set<KeyNaming.Language>
    }

    private static let words: [String: Word] = {
        var words: [String: Word] = [:]
        func add(_ text: String, _ kind: ScaleKind, _ language: KeyNaming.Language) {
            words[plain(text), default: Word(kind: kind, languages: [])].languages.insert(language)
        }
        for language in KeyNaming.Language.allCases {
            for (kind, text) in KeyVocabulary.of(language).scales { add(text, kind, language) }
        }
        for (text, kind) in [
            ("m", .minor), ("min", .minor), ("natural minor", .minor), ("aeolian", .minor), ("maj", .major),
            ("ionian", .major), ("pentatonic major", .majorPentatonic), ("pentatonic minor", .minorPentatonic),
            ("half-whole diminished", .diminishedHalfWhole), ("whole-half diminished", .diminishedWholeHalf),
        ] as [(String, ScaleKind)] {
            add(text, kind, .english)
        }
        for (text, kind) in [
            ("äolisch", .minor), ("ionisch", .major), ("harmonisches Moll", .harmonicMinor),
            ("melodisches Moll", .melodicMinor), ("harmonisches Dur", .harmonicMajor),
        ] as [(String, ScaleKind)] {
            add(text, kind, .german)
        }
        return words
    }()

    /// The words for no key and for an unknown key; `o` means off key in ID3.
    private static let states: [String: Tonality] = {
        var states: [String: Tonality] = ["unknown": .unknown, "atonal": .atonal, "none": .atonal, "o": .atonal]
        for language in KeyNaming.Language.allCases {
            let words = KeyVocabulary.of(language)
            states[plain(words.unknown)] = .unknown
            states[plain(words.atonal)] = .atonal
        }
        return states
    }()

    /// Parses `mask:2741:9`: the bits of a scale and its root.
    private static func masked(_ text: String) -> Tonality? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "mask", fields[1].first?.isNumber == true,
            fields[2].first?.isNumber == true, let mask = UInt16(fields[1]), mask < 1 << 12,
            let root = Int(fields[2]).flatMap(PitchClass.init)
        else { return nil }
        return .tonal(ScaleMask(rawValue: mask), root: root)
    }
}
