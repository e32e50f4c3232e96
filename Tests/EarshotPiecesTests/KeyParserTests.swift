import EarshotPieces
import TestSupport
import Testing

@Suite("Reading of keys")
struct KeyParserTests {
    private static func key(_ kind: ScaleKind, _ root: PitchClass) -> Tonality {
        .tonal(ScaleMask(rawValue: kind.relativeMask).raised(by: root.rawValue), root: root)
    }

    @Test("Each name of a scale is read back, in every language", arguments: KeyNaming.Language.allCases)
    func labels(_ language: KeyNaming.Language) {
        for accidentals in KeyNaming.Accidentals.allCases {
            let naming = KeyNaming(language: language, accidentals: accidentals)
            for kind in ScaleKind.allCases {
                for root in PitchClass.allCases {
                    let label = naming.label(kind, on: root)
                    #expect(Tonality(name: label, language: language) == Self.key(kind, root), "\(label)")
                    // One word is the same in English and in German, and the note is not.
                    guard (language, kind, root) != (.german, .blues, .aSharp) else { continue }
                    #expect(Tonality(name: label) == Self.key(kind, root), "\(label)")
                    #expect(Tonality(name: "  \(label.uppercased()) ") == Self.key(kind, root), "\(label)")
                }
            }
            #expect(Tonality(name: naming.label(.unknown)) == .unknown)
            #expect(Tonality(name: naming.label(.atonal)) == .atonal)
        }
    }

    @Test(
        "Forms that people write",
        arguments: [
            ("A minor", .minor(.a)), ("a moll", .minor(.a)), ("a-Moll", .minor(.a)), ("A Moll", .minor(.a)),
            ("Eb major", .major(.dSharp)), ("E♭ major", .major(.dSharp)), ("e flat major", .major(.dSharp)),
            ("Es-Dur", .major(.dSharp)), ("as-Moll", .minor(.gSharp)), ("F# Dorian", key(.dorian, .fSharp)),
            ("Fis dorisch", key(.dorian, .fSharp)), ("Am", .minor(.a)), ("am", .minor(.a)), ("C#m", .minor(.cSharp)),
            ("C♯m", .minor(.cSharp)), ("Ebmin", .minor(.dSharp)), ("F#maj", .major(.fSharp)), ("CM", .major(.c)),
            ("Cm", .minor(.c)), ("F Lydian", key(.lydian, .f)), ("C harmonic minor", key(.harmonicMinor, .c)),
            ("B major", .major(.b)), ("B-Dur", .major(.aSharp)), ("H-Dur", .major(.b)), ("Bb", .major(.aSharp)),
            ("bbm", .minor(.aSharp)), ("C", .major(.c)), ("Ab", .major(.gSharp)), ("A aeolian", .minor(.a)),
            ("ré bémol majeur", .major(.cSharp)), ("D_minor", .minor(.d)), ("unknown", .unknown),
            ("atonal", .atonal), ("No key", .atonal), ("o", .atonal),
            ("mask:2741:9", .minor(.a)), ("mask:0:0", .tonal([], root: .c)),
            ("mask:1:11", .tonal(ScaleMask(rawValue: 1), root: .b)),
            ("D diminished, half-whole", key(.diminishedHalfWhole, .d)),
        ] as [(String, Tonality)]
    )
    func forms(_ name: String, _ tonality: Tonality) {
        #expect(Tonality(name: name) == tonality)
    }

    @Test(
        "What is no key is not read as one",
        arguments: [
            "", " ", "a", "c", "i am", "minor", "X minor", "A miner", "Amm", "C major minor", "A#b", "mask", "mask:",
            "mask:4096:0", "mask:1:12", "mask:-1:0", "mask:1:-1", "mask:+1:0", "mask:1", "mask:1:2:3", "mask:a:0",
            "domajor", "Bes-Dur", "120", "C°", "🎵", String(repeating: "A", count: 100_000),
        ]
    )
    func others(_ name: String) {
        #expect(Tonality(name: name) == nil)
    }

    @Test("A B is another note in German")
    func german() {
        #expect(Tonality(name: "B Blues") == Self.key(.blues, .b))
        #expect(Tonality(name: "B Blues", language: .german) == Self.key(.blues, .aSharp))
        #expect(Tonality(name: "B", language: .german) == .major(.aSharp))
        #expect(Tonality(name: "Bb blues", language: .german) == Self.key(.blues, .aSharp))
    }

    @Test("No text ends the reading")
    func anything() {
        property("names of keys", rounds: 2_000) { generator in
            let letters = Array("abcdefgh#b♯♭ ismajornadur-moll:0129,é")
            let text = String(
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? " "
                }
            )
            guard let tonality = Tonality(name: text) else { return true }
            // Whatever was read has a label that means the same.
            guard case .tonal(let mask, let root) = tonality, ScaleKind(mask, root: root) != nil else { return true }
            return Tonality(name: tonality.label) == tonality
        }
    }

    @Test("Compatible keys have the same notes, or those of a neighbour on the circle of fifths")
    func compatible() {
        let labels = Tonality.major(.c).compatible.map(\.label)
        #expect(labels.first == "C major" && labels.count == 21 && Set(labels).count == 21)
        for name in ["A minor", "D Dorian", "G major", "E minor", "F major", "D minor", "B Locrian"] {
            #expect(labels.contains(name), "\(name)")
        }
        for name in ["D major", "C minor", "Bb major", "A major"] { #expect(!labels.contains(name), "\(name)") }
        #expect(Tonality.unknown.compatible.isEmpty && Tonality.atonal.compatible.isEmpty)
        let harmonic = Self.key(.harmonicMinor, .a)
        #expect(harmonic.compatible.count == 7 && harmonic.compatible.first == harmonic)
        #expect(!harmonic.isCompatible(with: .minor(.a)))
    }

    @Test("Of any two keys, either goes with the other or neither does")
    func symmetry() {
        property("compatible keys", rounds: 500) { generator in
            let kinds: [ScaleKind] = [.major, .minor, .dorian, .blues, .harmonicMinor, .wholeTone]
            func any() -> Tonality {
                Self.key(
                    kinds.randomElement(using: &generator) ?? .major,
                    PitchClass.allCases.randomElement(using: &generator) ?? .c
                )
            }
            let (one, other) = (any(), any())
            guard one.isCompatible(with: one), one.compatible.first == one else { return false }
            guard one.compatible.allSatisfy({ one.isCompatible(with: $0) }) else { return false }
            return one.isCompatible(with: other) == other.isCompatible(with: one)
                && one.isCompatible(with: other) == one.compatible.contains(other)
        }
    }
}
