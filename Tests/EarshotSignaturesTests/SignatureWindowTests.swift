import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("The signature of a stream that never ends")
struct SignatureWindowTests {
    private static let rate = 8_000
    private static let samples = SyntheticMusic(seed: 31, duration: 12).samples(sampleRate: rate)
    private static let second = MediaTime(value: 1, timescale: 1)

    /// A tail at every stride of a stream that is cut at random.
    private func tails(
        _ window: SignatureWindow,
        lengths: () -> Int
    ) throws -> [(end: MediaTime, start: MediaTime, signature: Signature)] {
        var window = window
        var tails: [(MediaTime, MediaTime, Signature)] = []
        var place = 0
        while place < Self.samples.count {
            let length = min(lengths(), Self.samples.count - place)
            let buffer = AudioBuffer(Array(Self.samples[place..<place + length]), sampleRate: Self.rate)
            place += length
            var first = 0
            repeat {
                let part = window.part(of: buffer, from: first)
                try window.append(part)
                first += part.frameCount
                if window.completesStride() {
                    let tail = window.tail(MediaTime(value: 3, timescale: 1))
                    window.forget(before: tail.start)
                    tails.append((window.end, tail.start, tail.signature))
                }
            } while first < buffer.frameCount
        }
        return tails
    }

    @Test("Landmarks are the same however the audio is cut")
    func cutting() throws {
        let window = SignatureWindow(from: .seconds(100), stride: MediaTime(value: 1, timescale: 4))
        let whole = try tails(window) { Self.samples.count }
        #expect(whole.count == 48)
        #expect(whole.last?.end == .seconds(112) && whole.last?.start == .seconds(109))
        #expect(whole.allSatisfy { !$0.signature.isEmpty || $0.end < .seconds(101) })
        property("cut of a window", rounds: 5) { generator in
            let cut = try tails(window) { Int.random(in: 1...4_000, using: &generator) }
            return zip(cut, whole).allSatisfy { $0 == $1 } && cut.count == whole.count
        }
    }

    @Test("A tail has the landmarks of the whole, on the stream's timeline")
    func tail() throws {
        let last = try #require(try tails(SignatureWindow(stride: Self.second)) { 1_000 }.last)
        let whole = try Signature.of(Self.samples, sampleRate: Self.rate)
        let slice = whole.slice(from: last.start, duration: MediaTime(value: 3, timescale: 1))
        #expect(last.signature == slice.signature)
    }

    @Test("A stride that is no whole number of frames does not drift")
    func drift() throws {
        var window = SignatureWindow(stride: MediaTime(value: 1, timescale: 7))
        let buffer = AudioBuffer([Int16](repeating: 0, count: 8_000), sampleRate: 8_000)
        var ends: [MediaTime] = []
        var first = 0
        repeat {
            let part = window.part(of: buffer, from: first)
            try window.append(part)
            first += part.frameCount
            if window.completesStride() { ends.append(window.end) }
        } while first < buffer.frameCount
        #expect(
            ends == [1_143, 2_286, 3_429, 4_572, 5_715, 6_858, 8_000].map { MediaTime(value: $0, timescale: 8_000) }
        )
    }

    @Test("A window expires at the end of its life and goes on when it is renewed")
    func life() throws {
        var window = SignatureWindow(stride: Self.second, life: MediaTime(value: 5, timescale: 1))
        var renewals: [MediaTime] = []
        for second in 0..<12 {
            let range = second * Self.rate..<(second + 1) * Self.rate
            try window.append(AudioBuffer(Array(Self.samples[range]), sampleRate: Self.rate))
            let isComplete = window.completesStride()
            #expect(isComplete)
            if window.isExpired {
                window.restart(at: window.end)
                renewals.append(window.origin)
                #expect(window.duration == .zero && window.signature().isEmpty)
            }
        }
        #expect(renewals == [.seconds(6), .seconds(12)])
        #expect(window.end == .seconds(12))
    }

    @Test("After a gap the times go on behind it, and nothing from before it is left")
    func gap() throws {
        var window = SignatureWindow(stride: MediaTime(value: 1, timescale: 4))
        let half = Self.samples.count / 2
        try window.append(AudioBuffer(Array(Self.samples[..<half]), sampleRate: Self.rate))
        window.restart(at: window.end + .seconds(30))
        #expect(window.origin == .seconds(36) && window.end == .seconds(36))
        let isComplete = window.completesStride()
        #expect(window.signature().isEmpty && !isComplete)
        let rest = AudioBuffer(Array(Self.samples[half...]), sampleRate: Self.rate)
        #expect(window.part(of: rest, from: 0).frameCount == 2_000)
        try window.append(rest)
        let tail = window.tail(.seconds(60))
        #expect(tail.start == .seconds(36))
        #expect(tail.signature == (try Signature.of(Array(Self.samples[half...]), sampleRate: Self.rate)))
        window.restart(at: .positiveInfinity)
        #expect(window.origin == .seconds(42))
    }
}

extension MediaTime {
    fileprivate static func seconds(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }
}
