import EarshotCore
@testable import EarshotFingerprints
import Foundation
import TestSupport
import Testing

@Suite("Fingerprints of whole files")
struct FileFingerprintTests {
    private static let duration = MediaTime(value: 200, timescale: 1)

    @Test("The compressed form is that of fpcalc, in both directions and in every algorithm", arguments: Vector.all)
    func vectors(_ vector: Vector) throws {
        let read = try FileFingerprint(text: vector.text, duration: Self.duration)
        #expect(read.values == vector.values)
        #expect(read.algorithm == vector.algorithm)
        let made = try FileFingerprint(vector.values, algorithm: vector.algorithm, duration: Self.duration)
        #expect(made.text == vector.text)
        #expect(try FileFingerprint(text: vector.text + "==", duration: Self.duration) == read)
    }

    @Test("There are vectors of all algorithms")
    func vectorsAreThere() {
        #expect(Vector.all.count == 10)
        #expect(Set(Vector.all.map(\.algorithm)).count == FileFingerprint.Algorithm.allCases.count)
    }

    @Test("Any sub-fingerprints come out of their text again")
    func roundTrip() {
        property("text of fingerprints") { generator in
            let count = Int.random(in: 1...200, using: &generator)
            // Any bits at all, also such as no music has.
            let values = (0..<count).map { _ in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: UInt32(0)
                case 1: UInt32.max
                default: UInt32.random(in: 0 ... .max, using: &generator)
                }
            }
            let algorithm = FileFingerprint.Algorithm.allCases.randomElement(using: &generator) ?? .standard
            let made = try FileFingerprint(values, algorithm: algorithm, duration: Self.duration)
            return try FileFingerprint(text: made.text, duration: Self.duration) == made
        }
    }

    @Test("Damaged text is refused or read, and never more than it has room for")
    func damaged() {
        let texts = Vector.all.map(\.text)
        property("damaged text", rounds: 1_500) { generator in
            let text = Array((texts.randomElement(using: &generator) ?? "").utf8)
            let damaged = String(decoding: generator.mutated(text), as: UTF8.self)
            do throws(EarshotError) {
                let read = try FileFingerprint(text: damaged, duration: Self.duration)
                return read.values.count <= damaged.utf8.count * 2
            } catch {
                return error.code == .signatureInvalid
            }
        }
    }

    @Test(
        "Text that is no fingerprint is refused with a reason",
        arguments: [
            ("", "0 characters"), ("AQAA", "4 characters"), ("AQAAAA", "no sub-fingerprints"),
            ("AQAAAQ", "too short"), ("AQAAE!AAAA", "character 6"), ("AQAAEäAAA", "character 6"),
            ("CQAAAQAA", "algorithm 9"), ("AQ____AAAA", "is too long"), ("AQAAAQAAA", "stands alone"),
            ("AQAAAQAAAA", "follows its end"),
            ("not a print", "character 4"), ("AQAAAf___w", "too short"),
        ]
    )
    func refused(_ text: String, _ reason: String) throws {
        let error = #expect(throws: EarshotError.self) {
            try FileFingerprint(text: text, duration: Self.duration)
        }
        #expect(error?.code == .signatureInvalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("A text that announces more than it holds asks for no memory")
    func announced() throws {
        // A million sub-fingerprints in the header, and room for a few.
        let head: [UInt8] = [1, 0x0F, 0x42, 0x40] + [UInt8](repeating: 0, count: 50)
        let text = Data(head).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        #expect(throws: EarshotError.self) { try FileFingerprint(text: text, duration: Self.duration) }
    }

    @Test("Anything behind the last sub-fingerprint is refused: Chromaprint's decoder writes beyond its memory for it")
    func surplus() throws {
        // One sub-fingerprint with one bit far up, so that there is a number of five bits, and then hundreds of bytes more.
        let whole = try FileFingerprint([0x8000_0000], duration: .zero).text
        #expect(try FileFingerprint(text: whole, duration: .zero).values == [0x8000_0000])
        let error = #expect(throws: EarshotError.self) {
            try FileFingerprint(text: whole + String(repeating: "A", count: 4_000), duration: .zero)
        }
        #expect(error?.message.contains("follows its end") == true)
    }

    @Test("No sub-fingerprints, and more than there may be, make no fingerprint")
    func counts() {
        #expect(throws: EarshotError.self) { try FileFingerprint([], duration: Self.duration) }
        let many = [UInt32](repeating: 7, count: FileFingerprint.maximumCount + 1)
        #expect(throws: EarshotError.self) { try FileFingerprint(many, duration: Self.duration) }
        #expect(throws: Never.self) { try FileFingerprint(Array(many.dropLast()), duration: Self.duration) }
    }
}

@Suite("Similarity of fingerprints")
struct FingerprintSimilarityTests {
    @Test("A fingerprint is like itself, and its place in a longer one is found")
    func same() {
        property("alignment", rounds: 100) { generator in
            let whole = try generator.fingerprint(count: Int.random(in: 300...900, using: &generator))
            guard whole.similarity(to: whole).score == 1 else { return false }
            let cut = Int.random(in: 1...150, using: &generator)
            let part = try FileFingerprint(Array(whole.values.dropFirst(cut)), duration: whole.duration)
            let found = whole.similarity(to: part)
            let other = part.similarity(to: whole)
            return found.offset == cut && found.score == 1 && found.bitErrors == 0
                && other.offset == -cut && other.score == 1
        }
    }

    @Test("The score is the share of the shorter one, times the bits that agree beyond chance")
    func score() {
        property("score", rounds: 100) { generator in
            let whole = try generator.fingerprint(count: 600)
            let damaged = try generator.damaged(whole, bits: 3)
            let errors = zip(whole.values, damaged.values).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            let found = whole.similarity(to: damaged)
            let expected = 1 - 2 * Double(errors) / Double(32 * 600)
            return found.offset == 0 && found.overlap == 600 && found.bitErrors == errors
                && abs(found.score - expected) < 1e-9 && found.share == 1
        }
    }

    @Test("Fingerprints of different music are not alike")
    func unlike() throws {
        let music = try Vector.all.prefix(5).map { try FileFingerprint(text: $0.text, duration: .zero) }
        for (number, first) in music.enumerated() {
            for second in music.dropFirst(number + 1) { #expect(first.similarity(to: second).score < 0.3) }
        }
    }

    @Test("Those of different algorithms have nothing in common")
    func algorithms() throws {
        let values = Vector.all[0].values
        let first = try FileFingerprint(values, algorithm: .test2, duration: .zero)
        let second = try FileFingerprint(values, algorithm: .test3, duration: .zero)
        #expect(first.similarity(to: second).score == 0)
    }

    @Test("A steady tone, which agrees with any of its kind, scores low")
    func steady() throws {
        let steady = try FileFingerprint([UInt32](repeating: 0x1234_5678, count: 500), duration: .zero)
        var generator = SeededGenerator(seed: 3)
        let other = try generator.damaged(steady, bits: 3)
        #expect(steady.similarity(to: other).score < 0.5)
        #expect(steady.similarity(to: steady).score == 1)
    }

    @Test("Values that were made up to meet in one bucket cost no more than others", .timeLimit(.minutes(1)))
    func crowded() throws {
        for bits in [10, 16] as [UInt32] {
            // Two keys of one bucket.
            let keys = (0..<UInt32(1) << 16).map { $0 << 16 }
            let buckets = Dictionary(grouping: keys) { FingerprintComparison.bucket(of: $0, bits: bits) }
            let crowded = try #require(buckets.values.first { $0.count > 1 })
            let (one, two) = (crowded[0], crowded[1])
            let first = try FileFingerprint([UInt32](repeating: one, count: 400_000), duration: .zero)
            let second = try FileFingerprint([UInt32](repeating: two, count: 400_000), duration: .zero)
            #expect((0...1).contains(first.similarity(to: second).score))
        }
    }

    @Test("As much of a fingerprint counts as an index looks at")
    func compared() throws {
        let values = (0..<3_000).map { UInt32($0) }
        let long = try FileFingerprint(values, duration: MediaTime(value: 372, timescale: 1))
        #expect(long.compared.values == Array(values.prefix(1_024)))
        #expect(long.compared.duration == long.duration)
        let short = try FileFingerprint(Array(values.prefix(1_024)), duration: long.duration)
        #expect(short.compared == short)
    }
}
