import EarshotCore
import TestSupport
import Testing

@Suite("Time: conversion between scales")
struct MediaTimeConversionTests {
    /// One conversion with what each of the five plain methods must give.
    struct Vector: CustomTestStringConvertible {
        let value: Int64
        let scale: Int32
        let target: Int32
        let halfAwayFromZero: Int64
        let towardZero: Int64
        let awayFromZero: Int64
        let towardPositiveInfinity: Int64
        let towardNegativeInfinity: Int64

        init(_ value: Int64, at scale: Int32, to target: Int32, _ results: (Int64, Int64, Int64, Int64, Int64)) {
            self.value = value
            self.scale = scale
            self.target = target
            (halfAwayFromZero, towardZero, awayFromZero, towardPositiveInfinity, towardNegativeInfinity) = results
        }

        var testDescription: String { "\(value)/\(scale) at \(target)" }

        func expected(_ rounding: MediaTime.Rounding) -> Int64 {
            switch rounding {
            case .halfAwayFromZero: halfAwayFromZero
            case .towardZero: towardZero
            case .awayFromZero: awayFromZero
            case .towardPositiveInfinity: towardPositiveInfinity
            case .towardNegativeInfinity: towardNegativeInfinity
            // Toward zero going down, away from zero going up, and nothing negative becomes zero.
            case .legacy: target > scale || (value < 0 && towardZero == 0) ? awayFromZero : towardZero
            }
        }

        static let all = [
            Vector(1, at: 600, to: 44_100, (74, 73, 74, 74, 73)),
            Vector(-1, at: 600, to: 44_100, (-74, -73, -74, -73, -74)),
            Vector(147, at: 44_100, to: 600, (2, 2, 2, 2, 2)),
            Vector(1, at: 44_100, to: 600, (0, 0, 1, 1, 0)),
            Vector(-1, at: 44_100, to: 600, (0, 0, -1, 0, -1)),
            Vector(37, at: 44_100, to: 600, (1, 0, 1, 1, 0)),
            Vector(1001, at: 30_000, to: 600, (20, 20, 21, 21, 20)),
            Vector(1024, at: 48_000, to: 44_100, (941, 940, 941, 941, 940)),
            Vector(12_345_678, at: 44_100, to: 600, (167_968, 167_968, 167_969, 167_969, 167_968)),
            Vector(7_938_000, at: 44_100, to: 600, (108_000, 108_000, 108_000, 108_000, 108_000)),
        ]
    }

    @Test(
        "Every vector under every method",
        .requirements("R-MR-084"),
        arguments: Vector.all,
        MediaTime.Rounding.allCases
    )
    func vector(_ vector: Vector, rounding: MediaTime.Rounding) {
        let time = MediaTime(value: vector.value, timescale: vector.scale)
        let converted = time.converted(toTimescale: vector.target, rounding: rounding)
        #expect(converted.value == vector.expected(rounding))
        #expect(converted.timescale == vector.target)
    }

    @Test("Half away from zero is the default", .requirements("R-MR-084"), arguments: Vector.all)
    func defaultMethod(_ vector: Vector) {
        let time = MediaTime(value: vector.value, timescale: vector.scale)
        #expect(time.converted(toTimescale: vector.target).value == vector.halfAwayFromZero)
    }

    @Test("The older method: down toward zero, up away from it, never from negative to zero", .requirements("R-MR-085"))
    func legacyMethod() {
        func legacy(_ value: Int64, _ scale: Int32, _ target: Int32) -> Int64 {
            MediaTime(value: value, timescale: scale).converted(toTimescale: target, rounding: .legacy).value
        }
        #expect(legacy(-1, 44_100, 600) == -1)
        #expect(legacy(1, 44_100, 600) == 0)
        #expect(legacy(881, 44_100, 600) == 11)
        #expect(legacy(-881, 44_100, 600) == -11)
        #expect(legacy(1, 600, 44_100) == 74)
        #expect(legacy(-1, 600, 44_100) == -74)
    }

    @Test("One unit at 44,100 is one sample", .requirements("R-MR-082"))
    func valueOverScale() {
        let sample = MediaTime(value: 1, timescale: 44_100)
        #expect(sample == MediaTime(frames: 1, sampleRate: 44_100))
        #expect(sample * 44_100 == MediaTime(value: 1, timescale: 1))
        #expect(sample.seconds == 1.0 / 44_100)
    }

    @Test("Frames of film, PAL and 30 Hz video are whole units at 600", .requirements("R-MR-083"))
    func framesAt600() {
        for (rate, units) in [(Int32(24), Int64(25)), (25, 24), (30, 20)] {
            let frame = MediaTime(value: 1, timescale: rate).converted(toTimescale: 600)
            #expect(frame.value == units)
            #expect(!frame.hasBeenRounded)
        }
    }

    @Test("29.97 frames a second are exact at 30,000", .requirements("R-MR-096"))
    func ntscFrames() {
        let frame = MediaTime(value: 1001, timescale: 30_000)
        let hour = frame * 107_892
        #expect(hour.value == 107_999_892)
        #expect(hour == MediaTime(value: 35_999_964, timescale: 10_000))
        #expect(hour.seconds == 3599.9964)
        #expect(!hour.hasBeenRounded)
        #expect(frame.converted(toTimescale: 600).hasBeenRounded)
    }

    @Test("What was rounded says so, and goes on saying so", .requirements("R-MR-086"))
    func flag() {
        let rounded = MediaTime(value: 1, timescale: 44_100).converted(toTimescale: 600)
        #expect(rounded.hasBeenRounded)
        #expect(!MediaTime(value: 147, timescale: 44_100).converted(toTimescale: 600).hasBeenRounded)
        #expect(rounded.converted(toTimescale: 1200).hasBeenRounded)
        #expect((rounded + MediaTime(value: 1, timescale: 600)).hasBeenRounded)
        #expect((rounded * 2).hasBeenRounded)
        #expect((-rounded).hasBeenRounded)
    }

    @Test("What is too large becomes an infinity of its sign", .requirements("R-MR-087"))
    func overflow() {
        let largest = MediaTime(value: .max, timescale: 1)
        let smallest = MediaTime(value: .min, timescale: 1)
        #expect(largest.converted(toTimescale: 2) == .positiveInfinity)
        #expect(smallest.converted(toTimescale: .max) == .negativeInfinity)
        #expect(largest + MediaTime(value: 1, timescale: 1) == .positiveInfinity)
        #expect(smallest - MediaTime(value: 1, timescale: 1) == .negativeInfinity)
        #expect(-smallest == .positiveInfinity)
        #expect(largest * -2 == .negativeInfinity)
        #expect(largest.converted(toTimescale: 1) == largest)
    }

    @Test("A scale below one is senseless; what is no number stays as it is")
    func notNumeric() {
        let second = MediaTime(value: 1, timescale: 1)
        #expect(second.converted(toTimescale: 0) == .invalid)
        #expect(second.converted(toTimescale: -600) == .invalid)
        #expect(MediaTime(value: 1, timescale: 0) == .invalid)
        for time in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
            #expect(time.converted(toTimescale: 600) == time)
        }
    }

    @Test("A sample ten hours in keeps its place", .requirements("R-MR-093"))
    func tenHours() {
        let frames: Int64 = 36_000 * 44_100
        let time = MediaTime(frames: frames + 1, sampleRate: 44_100)
        let whole = MediaTime(frames: frames, sampleRate: 44_100)
        #expect(time != whole)
        #expect((time - whole).value == 1)
        #expect(MediaTime(seconds: time.seconds, preferredTimescale: 44_100) == time)
    }

    @Test("Every method stays within one unit, and is exact where it can be")
    func conversionLaws() {
        property("conversion") { generator in
            let time = generator.numericTime()
            let target = Int32.random(in: 1...Int32.max, using: &generator)
            return MediaTime.Rounding.allCases.allSatisfy { rounding in
                let converted = time.converted(toTimescale: target, rounding: rounding)
                guard converted.isNumeric else {
                    return converted == (time.value < 0 ? .negativeInfinity : .positiveInfinity)
                }
                guard converted.hasBeenRounded else { return converted == time }
                let unit = MediaTime(value: 1, timescale: target)
                let (below, above) = (converted - unit, converted + unit)
                return below < time && time < above && converted != time
            }
        }
    }

    @Test("Toward either infinity encloses the time; toward zero and away from it mirror in the sign")
    func directions() {
        property("directions") { generator in
            let time = generator.numericTime()
            let target = Int32.random(in: 1...1_000_000, using: &generator)
            func to(_ rounding: MediaTime.Rounding, _ time: MediaTime) -> MediaTime {
                time.converted(toTimescale: target, rounding: rounding)
            }
            guard to(.awayFromZero, time).isNumeric, to(.awayFromZero, -time).isNumeric else { return true }
            let ordered = to(.towardNegativeInfinity, time) <= time && time <= to(.towardPositiveInfinity, time)
            let mirrored =
                to(.towardZero, -time) == -to(.towardZero, time)
                && to(.awayFromZero, -time) == -to(.awayFromZero, time)
                && to(.halfAwayFromZero, -time) == -to(.halfAwayFromZero, time)
            return ordered && mirrored
        }
    }
}
