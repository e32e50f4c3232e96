/// The vocabulary of a language for keys.
struct KeyVocabulary: Sendable {
    /// The syllables of the notes C to B; empty for languages with letters.
    var notes: [String] = []
    var sharp = ""
    var flat = ""
    let unknown: String
    let atonal: String
    let custom: String
    let outside: String
    let scales: [ScaleKind: String]

    static func of(_ language: KeyNaming.Language) -> KeyVocabulary {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .italian: italian
        case .spanish: spanish
        }
    }

    private static let english = KeyVocabulary(
        unknown: "Key unknown",
        atonal: "No key",
        custom: "Custom scale on",
        outside: "root not in scale",
        scales: [
            .major: "major", .minor: "minor", .dorian: "Dorian", .phrygian: "Phrygian", .lydian: "Lydian",
            .mixolydian: "Mixolydian", .locrian: "Locrian", .harmonicMinor: "harmonic minor",
            .melodicMinor: "melodic minor", .harmonicMajor: "harmonic major", .majorPentatonic: "major pentatonic",
            .minorPentatonic: "minor pentatonic", .blues: "blues", .wholeTone: "whole tone",
            .diminishedHalfWhole: "diminished, half-whole", .diminishedWholeHalf: "diminished, whole-half",
            .chromatic: "chromatic",
        ]
    )

    private static let german = KeyVocabulary(
        unknown: "Tonart unbekannt",
        atonal: "Keine Tonart",
        custom: "Eigene Tonleiter auf",
        outside: "Grundton nicht in der Tonleiter",
        scales: [
            .major: "Dur", .minor: "Moll", .dorian: "dorisch", .phrygian: "phrygisch", .lydian: "lydisch",
            .mixolydian: "mixolydisch", .locrian: "lokrisch", .harmonicMinor: "harmonisch Moll",
            .melodicMinor: "melodisch Moll", .harmonicMajor: "harmonisch Dur", .majorPentatonic: "Dur-Pentatonik",
            .minorPentatonic: "Moll-Pentatonik", .blues: "Blues", .wholeTone: "Ganztonleiter",
            .diminishedHalfWhole: "vermindert, Halbton-Ganzton", .diminishedWholeHalf: "vermindert, Ganzton-Halbton",
            .chromatic: "chromatisch",
        ]
    )

    private static let french = KeyVocabulary(
        notes: ["do", "ré", "mi", "fa", "sol", "la", "si"],
        sharp: "dièse",
        flat: "bémol",
        unknown: "Tonalité inconnue",
        atonal: "Sans tonalité",
        custom: "Gamme particulière sur",
        outside: "fondamentale hors de la gamme",
        scales: [
            .major: "majeur", .minor: "mineur", .dorian: "dorien", .phrygian: "phrygien", .lydian: "lydien",
            .mixolydian: "mixolydien", .locrian: "locrien", .harmonicMinor: "mineur harmonique",
            .melodicMinor: "mineur mélodique", .harmonicMajor: "majeur harmonique",
            .majorPentatonic: "pentatonique majeure", .minorPentatonic: "pentatonique mineure", .blues: "blues",
            .wholeTone: "par tons", .diminishedHalfWhole: "diminuée, demi-ton-ton",
            .diminishedWholeHalf: "diminuée, ton-demi-ton", .chromatic: "chromatique",
        ]
    )

    private static let italian = KeyVocabulary(
        notes: ["do", "re", "mi", "fa", "sol", "la", "si"],
        sharp: "diesis",
        flat: "bemolle",
        unknown: "Tonalità sconosciuta",
        atonal: "Nessuna tonalità",
        custom: "Scala propria su",
        outside: "fondamentale fuori dalla scala",
        scales: [
            .major: "maggiore", .minor: "minore", .dorian: "dorico", .phrygian: "frigio", .lydian: "lidio",
            .mixolydian: "misolidio", .locrian: "locrio", .harmonicMinor: "minore armonica",
            .melodicMinor: "minore melodica", .harmonicMajor: "maggiore armonica",
            .majorPentatonic: "pentatonica maggiore", .minorPentatonic: "pentatonica minore", .blues: "blues",
            .wholeTone: "esatonale", .diminishedHalfWhole: "diminuita, semitono-tono",
            .diminishedWholeHalf: "diminuita, tono-semitono", .chromatic: "cromatica",
        ]
    )

    private static let spanish = KeyVocabulary(
        notes: ["do", "re", "mi", "fa", "sol", "la", "si"],
        sharp: "sostenido",
        flat: "bemol",
        unknown: "Tonalidad desconocida",
        atonal: "Sin tonalidad",
        custom: "Escala propia sobre",
        outside: "fundamental fuera de la escala",
        scales: [
            .major: "mayor", .minor: "menor", .dorian: "dórico", .phrygian: "frigio", .lydian: "lidio",
            .mixolydian: "mixolidio", .locrian: "locrio", .harmonicMinor: "menor armónica",
            .melodicMinor: "menor melódica", .harmonicMajor: "mayor armónica", .majorPentatonic: "pentatónica mayor",
            .minorPentatonic: "pentatónica menor", .blues: "blues", .wholeTone: "de tonos enteros",
            .diminishedHalfWhole: "disminuida, semitono-tono", .diminishedWholeHalf: "disminuida, tono-semitono",
            .chromatic: "cromática",
        ]
    )
}
