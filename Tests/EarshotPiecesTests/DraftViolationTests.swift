import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("What is wrong with drafts")
struct DraftViolationTests {
    /// A form from JSON: title and length that are right, and what is given.
    private static func form(_ fields: String) throws -> DraftForm {
        try JSONDecoder().decode(DraftForm.self, from: Data(#"{"title": "A", "length": 10, \#(fields)}"#.utf8))
    }

    @Test(
        "Each rule has its code, its field and a reason that says what was found",
        .requirements("R-PC-025", "R-PC-027", "R-PC-035")
    )
    func table() throws {
        let long = String(repeating: "x", count: 51)
        let faults: [(DraftForm, DraftViolation.Code, DraftViolation.Field, String)] = [
            (DraftForm(title: " ", length: 1), .titleTooShort, .title, "is empty"),
            (DraftForm(title: long, length: 1), .titleTooLong, .title, "51 code points"),
            (DraftForm(title: "a\u{7}b", length: 1), .titleInvalid, .title, "control characters"),
            (DraftForm(title: "A", length: 0), .pieceTooShort, .length, "0 microseconds"),
            (DraftForm(title: "A", length: 1_300_000_000), .pieceTooLong, .length, "1300.0 s: 1200"),
            (DraftForm(title: "A", length: 1, tempo: FixedTempo(0.5)), .tempoTooLow, .tempo, "tempo of 0.5"),
            (DraftForm(title: "A", length: 1, tempo: FixedTempo(1_000)), .tempoTooHigh, .tempo, "tempo of 1000.0"),
            (try Self.form(#""loop": {"start": 7, "end": 7}"#), .invalidLoopMarkers, .loop, "from 7 to 7"),
            (
                try Self.form(#""timeSignature": {"upper": 17, "lower": 4}"#), .invalidTimeSignature, .timeSignature,
                "17 over 4"
            ),
            (try Self.form(#""basedOn": ["no uuid"]"#), .invalidProvenance, .basedOn, "\"no uuid\""),
            (try Self.form(#""id": "no uuid""#), .invalidProvenance, .id, "UUID"),
            (DraftForm(title: "A", length: 1, tonality: .tonal([], root: .c)), .emptyScale, .tonality, "no members"),
            (try Self.form(#""tonality": {"state": "loud"}"#), .invalidTonality, .tonality, "The state of"),
        ]
        for (form, code, field, words) in faults {
            let violation = try #require(form.violations.first, "\(code)")
            #expect(form.violations.count == 1 && violation.code == code && violation.field == field)
            #expect(violation.reason.contains(words) && violation.reason.contains(": "), "\(violation)")
            let errors = #expect(throws: DraftErrors.self) { try form.draft() }
            #expect(errors?.violations == [violation])
        }
        #expect(Set(faults.map(\.1)) == Set(DraftViolation.Code.allCases))
        #expect(Set(faults.map(\.2)) == Set(DraftViolation.Field.allCases))
    }

    @Test(
        "A tonality that is none is told with where it is wrong",
        .requirements("R-PC-031", "R-PC-035"),
        arguments: [
            ("{}", "The state of"), (#"{"state": 1}"#, "The state of"), (#"{"state": "tonal"}"#, "The scale of"),
            (#"{"state": "tonal", "scale": [true], "root": 0}"#, "The scale of"),
            (#"{"state": "tonal", "scale": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "root": 0}"#, "The scale of"),
            (#"{"state": "tonal", "scale": \#(Self.flags), "root": 12}"#, "The root of"),
            (#"{"state": "tonal", "scale": \#(Self.flags), "root": -1}"#, "The root of"),
            (#"{"state": "tonal", "scale": \#(Self.flags)}"#, "The root of"), (#""A minor""#, "The tonality"),
        ] as [(String, String)]
    )
    func tonality(_ json: String, _ words: String) throws {
        var form = try Self.form(#""tonality": \#(json)"#)
        #expect(form.violations.map(\.code) == [.invalidTonality])
        #expect(form.violations.first?.reason.hasPrefix(words) == true, "\(form.violations)")
        #expect(throws: DraftErrors.self) { try form.draft() }
        // Whoever says another takes it back.
        form.tonality = .atonal
        #expect(try form.draft().tonality == .atonal)
    }

    static let flags = "[true,false,true,false,true,true,false,true,false,true,false,true]"

    @Test("Types that are wrong do not hide what else is", .requirements("R-PC-026"))
    func together() throws {
        let text = #"""
            {"title": "", "length": 0, "basedOn": ["x"], "id": 7, "tonality": {"state": "tonal", "scale":
            [true,false,true,false,true,true,false,true,false,true,false], "root": 12}}
            """#
        var form = try JSONDecoder().decode(DraftForm.self, from: Data(text.utf8))
        #expect(
            form.violations.map(\.code) == [
                .titleTooShort, .pieceTooShort, .invalidProvenance, .invalidTonality, .invalidProvenance,
            ]
        )
        #expect(form.violations.map(\.field) == [.title, .length, .basedOn, .tonality, .id])
        form.id = PieceID()
        #expect(form.violations.map(\.field) == [.title, .length, .basedOn, .tonality])
    }

    @Test("A form that is right is written as it is read", .requirements("R-PC-030"))
    func exchange() throws {
        let id = PieceID()
        let form = DraftForm(title: "A", length: 1, tonality: .minor(.a), id: id)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(form), as: UTF8.self)
        #expect(
            text == #"{"basedOn":[],"id":"\#(id)","length":1,"title":"A","#
                + #""tonality":{"root":9,"scale":\#(Self.flags),"state":"tonal"}}"#
        )
        #expect(try JSONDecoder().decode(DraftForm.self, from: Data(text.utf8)) == form)
        #expect(try Self.form(#""tonality": null, "id": null"#).draft().tonality == .unknown)
    }
}
