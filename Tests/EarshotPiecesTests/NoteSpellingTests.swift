import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Spelling of keys")
struct NoteSpellingTests {
    @Test(
        "A key is shown as it was written",
        arguments: [
            ("C# major", "C# major"), ("Db major", "Db major"), ("C♯ major", "C# major"), ("Cis-Dur", "C# major"),
            ("Gb major", "Gb major"), ("F# major", "F# major"), ("Cb major", "Cb major"), ("G# minor", "G# minor"),
            ("Ab minor", "Ab minor"), ("D# minor", "D# minor"), ("Ebm", "Eb minor"), ("E# minor", "E# minor"),
            ("Db Dorian", "Db Dorian"), ("Bb blues", "Bb blues"), ("A# blues", "A# blues"), ("B-Dur", "Bb major"),
            ("la# mineur", "A# minor"), ("C major", "C major"), ("F## minor", "F## minor"),
        ]
    )
    func labels(name: String, label: String) throws {
        let tonality = try #require(Tonality(name: name))
        let spelling = NoteSpelling(rootOf: name)
        #expect(KeyNaming().label(tonality, spelling: spelling) == label)
        // Only what would be shown otherwise is kept.
        #expect((spelling == nil) == (KeyNaming().label(tonality) == label))
        let draft = try PieceDraft(title: "T", length: 1_000_000, tonality: tonality, rootSpelling: spelling)
        #expect(draft.keyLabel == label)
        let data = try JSONEncoder().encode(DraftForm(draft))
        let read = try JSONDecoder().decode(DraftForm.self, from: data)
        #expect(try read.draft() == draft)
        #expect(String(decoding: data, as: UTF8.self).contains("rootSpelling") == (spelling != nil))
    }

    @Test("Other languages spell the same root, and tags too")
    func languages() throws {
        let (key, spelling) = (Tonality.major(.cSharp), try #require(NoteSpelling("C#")))
        #expect(KeyNaming(language: .german).label(key, spelling: spelling) == "Cis-Dur")
        #expect(KeyNaming(language: .french).label(key, spelling: spelling) == "do dièse majeur")
        #expect(KeyNaming(accidentals: .typographic).label(key, spelling: spelling) == "C♯ major")
        #expect(key.initialKey == "Db" && key.initialKey(spelling: spelling) == "C#")
        #expect(Tonality.minor(.aSharp).initialKey(spelling: NoteSpelling("A#")) == "A#m")
    }

    @Test("A spelling of another note is passed over", arguments: ["D", "Cb", "Ebb"])
    func others(text: String) throws {
        let spelling = try #require(NoteSpelling(text))
        #expect(KeyNaming().label(.major(.cSharp), spelling: spelling) == "Db major")
        #expect(KeyNaming().label(.atonal, spelling: spelling) == "No key")
    }

    @Test("What is no spelling is refused", arguments: ["", "c", "H", "C###", "C#b", "Cbbb", "C sharp", "♯"])
    func none(text: String) {
        #expect(NoteSpelling(text) == nil)
        let form = #"{"title": "T", "length": 1, "tonality": {"state": "atonal"}, "rootSpelling": "\#(text)"}"#
        let read = try? JSONDecoder().decode(DraftForm.self, from: Data(form.utf8))
        #expect(read != nil && read?.rootSpelling == nil)
    }

    @Test("Each spelling is read back as it is written")
    func description() throws {
        for letter in "ABCDEFG" {
            for signs in ["", "#", "##", "b", "bb"] {
                let spelling = try #require(NoteSpelling("\(letter)\(signs)"))
                #expect(spelling.description == "\(letter)\(signs)")
                #expect(Tonality(name: "\(letter)\(signs) major") == .major(spelling.pitch))
            }
        }
    }
}
