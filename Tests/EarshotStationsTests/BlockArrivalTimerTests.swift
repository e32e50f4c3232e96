@testable import EarshotBroadcast
import EarshotCore
import EarshotMusic
@testable import EarshotStations
import Foundation
import TestSupport
import Testing

extension StationRun {
    /// Hears samples that arrive all at once, as a server sends the last seconds when it is connected.
    mutating func receive(_ samples: [Float]) throws {
        let size = StationSound.rate / 10
        for start in stride(from: 0, to: samples.count, by: size) {
            let part = Array(samples[start..<min(samples.count, start + size)])
            let time = MediaTime(seconds: sourceTime, preferredTimescale: Int32(StationSound.rate))
            sourceTime += Double(part.count) / Double(StationSound.rate)
            let block = AudioBlock(AudioBuffer(part, sampleRate: StationSound.rate), at: time)
            take(try tracker.append(block, at: StationSound.instant(now)))
        }
    }
}

@Suite("Audio that a server sends again")
struct BlockArrivalTimerTests {
    @Test("A spot that comes again in the first seconds of a connection is one play")
    func spot() throws {
        var run = StationRun(try StationSound.tracker(.spots))
        let programme =
            StationSound.song("birch", 0..<20) + StationSound.song("chime") + StationSound.song("amber", 0..<60)
        let (rate, lost) = (StationSound.rate, 33)
        // Three seconds behind the chime it breaks off for two, and comes back with the last sixteen.
        try run.play(Array(programme[..<(lost * rate)]))
        try run.lose(for: 2)
        try run.receive(Array(programme[((lost + 2 - 16) * rate)..<((lost + 2) * rate)]))
        try run.play(Array(programme[((lost + 2) * rate)...]))
        try run.finish()
        #expect(run.names == ["birch", "chime", "amber"])
        let expected = [(0.0, 20.0), (20, 30), (30, 90)]
        for (span, truth) in zip(run.spans, expected) {
            #expect(abs(span.0 - truth.0) < 1.5 && abs(span.1 - truth.1) < 1.5, "\(span) and not \(truth)")
        }
        // What was missed came with what was sent at once.
        #expect(run.records.map { $0.state } == [.final, .final, .final])
        #expect((run.records.last?.playedDuration ?? 0) > 57)
    }

    @Test("A song goes on where it is, whatever a server sends at once", arguments: [0.0, 4, 16])
    func song(burst: Double) throws {
        var run = StationRun(try StationSound.tracker())
        let rate = StationSound.rate
        try run.play(StationSound.song("amber", 0..<30))
        try run.lose(for: 8)
        // From the live edge at 38 s back.
        let begin = Int((38 - burst) * Double(rate))
        try run.receive(Array(StationSound.song("amber")[begin..<(38 * rate)]))
        try run.play(StationSound.song("amber", 38..<80))
        try run.finish()
        #expect(run.names == ["amber"])
        let span = try #require(run.spans.first)
        #expect(abs(span.0) < 1.5 && abs(span.1 - 80) < 1.5, "\(span)")
        // Of eight seconds it was not connected for, some were sent again.
        let missed = max(0, 8 - burst)
        #expect(abs((run.records.first?.playedDuration ?? 0) - (80 - missed)) < 2.5)
        #expect(run.gaps.compactMap(\.end).isEmpty == false)
    }

    @Test("A source that connects again by itself goes on the same way", arguments: [0.0, 4, 12])
    func within(burst: Double) throws {
        var run = StationRun(try StationSound.tracker(.spots))
        let programme =
            StationSound.song("birch", 0..<20) + StationSound.song("chime") + StationSound.song("amber", 0..<60)
        let rate = StationSound.rate
        try run.play(Array(programme[..<(33 * rate)]))
        // It says by its times that eight seconds were missed, and then sends what lies before the 41st second too.
        (run.now, run.sourceTime) = (run.now + 8, run.sourceTime + 8)
        let begin = Int((41 - burst) * Double(rate))
        try run.receive(Array(programme[begin..<(41 * rate)]))
        try run.play(Array(programme[(41 * rate)...]))
        try run.finish()
        #expect(run.names == ["birch", "chime", "amber"])
        for (span, truth) in zip(run.spans, [(0.0, 20.0), (20, 30), (30, 90)]) {
            #expect(abs(span.0 - truth.0) < 1.5 && abs(span.1 - truth.1) < 1.5, "\(span) and not \(truth)")
        }
        let missed = max(0, 8 - burst)
        #expect(abs((run.records.last?.playedDuration ?? 0) - (60 - missed)) < 2.5)
        // A gap is told with the time that was truly missed.
        let lengths = run.gaps.compactMap { gap in gap.end.map { $0.timeIntervalSince(gap.start) } }
        #expect(missed == 0 ? lengths.isEmpty : lengths.count == 1 && abs(lengths[0] - missed) < 0.6)
    }

    @Test(
        "A server that sends several seconds at a time, and begins three such pieces back, has each spot logged once",
        arguments: [(21.0, 4.0), (25, 6), (28, 2), (31, 9), (33, 5), (39, 14)]
    )
    func pieces(broken: Double, missed: Double) throws {
        var run = StationRun(try StationSound.tracker(.spots))
        let programme =
            StationSound.song("birch", 0..<20) + StationSound.song("chime") + StationSound.song("amber", 0..<70)
        let (rate, length) = (StationSound.rate, 6)
        func piece(_ number: Int) -> [Float] {
            Array(programme[number * length * rate..<min(programme.count, (number + 1) * length * rate)])
        }
        let count = programme.count / rate / length
        // A piece is there when it is over.
        var next = 0
        while Double((next + 1) * length) <= broken {
            run.now = Double((next + 1) * length)
            try run.receive(piece(next))
            next += 1
        }
        run.now = broken
        run.take(try run.tracker.lost(at: StationSound.instant(run.now)))
        (run.now, run.sourceTime) = (broken + missed, 0)
        let ready = Int(run.now) / length
        for number in max(0, ready - 3)..<ready { try run.receive(piece(number)) }
        for number in ready..<count {
            run.now = Double((number + 1) * length)
            try run.receive(piece(number))
        }
        try run.finish()
        #expect(run.names == ["birch", "chime", "amber"], "\(run.spans)")
        #expect(run.records.allSatisfy { $0.end.timeIntervalSince($0.start) > 5 }, "\(run.spans)")
    }

    @Test("What is sent at once at the very beginning is dated back")
    func beginning() throws {
        var run = StationRun(try StationSound.tracker())
        let song = StationSound.song("amber")
        run.now = 100
        try run.receive(Array(song[..<(16 * StationSound.rate)]))
        try run.play(Array(song[(16 * StationSound.rate)...]))
        try run.finish()
        let span = try #require(run.spans.first)
        #expect(abs(span.0 - 84) < 1.5 && abs(span.1 - 164) < 1.5, "\(span)")
    }

    @Test("How much was sent at once follows from what came and how long that took")
    func surplus() {
        func arrival(_ blocks: [(length: Double, at: Double)]) -> (BlockArrivalTimer, Int?) {
            var arrival = BlockArrivalTimer()
            var known: Int?
            for (index, block) in blocks.enumerated() {
                let samples = [Float](repeating: 0, count: Int(block.length * 16_000))
                let audio = AudioBlock(AudioBuffer(samples, sampleRate: 16_000), at: .zero)
                if arrival.append(audio, at: StationSound.instant(block.at)), known == nil { known = index }
            }
            return (arrival, known)
        }
        let (burst, when) = arrival([(0.5, 10), (0.5, 10), (3, 10.1), (0.5, 10.6), (0.5, 11.1), (0.5, 11.6)])
        #expect(when == 5)
        // 5.5 s came in 1.6 s, the first half second of which had gone by before.
        #expect(abs(burst.surplus - 3.4) < 1e-9)
        #expect(arrival([(0.5, 10), (0.5, 10.5), (0.5, 11), (0.5, 11.5)]).0.surplus == 0)
        var rest = burst
        rest.drop(1)
        #expect(rest.blocks.count == 4)
        rest.drop(1_000)
        #expect(rest.blocks.count == 1)
    }
}
