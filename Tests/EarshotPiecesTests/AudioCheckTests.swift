import EarshotPieces
import TestSupport
import Testing

@Suite("Sound and what is said of it")
struct AudioCheckTests {
    private func codes(
        tempo: Double? = nil,
        signature: TimeSignature? = nil,
        key: Tonality = .unknown,
        _ facts: AudioFindings
    ) throws -> [AudioWarning.Code] {
        let draft = try PieceDraft(
            title: "a",
            length: 10_000_000,
            tempo: tempo.map { FixedTempo($0) },
            loop: LoopMarkers(start: 0, end: 10_000_000),
            timeSignature: signature,
            tonality: key
        )
        let warnings = AudioCheck().warnings(draft, heard: facts)
        for warning in warnings {
            #expect(!warning.declared.isEmpty && warning.reason.contains(warning.measured), "\(warning)")
        }
        return warnings.map(\.code)
    }

    private func facts(
        length: Microseconds = 10_000_000,
        tempo: Double? = nil,
        alternative: Double? = nil,
        key: Tonality? = nil,
        confidence: Double = 0.9
    ) -> AudioFindings {
        AudioFindings(
            length: length,
            tempo: tempo.map { .init(beatsPerMinute: $0, confidence: confidence, alternative: alternative) },
            key: key.map { .init($0, confidence: confidence) }
        )
    }

    @Test("A length may differ by 50 ms")
    func length() throws {
        for length in [9_950_000, 10_050_000] as [Microseconds] { #expect(try codes(facts(length: length)).isEmpty) }
        for length in [9_949_999, 10_050_001] as [Microseconds] {
            #expect(try codes(facts(length: length)) == [.lengthDiffers])
        }
    }

    @Test("Half and double are the same tempo, and little confidence none")
    func tempo() throws {
        for heard in [120, 60, 240, 121.9] { #expect(try codes(tempo: 120, facts(tempo: heard)).isEmpty, "\(heard)") }
        for heard in [125, 90, 80, 100] as [Double] {
            #expect(try codes(tempo: 120, facts(tempo: heard)) == [.tempoDiffers], "\(heard)")
        }
        #expect(try codes(tempo: 120, facts(tempo: 90, alternative: 60)).isEmpty)
        #expect(try codes(tempo: 120, facts(tempo: 90, confidence: 0.1)).isEmpty)
        #expect(try codes(facts(tempo: 90)).isEmpty && codes(tempo: 120, facts()).isEmpty)
        let waltz = TimeSignature(upper: 3, lower: 4)
        #expect(try codes(tempo: 120, signature: waltz, facts(tempo: 40)).isEmpty)
        #expect(try codes(tempo: 120, facts(tempo: 40)) == [.tempoDiffers])
    }

    @Test("Keys with the same notes, and neighbours, are not told apart by ear")
    func key() throws {
        let pentatonic = Tonality.tonal(ScaleMask(rawValue: 1_193).raised(by: 9), root: .a)
        let harmonic = Tonality.tonal(ScaleMask(rawValue: 2_477).raised(by: 9), root: .a)
        let melodic = Tonality.tonal(ScaleMask(rawValue: 2_733).raised(by: 9), root: .a)
        for declared in [.major(.c), .minor(.a), .major(.g), .minor(.d), pentatonic, harmonic, melodic] as [Tonality] {
            #expect(try codes(key: declared, facts(key: .minor(.a))).isEmpty, "\(declared.label)")
        }
        for declared in [.major(.d), .major(.a), .minor(.c), .minor(.b), .major(.fSharp)] as [Tonality] {
            #expect(try codes(key: declared, facts(key: .minor(.a))) == [.keyDiffers], "\(declared.label)")
            #expect(try codes(key: declared, facts(key: .minor(.a), confidence: 0.1)).isEmpty)
        }
        #expect(try codes(key: .atonal, facts(key: .minor(.a))) == [.keyDiffers])
        #expect(try codes(key: .atonal, facts(key: .minor(.a), confidence: 0.4)).isEmpty)
        #expect(try codes(facts(key: .minor(.a))).isEmpty && codes(key: .major(.c), facts()).isEmpty)
    }

    @Test("Seams are told with their sizes, and all warnings together")
    func seams() throws {
        let loop = try #require(LoopSamples.bad.first { $0.name == "sine that falls by 6 dB" })
        let seam = try #require(LoopSeam(before: loop.samples, after: loop.samples, sampleRate: loop.sampleRate))
        let heard = AudioFindings(
            length: 9_000_000,
            seam: seam,
            tempo: .init(beatsPerMinute: 90, confidence: 1),
            key: .init(.major(.fSharp), confidence: 1)
        )
        let codes = try codes(tempo: 120, key: .major(.c), heard)
        #expect(codes.contains(.seamLevel) && codes.first == .lengthDiffers && codes.last == .keyDiffers)
        let draft = try PieceDraft(title: "a", length: 9_000_000)
        #expect(AudioCheck().warnings(draft, heard: heard).isEmpty)
    }
}
