import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Evidence")
struct EvidenceTests {
    private static let here = Alignment(offset: 0, speed: 1, pitch: 0)

    /// Weighs a query at a place of a reference.
    private func evidence(
        _ query: [Landmark],
        on reference: Signature,
        at alignment: Alignment = here
    ) throws -> Evidence {
        let segment = try CatalogImage(of: [reference]).segment
        let window = ReferenceWindow(segment, reference: 0, steps: 0..<Int.max / 2)
        return Verifier(query).evidence(on: window, alignment, density: LandmarkDensity(window))
    }

    private func part(_ signature: Signature, _ seconds: Double) -> [Landmark] {
        signature.landmarks.filter { Double($0.time) < seconds * 500 }
    }

    private func signature(_ landmarks: [Landmark], seconds: Int64 = 20) -> Signature {
        Signature(
            configuration: .standard,
            duration: MediaTime(value: seconds, timescale: 1),
            landmarks: landmarks.sorted()
        )
    }

    @Test("what has nothing to do with each other has none")
    func unrelated() throws {
        property("unrelated", rounds: 25) { generator in
            let reference = Songs.drawn(generator.next())
            let query = Songs.drawn(generator.next(), seconds: Int.random(in: 1...8, using: &generator))
            let offset = Double.random(in: 0...1_000, using: &generator)
            let alignment = Alignment(offset: offset, speed: 1, pitch: 0)
            let evidence = try evidence(query.landmarks, on: reference, at: alignment)
            // The mean likelihood ratio of what is no match is one, so one of e^12 is as rare.
            return evidence.total < 12 && evidence.balanced <= evidence.restrained && evidence.restrained < 12
                && evidence.inside > 0
        }
    }

    @Test("what is the same has more the longer it is")
    func growing() throws {
        property("growing evidence", rounds: 6) { generator in
            let reference = Songs.drawn(generator.next())
            let seconds = [0.5, 1, 2, 4, 8]
            let all = try seconds.map { try evidence(part(reference, $0), on: reference) }
            let grows = zip(all, all.dropFirst()).allSatisfy { $0.total < $1.total }
            // What is discounted may grow faster for a while.
            return grows && all[0].total > 0 && all[0].balanced < all[4].balanced
                && all.allSatisfy { $0.matched <= $0.inside }
        }
    }

    @Test("a match that is a little off has less, and one beyond the reach none")
    func deviating() throws {
        let reference = Songs.drawn(3)
        func total(_ offset: Double, _ pitch: Double) throws -> Double {
            let alignment = Alignment(offset: offset, speed: 1, pitch: pitch)
            return try evidence(part(reference, 6), on: reference, at: alignment).total
        }
        let exact = try total(0, 0)
        for (near, far) in [((2.0, 0.0), (8.0, 0.0)), ((0, 2), (0, 8)), ((-2, 0), (-8, 0)), ((0, -2), (0, -8))] {
            #expect(try total(near.0, near.1) < exact)
            #expect(try total(far.0, far.1) < total(near.0, near.1))
        }
        #expect(try total(200, 0) < 12)
        #expect(try total(0, 60) < 12)
    }

    @Test("one landmark says no more than five nats, for or against")
    func landmark() throws {
        property("one landmark", rounds: 25) { generator in
            let reference = Songs.drawn(generator.next(), seconds: 4)
            guard let own = reference.landmarks.randomElement(using: &generator) else { return false }
            let foreign = Landmark(
                time: UInt32.random(in: 0..<2_000, using: &generator),
                frequency: UInt16.random(in: 0..<1_920, using: &generator),
                tier: UInt8.random(in: 0..<15, using: &generator)
            )
            let both = try [own, foreign].map { try evidence([$0], on: reference).total }
            return both[0] <= 5 && both.allSatisfy { $0 > -5 && $0 <= 5 }
        }
        // One alone where there is nothing else is as sure as one can be.
        let lone = [Landmark(time: 500, frequency: 900, tier: 0)]
        #expect(abs(try evidence(lone, on: signature(lone)).total - 5) < 0.2)
    }

    @Test("all landmarks of one instant say no more than eight where answers are decided", arguments: [1, 3])
    func instant(strokes: Int) throws {
        // Strokes of twelve landmarks each, far apart on the axis, and far apart in time.
        var drums: [Landmark] = []
        for stroke in 0..<UInt32(strokes) {
            for number in 0..<UInt16(12) {
                drums.append(Landmark(time: 1_600 * stroke + UInt32(number % 2), frequency: 50 + 150 * number, tier: 0))
            }
        }
        let found = try evidence(drums, on: signature(drums))
        #expect(found.total > 12 * Double(strokes))
        #expect(found.restrained <= 8.01 * Double(strokes))
        #expect(found.restrained > 7 * Double(strokes))
        #expect(found.balanced <= found.restrained)
        // The same landmarks spread over the time between are worth all that they say.
        let melody = drums.enumerated().map { Landmark(time: UInt32(100 * $0), frequency: $1.frequency, tier: 0) }
        let spread = try evidence(melody, on: signature(melody))
        #expect(abs(spread.restrained - spread.total) < 0.01)
    }

    @Test("all landmarks of two bins say no more than eighteen together", arguments: [100, 1_500])
    func cell(frequency: Int) throws {
        let tone = (0..<200).map { Landmark(time: UInt32($0 * 40), frequency: UInt16(frequency), tier: 0) }
        let one = try evidence(tone, on: signature(tone))
        #expect(one.total <= 18)
        #expect(one.total > 10)
        #expect(max(one.lower, one.upper) <= 18)
        #expect(one.matched > 100)
        // Two places of the axis say up to twice as much.
        let two = tone.map { Landmark(time: $0.time + 7, frequency: UInt16(frequency + 64), tier: 0) }
        let both = (tone + two).sorted()
        let evidenceOfBoth = try evidence(both, on: signature(both))
        #expect(evidenceOfBoth.total > one.total)
        #expect(evidenceOfBoth.total <= 36)
    }

    @Test("a half of the spectrum is discounted by three fifths, the stronger one")
    func balanced() throws {
        #expect(abs(Evidence(restrained: 20, lower: 15, upper: 5).balanced - 11) < 1e-9)
        #expect(abs(Evidence(restrained: 20, lower: 5, upper: 15).balanced - 11) < 1e-9)
        #expect(abs(Evidence(restrained: -8, lower: -5, upper: -3).balanced + 8) < 1e-9)
        property("halves", rounds: 6) { generator in
            let reference = Songs.drawn(generator.next())
            let lower = reference.landmarks.filter { $0.frequency < 960 }
            let upper = reference.landmarks.filter { $0.frequency >= 960 }
            let low = try evidence(lower, on: reference)
            let high = try evidence(upper, on: reference)
            let whole = try evidence(reference.landmarks, on: reference)
            // A half alone keeps two fifths; a whole keeps what its halves say, about seven tenths.
            return low.upper == 0 && high.lower == 0
                && abs(low.balanced - (low.restrained - 0.6 * low.lower)) < 1e-9 && low.balanced < 0.45 * low.restrained
                && high.balanced < 0.45 * high.restrained && whole.balanced > 0.6 * whole.restrained
        }
    }

    @Test("the part that fits is the part that is the same")
    func span() throws {
        let reference = Songs.drawn(4)
        // Three seconds of other landmarks on either side.
        let query = reference.landmarks.filter { (1_500..<4_500).contains($0.time) }
        let foreign = Songs.drawn(5).landmarks.filter { !(1_500..<4_500).contains($0.time) && $0.time < 6_000 }
        let all = (query + foreign).sorted()
        let segment = try CatalogImage(of: [reference]).segment
        let window = ReferenceWindow(segment, reference: 0, steps: 0..<6_000)
        let density = LandmarkDensity(window)
        let span = Verifier(all).span(on: window, Self.here, density: density, damage: 0)
        #expect(abs(span.lowerBound - 1_500) < 100)
        #expect(abs(span.upperBound - 4_500) < 100)
    }

    @Test("tables of damage hold probabilities", arguments: DamageModel.all.indices)
    func tables(kind: Int) {
        let model = DamageModel.all[kind]
        #expect(model.survival.count == DamageModel.queryTiers)
        for row in model.survival {
            #expect(row.count == DamageModel.referenceTiers)
            #expect(row.allSatisfy { $0 > 0 && $0 < 1 })
            #expect(row.reduce(0, +) < 1)
        }
        let reaches = [DamageModel.timeReach, DamageModel.frequencyReach]
        for (deviation, reach) in zip([model.timeDeviation, model.frequencyDeviation], reaches) {
            #expect(deviation.count == reach + 1)
            #expect(deviation.allSatisfy { $0 > 0 && $0 < 1 })
            #expect(abs(deviation[0] + 2 * deviation.dropFirst().reduce(0, +) - 1) < 0.002)
        }
        // Slight damage keeps landmarks in their tiers.
        #expect(model.survival[0][0] == model.survival[0].max())
        let shared = DamageTables.shared
        #expect(shared.kinds == DamageModel.all.count)
        for tier in 0..<DamageModel.queryTiers {
            let absence = shared.absence[kind * DamageModel.queryTiers + tier]
            #expect(absence > 0 && absence < 1)
            #expect(abs(absence + model.survival[tier].reduce(0, +) - 1) < 1e-12)
        }
        let row = kind * DamageTables.timeCells
        #expect(Array(shared.time[row..<row + DamageTables.timeCells]) == model.timeDeviation)
    }
}
