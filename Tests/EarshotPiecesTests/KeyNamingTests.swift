import EarshotPieces
import TestSupport
import Testing

@Suite("Names of keys")
struct KeyNamingTests {
    @Test("Keys are named by root and mode", .requirements("R-PC-046"))
    func modes() {
        #expect(Tonality.major(.c).label == "C major")
        #expect(Tonality.minor(.a).label == "A minor")
        #expect(Tonality.major(.e).label == "E major")
        #expect(Tonality.tonal(.major(on: .c), root: .f).label == "F Lydian")
        #expect(Tonality.tonal(.major(on: .c), root: .d).label == "D Dorian")
        #expect(Tonality.tonal(ScaleMask(rawValue: 2_477), root: .c).label == "C harmonic minor")
    }

    @Test("The masks of all scales are those of the table", .requirements("R-PC-047"))
    func kinds() {
        let masks = ScaleKind.allCases.map { Int($0.relativeMask) }
        #expect(
            masks == [
                2741, 1453, 1709, 1451, 2773, 1717, 1387, 2477, 2733, 2485, 661, 1193, 1257, 1365, 1755, 2925, 4095,
            ]
        )
        for kind in ScaleKind.allCases {
            for root in PitchClass.allCases {
                let mask = ScaleMask(rawValue: kind.relativeMask).raised(by: root.rawValue)
                #expect(ScaleKind(mask, root: root) == kind)
            }
        }
    }

    @Test("All scales have the names of the table", .requirements("R-PC-047"))
    func names() {
        let names = [
            "major", "minor", "Dorian", "Phrygian", "Lydian", "Mixolydian", "Locrian", "harmonic minor",
            "melodic minor", "harmonic major", "major pentatonic", "minor pentatonic", "blues", "whole tone",
            "diminished, half-whole", "diminished, whole-half", "chromatic",
        ]
        #expect(ScaleKind.allCases.map { KeyNaming().label($0, on: .c) } == names.map { "C \($0)" })
    }

    @Test(
        "Each scale has a name of its own on each root, in every language",
        .requirements("R-PC-047"),
        arguments: KeyNaming.Language.allCases
    )
    func distinct(_ language: KeyNaming.Language) {
        for accidentals in KeyNaming.Accidentals.allCases {
            let naming = KeyNaming(language: language, accidentals: accidentals)
            let labels = ScaleKind.allCases.flatMap { kind in PitchClass.allCases.map { naming.label(kind, on: $0) } }
            #expect(Set(labels).count == 204)
        }
    }

    @Test(
        "No key and no knowledge are told apart, from each other and from all keys",
        .requirements("R-PC-048", "R-PC-036")
    )
    func states() {
        #expect(Tonality.unknown.label == "Key unknown" && Tonality.atonal.label == "No key")
        let labels = TonalityTests.all.map(\.label)
        #expect(!labels.contains("Key unknown") && !labels.contains("No key") && !labels.contains(""))
        // Symmetrical scales apart, a key is told by its name.
        #expect(Set(labels).count == 49_152)
    }

    @Test("Scales without a name list their members from the root", .requirements("R-PC-049"))
    func custom() {
        let mask = ScaleMask([.a, .b, .c, .e])
        #expect(Tonality.tonal(mask, root: .a).label == "Custom scale on A: A B C E")
        #expect(Tonality.tonal(mask, root: .d).label == "Custom scale on D: E A B C (root not in scale)")
        #expect(Tonality.tonal([], root: .d).label == "Custom scale on D: – (root not in scale)")
    }

    @Test("Roots are spelt with the fewest accidentals", .requirements("R-PC-050"))
    func spelling() {
        let naming = KeyNaming()
        func names(_ kind: ScaleKind) -> [String] {
            PitchClass.allCases.map { String(naming.label(kind, on: $0).prefix { $0 != " " }) }
        }
        #expect(names(.major) == ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"])
        #expect(names(.minor) == ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "Bb", "B"])
        #expect(names(.lydian) == ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"])
        #expect(names(.locrian) == ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"])
        #expect(names(.blues) == ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"])
        #expect(KeyNaming(accidentals: .typographic).label(.major, on: .dSharp) == "E♭ major")
        #expect(KeyNaming(accidentals: .typographic).label(.minor, on: .gSharp) == "G♯ minor")
    }

    @Test("Names are in the words of a language", .requirements("R-PC-051"))
    func languages() {
        let german = KeyNaming(language: .german)
        #expect(german.label(.major, on: .b) == "H-Dur")
        #expect(german.label(.major, on: .aSharp) == "B-Dur")
        #expect(german.label(.minor, on: .a) == "a-Moll")
        #expect(german.label(.minor, on: .gSharp) == "gis-Moll")
        #expect(german.label(.major, on: .dSharp) == "Es-Dur" && german.label(.major, on: .gSharp) == "As-Dur")
        #expect(KeyNaming(language: .french).label(.major, on: .dSharp) == "mi bémol majeur")
        #expect(KeyNaming(language: .italian).label(.minor, on: .fSharp) == "fa diesis minore")
        #expect(KeyNaming(language: .spanish).label(.major, on: .g) == "sol mayor")
        #expect(german.label(.atonal) == "Keine Tonart")
    }

    @Test("The older label is the major scale of the same notes, or Exotic", .requirements("R-PC-044", "R-PC-045"))
    func legacy() {
        #expect(Tonality.major(.c).legacyLabel == "C" && Tonality.minor(.a).legacyLabel == "C")
        #expect(Tonality.tonal(ScaleMask(rawValue: 2_477), root: .c).legacyLabel == "Exotic")
        #expect(TonalityTests.all.count { $0.legacyLabel != "Exotic" } == 144)
        #expect(Tonality.unknown.legacyLabel == nil)
    }

    @Test(
        "Tags have major, minor and no key, and no words for others",
        arguments: [
            ("C", Tonality.major(.c)), ("Eb", .major(.dSharp)), ("F#m", .minor(.fSharp)), ("Bbm", .minor(.aSharp)),
            ("o", .atonal),
            (nil, .unknown), (nil, .tonal(.major(on: .c), root: .d)), (nil, .tonal(.major(on: .c), root: .cSharp)),
        ] as [(String?, Tonality)]
    )
    func tags(key: String?, tonality: Tonality) {
        #expect(tonality.initialKey == key)
    }

    @Test("Keys that tags have are read as what they were")
    func tagsRead() {
        for root in PitchClass.allCases {
            for tonality in [Tonality.major(root), .minor(root)] {
                #expect(tonality.initialKey.flatMap { Tonality(name: $0) } == tonality)
            }
        }
    }
}
