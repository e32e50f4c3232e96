import EarshotCore
@testable import EarshotStations
import Testing

@Suite("Silence of a source")
struct SilenceDetectorTests {
    private var detector = SilenceDetector()
    private var now = 0.0

    /// Asks the detector, so many seconds behind now.
    private mutating func silence(after seconds: Double) -> Double? { detector.check(at: time(now + seconds)) }

    private func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000_000) }

    /// Gives audio, a block after each interval.
    private mutating func send(_ count: Int, blocks length: Double = 0.1, every interval: Double = 0.1) {
        for _ in 0..<count {
            detector.waits(at: time(now))
            now += interval
            _ = detector.received(length, at: time(now))
        }
        detector.waits(at: time(now))
    }

    @Test("is lost four seconds after the last audio, and that is told once")
    mutating func lost() {
        #expect(!detector.isLive && detector.deadline == nil)
        send(100)
        #expect(detector.isLive && detector.deadline == time(now + 4))
        let early = silence(after: 3.9)
        #expect(early == nil && detector.isLive)
        let silent = silence(after: 4)
        #expect(silent.map { abs($0 - 4) < 0.001 } == true)
        #expect(!detector.isLive && detector.deadline == nil)
        let again = silence(after: 60)
        #expect(again == nil)
    }

    @Test("is live again with the next audio")
    mutating func restored() {
        detector.waits(at: time(0))
        let first = detector.received(0.1, at: time(1))
        let second = detector.received(0.1, at: time(1.1))
        #expect(first && !second)
        detector.waits(at: time(1.1))
        let silent = silence(after: 6)
        let third = detector.received(0.1, at: time(7))
        #expect(silent != nil && third && detector.isLive)
    }

    @Test("is not lost while audio is processed")
    mutating func busy() {
        send(50)
        _ = detector.received(0.1, at: time(now + 0.1))
        // The machine is slow: nothing is waited for.
        let silent = silence(after: 100)
        #expect(detector.deadline == nil && silent == nil)
        detector.waits(at: time(now + 100))
        #expect(detector.deadline == time(now + 104))
    }

    @Test("a server that sends pieces of several seconds is not lost between two of them")
    mutating func pieces() {
        for length in [2.0, 4, 6, 10] {
            detector.disconnected()
            // Three pieces at once, as players of HLS begin, and then one after the other, each up to half a piece late.
            send(30, blocks: length / 10, every: 0.01)
            for _ in 0..<5 {
                let pause = 1.5 * length
                let between = silence(after: pause)
                #expect(between == nil, "pieces of \(length) s")
                now += pause
                send(10, blocks: length / 10, every: 0.01)
            }
            // And when no more come, that is noticed.
            let end = silence(after: 4 + 6 * length)
            #expect(end != nil, "pieces of \(length) s")
        }
    }

    @Test("a burst at the begin of a connection does not delay the loss for longer than it lasts")
    mutating func burst() {
        send(40, every: 0.001)
        #expect(detector.deadline.map { $0 > time(now + 4) } == true)
        send(60)
        #expect(detector.deadline == time(now + 4))
    }

    @Test("nothing is lost before the first audio and behind the end of a connection")
    mutating func disconnected() {
        detector.waits(at: time(0))
        let before = silence(after: 100)
        send(10)
        detector.disconnected()
        let behind = silence(after: 100)
        #expect(before == nil && behind == nil && !detector.isLive)
    }
}
