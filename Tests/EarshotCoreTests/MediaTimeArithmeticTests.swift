import EarshotCore
import TestSupport
import Testing

@Suite("Time: arithmetic and order")
struct MediaTimeArithmeticTests {
    private static let special: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]

    @Test("Comparison across scales is exact", .requirements("R-MR-088"))
    func comparison() {
        let two = MediaTime(value: 2, timescale: 600)
        #expect(MediaTime(value: 147, timescale: 44_100) == two)
        #expect(MediaTime(value: 148, timescale: 44_100) > two)
        #expect(MediaTime(value: 146, timescale: 44_100) < two)
        // Doubles could not tell these apart.
        let large = MediaTime(value: .max, timescale: .max)
        #expect(large > MediaTime(value: .max - 1, timescale: .max))
    }

    @Test("Order: minus infinity, numbers, plus infinity, unknown, invalid")
    func order() {
        let times: [MediaTime] = [.invalid, .zero, .positiveInfinity, .indefinite, .negativeInfinity]
        #expect(times.sorted() == [.negativeInfinity, .zero, .positiveInfinity, .indefinite, .invalid])
    }

    @Test("Scales meet at their least common multiple")
    func commonScale() {
        let sum = MediaTime(value: 1, timescale: 600) + MediaTime(value: 1, timescale: 44_100)
        #expect(sum.timescale == 88_200)
        #expect(sum.value == 149)
        #expect(!sum.hasBeenRounded)
    }

    @Test("Scales without a common multiple in 32 bits round, and say so")
    func distantScales() {
        let sum = MediaTime(value: 1, timescale: 2_147_483_647) + MediaTime(value: 1, timescale: 2_147_483_646)
        #expect(sum.timescale == 2_147_483_647)
        #expect(sum.value == 2)
        #expect(sum.hasBeenRounded)
        let exact = MediaTime(value: 0, timescale: 2_147_483_646) + MediaTime(value: 5, timescale: 2_147_483_647)
        #expect(exact.value == 5)
        #expect(!exact.hasBeenRounded)
    }

    @Test("Infinities and the rest, added")
    func addingSpecialTimes() {
        let second = MediaTime(value: 1, timescale: 1)
        for time in Self.special {
            #expect(time + second == time)
            #expect(second + time == time)
            #expect(time + .invalid == .invalid)
        }
        #expect(MediaTime.positiveInfinity + .negativeInfinity == .invalid)
        #expect(MediaTime.positiveInfinity - .positiveInfinity == .invalid)
        #expect(MediaTime.positiveInfinity + .positiveInfinity == .positiveInfinity)
        #expect(MediaTime.indefinite + .positiveInfinity == .indefinite)
        #expect(second - .positiveInfinity == .negativeInfinity)
        #expect(MediaTime.positiveInfinity * 0 == .invalid)
        #expect(MediaTime.positiveInfinity * -3 == .negativeInfinity)
        #expect(MediaTime.indefinite * 2 == .indefinite)
    }

    @Test("Properties that say what a time is")
    func states() {
        #expect(MediaTime.zero.isNumeric && MediaTime.zero.isValid && !MediaTime.zero.isIndefinite)
        #expect(!MediaTime.invalid.isValid)
        #expect(MediaTime.indefinite.isIndefinite && MediaTime.indefinite.isValid)
        #expect(Self.special.allSatisfy { !$0.isNumeric })
        #expect(MediaTime.invalid.seconds.isNaN && MediaTime.indefinite.seconds.isNaN)
        #expect(MediaTime.positiveInfinity.seconds == .infinity)
        #expect(MediaTime.negativeInfinity.seconds == -.infinity)
    }

    @Test("From seconds: to the nearest unit, halves away from zero")
    func fromSeconds() {
        #expect(MediaTime(seconds: 1.5, preferredTimescale: 1).value == 2)
        #expect(MediaTime(seconds: -1.5, preferredTimescale: 1).value == -2)
        #expect(MediaTime(seconds: 1.5, preferredTimescale: 1).hasBeenRounded)
        #expect(MediaTime(seconds: 0.25) == MediaTime(value: 22_500, timescale: 90_000))
        #expect(MediaTime(seconds: .nan) == .invalid)
        #expect(MediaTime(seconds: 1, preferredTimescale: 0) == .invalid)
        #expect(MediaTime(seconds: .infinity) == .positiveInfinity)
        #expect(MediaTime(seconds: -1e300) == .negativeInfinity)
        #expect(MediaTime(seconds: 0x1p63, preferredTimescale: 1) == .positiveInfinity)
        #expect(MediaTime(seconds: -0x1p63, preferredTimescale: 1).value == .min)
    }

    @Test("Addition commutes, associates and has inverses while nothing is rounded")
    func additionLaws() {
        property("addition") { generator in
            let (a, b, c) = (generator.smallTime(), generator.smallTime(), generator.smallTime())
            let sum = a + b
            let commutes = sum == b + a
            let associates = (a + b) + c == a + (b + c)
            let inverse = a - a == .zero && sum - b == a && -(-a) == a
            let neutral = a + .zero == a
            var inPlace = a
            inPlace += b
            inPlace -= b
            return commutes && associates && inverse && neutral && inPlace == a && !sum.hasBeenRounded
        }
    }

    @Test("Multiplication is repeated addition and distributes")
    func multiplicationLaws() {
        property("multiplication") { generator in
            let (a, b) = (generator.smallTime(), generator.smallTime())
            let (n, m) = (Int64.random(in: -40...40, using: &generator), Int64.random(in: -40...40, using: &generator))
            var repeated = MediaTime.zero
            for _ in 0..<abs(n) { repeated += a }
            return (n < 0 ? -repeated : repeated) == a * n && (a + b) * n == a * n + b * n
                && a * n + a * m == a * (n + m)
        }
    }

    @Test("Any two times can be added; the sum is near, an infinity, or exact")
    func additionNeverWraps() {
        property("sums of any size") { generator in
            let (a, b) = (generator.numericTime(), generator.numericTime())
            let sum = a + b
            guard sum.isNumeric else {
                // Too large for 64 bits at the common scale; the sign is that of the sum.
                return sum == (a < -b ? .negativeInfinity : .positiveInfinity) && abs(a.seconds + b.seconds) >= 0x1p31
            }
            if a.value >= 0, b.value >= 0 { return sum.value >= 0 }
            if a.value <= 0, b.value <= 0 { return sum.value <= 0 }
            return true
        }
    }

    @Test("Order is total, and equal times hash equally", .requirements("R-MR-088"))
    func orderLaws() {
        property("order") { generator in
            let a = generator.anyTime()
            let b = Bool.random(using: &generator) ? generator.anyTime() : generator.same(as: a)
            let c = generator.anyTime()
            let one = [a < b, a == b, a > b].filter(\.self).count == 1
            let transitive = !(a < b && b < c) || a < c
            let hashes = a != b || a.hashValue == b.hashValue
            return one && transitive && hashes
        }
    }
}
