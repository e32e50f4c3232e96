import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Slices of a signature")
struct SliceTests {
    private static let whole = Signature.random(seed: 51, seconds: 60)

    private func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

    @Test("A minute in pieces of 12 s every 6 s makes nine", .requirements("R-CC-013"))
    func nine() {
        let slices = Array(Self.whole.slices(duration: seconds(12), stride: seconds(6)))
        #expect(slices.count == 9)
        #expect(slices.map(\.offset) == (0..<9).map { seconds($0 * 6) })
        #expect(slices.allSatisfy { $0.signature.duration == seconds(12) })
    }

    @Test("Without a stride the pieces follow each other")
    func noStride() {
        #expect(Self.whole.slices(duration: seconds(7)).map(\.offset) == (0..<8).map { seconds($0 * 7) })
        #expect(Array(Self.whole.slices(duration: seconds(60))).map(\.signature) == [Self.whole])
        #expect(Array(Self.whole.slices(duration: seconds(61))).isEmpty)
    }

    @Test("A slice's landmarks are those of the whole, moved")
    func moved() {
        property("moved", rounds: 60) { generator in
            let start = MediaTime(value: Int64.random(in: 0...3_000_000, using: &generator), timescale: 44_100)
            let length = MediaTime(value: Int64.random(in: 0...700_000, using: &generator), timescale: 44_100)
            let slice = Self.whole.slice(from: start, duration: length)
            let first = (start.seconds * 500).rounded(.toNearestOrAwayFromZero)
            let end = min(slice.offset + slice.signature.duration, Self.whole.duration)
            let expected = Self.whole.landmarks.filter {
                Double($0.time) >= first && Double($0.time) < (end.seconds * 500).rounded(.toNearestOrAwayFromZero)
            }
            let found = slice.signature.landmarks.map {
                Landmark(time: $0.time + UInt32(first), frequency: $0.frequency, tier: $0.tier)
            }
            return found == expected && slice.offset == MediaTime(value: Int64(first), timescale: 500)
                && slice.signature.configuration == .standard
        }
    }

    @Test("Pieces are whole, wherever their starts fall")
    func equalDurations() {
        let odd = Signature(
            configuration: .standard,
            duration: MediaTime(value: 1_310_720, timescale: 393_216),
            landmarks: []
        )
        let second = seconds(1)
        let slices = Array(odd.slices(duration: second, stride: MediaTime(value: 7, timescale: 3)))
        #expect(slices.map(\.signature.duration) == [second, second])
    }

    @Test("Starts are brought to multiples of 2 ms")
    func rounding() {
        #expect(Self.whole.slice(from: MediaTime(value: 1, timescale: 3), duration: seconds(1)).offset.value == 167)
        let slices = Self.whole.slices(duration: seconds(1), stride: MediaTime(value: 1, timescale: 7))
        for (index, slice) in slices.enumerated() {
            let exact = Double(index) / 7
            #expect((0..<0.002).contains(exact - slice.offset.seconds))
            #expect(slice.offset.timescale == 500)
        }
    }

    @Test("What lies outside the audio is left out")
    func outside() {
        let head = Self.whole.slice(from: seconds(-2), duration: seconds(5))
        #expect(head.offset == .zero)
        #expect(head.signature.duration == seconds(3))
        #expect(head.signature.landmarks == Self.whole.landmarks.filter { $0.time < 1_500 })
        let tail = Self.whole.slice(from: seconds(58), duration: seconds(5))
        #expect(tail.signature.duration == seconds(2))
        #expect(!tail.signature.isEmpty)
        let rest = Self.whole.slice(from: seconds(58), duration: .positiveInfinity)
        #expect(rest == tail)
        for start in [-9, 60, 61, 1_000_000_000_000] as [Int64] {
            let nothing = Self.whole.slice(from: seconds(start), duration: seconds(5)).signature
            #expect(nothing.isEmpty)
            #expect(nothing.duration == .zero)
        }
    }

    @Test("Parameters without sense give nothing and never hang")
    func senseless() {
        let senseless: [MediaTime] = [
            .zero, seconds(-1), .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
        ]
        for time in senseless {
            #expect(Array(Self.whole.slices(duration: time)).isEmpty)
            #expect(Array(Self.whole.slices(duration: seconds(1), stride: time)).isEmpty)
            if !time.isNumeric {
                let slice = Self.whole.slice(from: time, duration: seconds(1))
                #expect(slice.signature.isEmpty)
                #expect(slice.signature.duration == .zero)
            }
            if time != .positiveInfinity {
                #expect(Self.whole.slice(from: seconds(1), duration: time).signature.isEmpty)
            }
        }
        let huge = MediaTime(value: .max, timescale: 1)
        #expect(Array(Self.whole.slices(duration: seconds(1), stride: huge)).count == 1)
        #expect(Self.whole.slice(from: huge, duration: huge).signature.isEmpty)
    }

    @Test("A copy with the strongest landmarks only keeps the lower tiers")
    func thinned() {
        let thin = Self.whole.thinned(to: 16)
        #expect(thin.landmarks == Self.whole.landmarks.filter { $0.tier < 2 })
        #expect(thin.duration == Self.whole.duration)
        #expect(Self.whole.thinned(to: 128) == Self.whole)
    }
}
