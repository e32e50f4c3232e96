import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Tonality")
struct TonalityTests {
    private static let cMajor: [Bool] = [1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1].map { $0 == 1 }
    /// All masks on all roots.
    static let all: [Tonality] = (0..<4_096).flatMap { mask in
        PitchClass.allCases.map { .tonal(ScaleMask(rawValue: UInt16(mask)), root: $0) }
    }

    @Test("Major and minor have their flags and roots", .requirements("R-PC-031", "R-PC-032"))
    func flags() throws {
        #expect(Tonality.major(.c) == .tonal(try ScaleMask(flags: Self.cMajor), root: .c))
        #expect(Tonality.minor(.a) == .tonal(try ScaleMask(flags: Self.cMajor), root: .a))
        #expect(ScaleMask.major(on: .c).flags == Self.cMajor)
        #expect(PitchClass.a.rawValue == 9)
        #expect(throws: EarshotError.self) { try ScaleMask(flags: [true]) }
    }

    @Test("The twelve major scales have their masks", .requirements("R-PC-033", "R-PC-034"))
    func majors() {
        let masks = PitchClass.allCases.map { ScaleMask.major(on: $0).rawValue }
        #expect(masks == [2741, 1387, 2774, 1453, 2906, 1717, 3434, 2773, 1451, 2902, 1709, 3418])
        #expect(Set(masks).count == 12)
    }

    @Test("Every tonality goes through the exchange form and back", .requirements("R-PC-030", "R-PC-036"))
    func exchange() throws {
        let all = Self.all + [.unknown, .atonal]
        #expect(all.count == 49_152 + 2)
        let data = try JSONEncoder().encode(all)
        #expect(try JSONDecoder().decode([Tonality].self, from: data) == all)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let minor = String(decoding: try encoder.encode(Tonality.minor(.a)), as: UTF8.self)
        let flags = Self.cMajor.map { "\($0)" }.joined(separator: ",")
        #expect(minor == "{\"root\":9,\"scale\":[\(flags)],\"state\":\"tonal\"}")
        #expect(String(decoding: try encoder.encode(Tonality.atonal), as: UTF8.self) == "{\"state\":\"atonal\"}")
        #expect(String(decoding: try encoder.encode(Tonality.unknown), as: UTF8.self) == "{\"state\":\"unknown\"}")
    }

    @Test(
        "What is no tonality is refused",
        .requirements("R-PC-035"),
        arguments: [
            #"{"state":"odd"}"#, #"{}"#, #"{"state":"tonal"}"#, #"{"state":"tonal","scale":[true],"root":0}"#,
            #"{"state":"tonal","scale":[true,false,true,false,true,true,false,true,false,true,false,true],"root":12}"#,
            #"{"state":"tonal","scale":[true,false,true,false,true,true,false,true,false,true,false,true],"root":-1}"#,
        ]
    )
    func refused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tonality.self, from: Data(text.utf8)) }
        #expect(PitchClass(rawValue: -1) == nil && PitchClass(rawValue: 12) == nil)
    }

    @Test("Half of all tonalities have their root outside the scale", .requirements("R-PC-038"))
    func outside() throws {
        #expect(Self.all.count(where: \.isRootOutside) == 24_576)
        let draft = try PieceDraft(title: "A", length: 1, tonality: .tonal(.major(on: .c), root: .cSharp))
        #expect(draft.warnings.map(\.code) == [.rootOutsideScale])
        #expect(try PieceDraft(title: "A", length: 1, tonality: .major(.c)).warnings.isEmpty)
    }

    @Test(
        "A tuning may keep the pitches of the scale, and prefers none where there is no key",
        .requirements("R-PC-039")
    )
    func allowed() {
        #expect(Tonality.major(.c).allowedPitchClasses?.map(\.rawValue) == [0, 2, 4, 5, 7, 9, 11])
        #expect(Tonality.atonal.allowedPitchClasses == nil && Tonality.unknown.allowedPitchClasses == nil)
    }

    @Test(
        "Transposition takes the shortest way, and none without a key",
        .requirements("R-PC-040", "R-PC-041", "R-PC-043")
    )
    func shift() {
        #expect(Tonality.major(.c).transposition(to: .major(.b)) == -1)
        #expect(Tonality.major(.c).transposition(to: .major(.fSharp)) == 6)
        #expect(Tonality.major(.fSharp).transposition(to: .major(.c)) == 6)
        #expect(Tonality.minor(.a).transposition(to: .major(.a)) == 0)
        for other in [Tonality.atonal, .unknown] {
            #expect(other.transposition(to: .major(.c)) == nil && Tonality.major(.c).transposition(to: other) == nil)
        }
    }

    @Test("Transposing takes scale and root along, and leads there", .requirements("R-PC-042"))
    func transposing() {
        #expect(Tonality.major(.c).transposed(by: 2) == .major(.d))
        #expect(Tonality.atonal.transposed(by: 3) == .atonal)
        for one in PitchClass.allCases {
            for other in PitchClass.allCases {
                let shift = Tonality.major(one).transposition(to: .major(other))
                #expect(shift.map { (-5...6).contains($0) } == true)
                #expect(shift.map { Tonality.major(one).transposed(by: $0) } == .major(other))
            }
        }
        #expect(Self.all.allSatisfy { $0.transposed(by: 7).transposed(by: -7) == $0 })
        #expect(Self.all.allSatisfy { $0.transposed(by: 12) == $0 })
    }
}
