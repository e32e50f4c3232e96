import EarshotCore
import TestSupport
import Testing

@Suite("Time: sliders")
struct MediaTimeFractionTests {
    @Test("No position within a duration of nothing", .requirements("R-MR-091"))
    func emptyDuration() {
        let time = MediaTime(value: 5, timescale: 600)
        #expect(time.fraction(of: .zero) == nil)
        #expect(time.fraction(of: .indefinite) == nil)
        #expect(time.fraction(of: .positiveInfinity) == nil)
        #expect(MediaTime.invalid.fraction(of: time) == nil)
    }

    @Test("Slider to time and back stays within one unit", .requirements("R-MR-092"))
    func roundTrip() {
        property("slider", rounds: 1000) { generator in
            let scale: Int32 = [600, 44_100, 48_000, 90_000].randomElement(using: &generator) ?? 600
            let duration = MediaTime(value: Int64.random(in: 1...36_000 * 96_000, using: &generator), timescale: scale)
            let slider = Double.random(in: 0...1, using: &generator)
            let time = duration.scaled(byFraction: slider)
            guard time >= .zero, time <= duration, let back = time.fraction(of: duration) else { return false }
            let again = duration.scaled(byFraction: back)
            return abs(back - slider) <= 1 / Double(duration.value) && abs(again.value - time.value) <= 1
        }
    }

    @Test("The ends are exact, ten hours long", .requirements("R-MR-093"))
    func ends() {
        let duration = MediaTime(frames: 36_000 * 44_100, sampleRate: 44_100)
        #expect(duration.scaled(byFraction: 1).value == duration.value)
        #expect(!duration.scaled(byFraction: 1).hasBeenRounded)
        #expect(duration.scaled(byFraction: 0) == .zero)
        #expect(duration.fraction(of: duration) == 1)
        #expect(MediaTime.zero.fraction(of: duration) == 0)
    }

    @Test("Player and item may count in different scales", .requirements("R-MR-094"))
    func differentScales() throws {
        let duration = MediaTime(frames: 180 * 44_100, sampleRate: 44_100)
        let current = MediaTime(value: 45 * 600, timescale: 600)
        #expect(current.fraction(of: duration) == 0.25)
        let target = duration.scaled(byFraction: 0.25).converted(toTimescale: 600)
        #expect(target.value == 27_000)
        let odd = MediaTime(value: 12_345, timescale: 600)
        let position = try #require(odd.fraction(of: duration))
        #expect(abs(duration.scaled(byFraction: position).converted(toTimescale: 600).value - 12_345) <= 1)
    }

    @Test("Halves go away from zero; what was rounded says so")
    func rounding() {
        let three = MediaTime(value: 3, timescale: 1)
        #expect(three.scaled(byFraction: 0.5).value == 2)
        #expect(three.scaled(byFraction: -0.5).value == -2)
        #expect(three.scaled(byFraction: 0.5).hasBeenRounded)
        #expect(three.scaled(byFraction: 2).value == 6)
    }

    @Test("Fractions of any size neither trap nor wrap")
    func anyFraction() {
        let largest = MediaTime(value: .max, timescale: 1)
        #expect(largest.scaled(byFraction: 1).value == .max)
        #expect(largest.scaled(byFraction: 2) == .positiveInfinity)
        #expect(largest.scaled(byFraction: -1e300) == .negativeInfinity)
        #expect(largest.scaled(byFraction: .leastNonzeroMagnitude).value == 0)
        #expect(largest.scaled(byFraction: .nan) == .invalid)
        #expect(MediaTime.zero.scaled(byFraction: 1e308) == .zero)
        #expect(MediaTime.indefinite.scaled(byFraction: 0.5) == .indefinite)
        property("any fraction") { generator in
            let time = generator.numericTime()
            let scaled = time.scaled(byFraction: Double(bitPattern: generator.next()))
            return scaled.isNumeric ? scaled.timescale == time.timescale : !scaled.isIndefinite
        }
    }
}
