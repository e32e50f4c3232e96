import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Drafts of pieces")
struct PieceDraftTests {
    private func codes(_ body: () throws(DraftErrors) -> PieceDraft) -> [DraftViolation.Code] {
        do throws(DraftErrors) {
            _ = try body()
            return []
        } catch {
            return error.violations.map(\.code)
        }
    }

    @Test("Title, length and no ancestors are enough", .requirements("R-PC-010", "R-PC-024"))
    func smallest() throws {
        let draft = try PieceDraft(title: "Loop", length: 40_000_000)
        #expect(draft.basedOn.isEmpty && draft.tonality == .unknown && draft.warnings.isEmpty)
    }

    @Test("A title has 1 to 50 code points", .requirements("R-PC-011", "R-PC-025", "R-PC-027"))
    func titles() {
        func codes(_ title: String) -> [DraftViolation.Code] {
            self.codes { () throws(DraftErrors) in try PieceDraft(title: title, length: 1) }
        }
        #expect(codes("") == [.titleTooShort] && codes(" \n ") == [.titleTooShort])
        #expect(codes("x") == [] && codes(String(repeating: "x", count: 50)) == [])
        #expect(codes(String(repeating: "x", count: 51)) == [.titleTooLong])
        #expect(
            codes(String(repeating: "🎵", count: 50)) == []
                && codes(String(repeating: "🎵", count: 51)) == [.titleTooLong]
        )
        // A family is seven code points.
        #expect(
            codes(String(repeating: "👨‍👩‍👧‍👦", count: 7)) == [] && codes(String(repeating: "👨‍👩‍👧‍👦", count: 8)) == [.titleTooLong]
        )
        #expect(codes("a\u{7}b") == [.titleInvalid])
    }

    @Test("A title loses the white space at its ends")
    func trimmed() throws {
        #expect(try PieceDraft(title: "  My  loop \n", length: 1).title == "My  loop")
    }

    @Test("Lengths are microseconds, up to twenty minutes", .requirements("R-PC-012", "R-PC-013", "R-PC-027"))
    func lengths() throws {
        func codes(_ length: Int64) -> [DraftViolation.Code] {
            self.codes { () throws(DraftErrors) in try PieceDraft(title: "A", length: Microseconds(length)) }
        }
        #expect(codes(-1) == [.pieceTooShort] && codes(0) == [.pieceTooShort])
        #expect(codes(1) == [] && codes(1_200_000_000) == [])
        #expect(codes(1_200_000_001) == [.pieceTooLong])
        #expect(try PieceDraft(title: "A", length: 40_000_000).length.seconds == 40)
        #expect(Microseconds(MediaTime(value: 1, timescale: 2_000_000))?.count == 1)
        #expect(Microseconds(MediaTime(value: -1, timescale: 2_000_000))?.count == -1)
        #expect(Microseconds(MediaTime(value: 44_100, timescale: 44_100)) == 1_000_000)
        #expect(Microseconds(.indefinite) == nil)
    }

    @Test("A tempo is 1 to 999.999, to three decimals", .requirements("R-PC-014", "R-PC-015", "R-PC-016", "R-PC-027"))
    func tempos() throws {
        func codes(_ tempo: Double) -> [DraftViolation.Code] {
            self.codes { () throws(DraftErrors) in try PieceDraft(title: "A", length: 1, tempo: FixedTempo(tempo)) }
        }
        for tempo in [1, 128, 999.999] { #expect(codes(tempo) == []) }
        for tempo in [0.999, 0, -1, .nan, -.infinity] { #expect(codes(tempo) == [.tempoTooLow]) }
        for tempo in [1_000, .infinity, .greatestFiniteMagnitude] { #expect(codes(tempo) == [.tempoTooHigh]) }
        #expect(FixedTempo(120.0006).beatsPerMinute == 120.001)
        #expect(FixedTempo(120.0004).beatsPerMinute == 120)
    }

    @Test("A loop is a part of the piece", .requirements("R-PC-017", "R-PC-018", "R-PC-019", "R-PC-027"))
    func loops() {
        func codes(_ start: Int64, _ end: Int64) -> [DraftViolation.Code] {
            let loop = LoopMarkers(start: Microseconds(start), end: Microseconds(end))
            return self.codes { () throws(DraftErrors) in try PieceDraft(title: "A", length: 100_000_000, loop: loop) }
        }
        #expect(codes(0, 500_000) == [] && codes(0, 100_000_000) == [])
        for (start, end) in [(500_000, 0), (-1, 500_000), (0, 100_000_001), (7, 7)] as [(Int64, Int64)] {
            #expect(codes(start, end) == [.invalidLoopMarkers])
        }
    }

    @Test(
        "Time signatures have numerals that are allowed",
        .requirements("R-PC-020", "R-PC-021", "R-PC-022", "R-PC-027")
    )
    func signatures() {
        func isLegal(_ upper: Int, _ lower: Int) -> Bool {
            let signature = TimeSignature(upper: upper, lower: lower)
            let codes = codes { () throws(DraftErrors) in
                try PieceDraft(title: "A", length: 1, timeSignature: signature)
            }
            #expect(codes == [] || codes == [.invalidTimeSignature])
            return codes == []
        }
        for (upper, expected) in [(0, false), (1, true), (8, true), (16, true), (17, false)] {
            #expect(isLegal(upper, 4) == expected)
        }
        for lower in [1, 3, 6, 12, 32] { #expect(!isLegal(4, lower)) }
        for lower in [2, 4, 8, 16] { #expect(isLegal(4, lower)) }
    }

    @Test("Numerators and denominators of older services are read")
    func older() throws {
        let data = Data(#"{"numerator":7,"denominator":8}"#.utf8)
        #expect(try JSONDecoder().decode(TimeSignature.self, from: data) == TimeSignature(upper: 7, lower: 8))
    }

    @Test("Ancestors are identifiers, each once, and not the piece itself", .requirements("R-PC-023", "R-PC-101"))
    func provenance() throws {
        let (one, other) = (PieceID(), PieceID())
        #expect(try PieceDraft(title: "A", length: 1, basedOn: [one, other]).basedOn == [one, other])
        func codes(_ basedOn: [String], id: PieceID? = nil) -> [DraftViolation.Code] {
            DraftForm(title: "A", length: 1, basedOn: basedOn, id: id).violations.map(\.code)
        }
        #expect(codes([]) == [] && codes([one.description, other.description.uppercased()]) == [])
        #expect(codes(["no uuid"]) == [.invalidProvenance])
        #expect(codes([one.description, one.description.uppercased()]) == [.invalidProvenance])
        #expect(codes([one.description], id: one) == [.invalidProvenance])
        #expect(codes((0..<101).map { _ in PieceID().description }) == [.invalidProvenance])
    }

    @Test("All that is wrong is said together, with field and reason", .requirements("R-PC-025", "R-PC-026"))
    func together() {
        let form = DraftForm(title: "", length: 0, tempo: FixedTempo(0), tonality: .tonal([], root: .c))
        #expect(form.violations.map(\.code) == [.titleTooShort, .pieceTooShort, .tempoTooLow, .emptyScale])
        #expect(form.violations.map(\.field) == [.title, .length, .tempo, .tonality])
        #expect(form.violations.allSatisfy { $0.reason.contains(": ") })
    }

    @Test("The eight numbers of the older service stay", .requirements("R-PC-027"))
    func numbers() {
        let numbers: [DraftViolation.Code: Int] = [
            .tempoTooHigh: 1_001, .tempoTooLow: 1_002, .invalidLoopMarkers: 1_003, .invalidTimeSignature: 1_004,
            .pieceTooShort: 1_005, .pieceTooLong: 1_006, .titleTooShort: 1_007, .titleTooLong: 1_008,
        ]
        for code in DraftViolation.Code.allCases { #expect(code.number == numbers[code], "\(code)") }
    }

    @Test("An empty scale is refused in a draft, and read from elsewhere", .requirements("R-PC-037"))
    func emptyScale() throws {
        #expect(
            codes { () throws(DraftErrors) in try PieceDraft(title: "A", length: 1, tonality: .tonal([], root: .c)) }
                == [.emptyScale]
        )
        let empty = Tonality.tonal([], root: .c)
        #expect(try JSONDecoder().decode(Tonality.self, from: JSONEncoder().encode(empty)) == empty)
    }

    @Test("A loop that is no whole number of beats is legal, with a word of warning", .requirements("R-PC-028"))
    func offBeat() throws {
        func warnings(_ beats: Double) throws -> [DraftWarning.Code] {
            let end = Microseconds(Int64(beats * 500_000))
            let draft = try PieceDraft(
                title: "A",
                length: 100_000_000,
                tempo: FixedTempo(120),
                loop: LoopMarkers(start: 0, end: end)
            )
            return draft.warnings.map(\.code)
        }
        #expect(try warnings(4.3) == [.loopOffBeat])
        #expect(try warnings(0.4) == [.loopOffBeat])
        for beats in [1, 4, 4.03, 16, 15.9] { #expect(try warnings(beats) == []) }
    }
}
