import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Shared material")
struct SharedMaterialTests {
    private static let songs = (0..<4).map { Songs.drawn(8_100 + UInt64($0), seconds: 20) }

    /// The middle of the frequency axis, in steps: 180 Hz · 2^2.5.
    private static let middle: UInt16 = 960

    private func match(_ query: Signature) throws -> ReferenceMatch {
        var catalog = Catalog()
        for (number, song) in Self.songs.prefix(3).enumerated() {
            try catalog.add(song, representing: [], id: ReferenceID("\(number)"))
        }
        return try #require(try catalog.match(query)?.references.first)
    }

    private func joined(_ first: Signature, _ second: Signature) -> Signature {
        Signature(
            configuration: .standard,
            duration: first.duration,
            landmarks: (first.landmarks + second.landmarks).sorted()
        )
    }

    private func part(_ number: Int, where isKept: (Landmark) -> Bool) -> Signature {
        let part = Songs.part(of: Self.songs[number], from: 4, seconds: 6)
        return Signature(
            configuration: .standard,
            duration: part.duration,
            landmarks: part.landmarks.filter(isKept)
        )
    }

    @Test("a recording of which all fits has none")
    func whole() throws {
        let found = try match(part(1) { _ in true })
        #expect(found.id == "1" && found.sharedMaterial == nil)
    }

    @Test("where another recording sounds above or below, the frequencies that fit are told", arguments: [true, false])
    func spectrum(isLow: Bool) throws {
        let query = joined(
            part(1) { ($0.frequency < Self.middle) == isLow },
            part(3) { ($0.frequency < Self.middle) != isLow }
        )
        let shared = try #require(try match(query).sharedMaterial)
        // The middle lies in the third of five octaves, which is of both.
        #expect(shared.times == nil)
        #expect(isLow ? shared.frequencies?.lowerBound == 180 : shared.frequencies?.upperBound == 5_760)
        let edge = isLow ? shared.frequencies?.upperBound : shared.frequencies?.lowerBound
        #expect(edge == 720 || edge == 1_440)
    }

    @Test("where another recording sounds before or after, the time that fits is told", arguments: [true, false])
    func time(isFirst: Bool) throws {
        let query = joined(part(1) { ($0.time < 1_500) == isFirst }, part(3) { ($0.time < 1_500) != isFirst })
        let shared = try #require(try match(query).sharedMaterial)
        #expect(shared.frequencies == nil)
        let times = try #require(shared.times)
        #expect(isFirst ? times.lowerBound == .zero : times.upperBound.seconds >= 6)
        #expect(abs((isFirst ? times.upperBound : times.lowerBound).seconds - 3) <= 0.5)
    }

    @Test("seen from a longer recording, its times are of that")
    func shifted() throws {
        let shared = SharedMaterial(times: .zero..<MediaTime(value: 2, timescale: 1))
        let placement = Placement(
            offset: .zero,
            queryRange: .zero..<MediaTime(value: 2, timescale: 1),
            referenceRange: .zero..<MediaTime(value: 2, timescale: 1),
            sharedMaterial: shared
        )
        let later = placement.shifted(toPartAt: MediaTime(value: 30, timescale: 1))
        #expect(later.sharedMaterial?.times?.lowerBound.seconds == 30)
        #expect(later.sharedMaterial?.times?.upperBound.seconds == 32)
    }

    @Test("its JSON form leaves out what is not known, and reads what cannot be as nothing")
    func form() throws {
        let both = SharedMaterial(
            frequencies: 180..<720,
            times: MediaTime(value: 1, timescale: 2)..<MediaTime(value: 7, timescale: 2)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(both), as: UTF8.self)
        #expect(text == #"{"begin":0.5,"end":3.5,"highestFrequency":720,"lowestFrequency":180}"#)
        #expect(try JSONDecoder().decode(SharedMaterial.self, from: Data(text.utf8)) == both)
        let odd = [
            "{}", #"{"begin":3}"#, #"{"begin":3,"end":1}"#, #"{"begin":1e300,"end":1e301}"#,
            #"{"lowestFrequency":9,"highestFrequency":1}"#,
        ]
        for text in odd {
            #expect(try JSONDecoder().decode(SharedMaterial.self, from: Data(text.utf8)) == SharedMaterial(), "\(text)")
        }
    }
}
