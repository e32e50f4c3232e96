import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotStations
import Foundation
import TestSupport
import Testing

@Suite("Station trackers")
struct StationTrackerTests {
    private func isNear(_ span: (Double, Double), _ low: Double, _ high: Double, within tolerance: Double = 0.5) -> Bool
    {
        abs(span.0 - low) < tolerance && abs(span.1 - high) < tolerance
    }

    @Test("Two songs that fade into each other are two records with what is known of them")
    func crossfade() throws {
        var run = StationRun(try StationSound.tracker())
        let mix = StationSound.crossfade(StationSound.song("amber"), StationSound.song("birch"), seconds: 4)
        try run.play(StationSound.silence(5) + mix + StationSound.silence(5))
        #expect(run.names.first == "amber")
        try run.finish()
        #expect(run.names == ["amber", "birch"])
        #expect(run.records.allSatisfy { $0.state == .final && $0.endReason == .ended })
        try #require(run.spans.count == 2)
        #expect(isNear(run.spans[0], 5, 85, within: 3.5) && isNear(run.spans[1], 81, 161, within: 3.5))
        let amber = run.records[0]
        #expect(amber.title == "Amber" && amber.artist == "The Tin Foxes" && amber.label == "Rail")
        #expect(amber.callerRef == "A-1" && amber.kind == .song && amber.channel == StationSound.channel)
        let news = run.outputs.compactMap { output -> String? in
            switch output {
            case .playStarted(let record): "+" + (record.referenceID?.rawValue ?? "")
            case .playEnded(let record): "-" + (record.referenceID?.rawValue ?? "")
            default: nil
            }
        }
        #expect(news.sorted() == ["+amber", "+birch", "-amber", "-birch"])
    }

    @Test("A song that is played to its end and begins anew is two plays; one that jumps is one")
    func again() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber") + StationSound.song("amber") + StationSound.silence(30))
        try run.finish()
        #expect(run.names == ["amber", "amber"])
        #expect(Set(run.records.map(\.id)).count == 2)
        var jump = StationRun(try StationSound.tracker())
        try jump.play(
            StationSound.song("birch", 0..<30) + StationSound.song("birch", 50..<80) + StationSound.silence(30)
        )
        try jump.finish()
        #expect(jump.names == ["birch"])
        #expect(jump.spans.allSatisfy { isNear($0, 0, 60, within: 1) })
    }

    @Test("A jingle that is played three times in succession is three plays")
    func jingles() throws {
        var run = StationRun(try StationSound.tracker(.spots))
        let chime = StationSound.song("chime")
        try run.play(chime + chime + chime + StationSound.silence(10))
        try run.finish()
        #expect(run.names == ["chime", "chime", "chime"])
        #expect(run.records.allSatisfy { $0.kind == .jingle })
    }

    @Test("A song that somebody speaks over is one under speech")
    func speech() throws {
        var run = StationRun(try StationSound.tracker())
        guard case .int16(let words) = try ClassificationAudio.speech("it-dir-instr", 80).samples else { return }
        let clip = words.map { Float($0) / 32_768 }
        var samples = StationSound.song("amber")
        for index in samples.indices {
            // Seven seconds of words over soft music, four of music. From 8,000 to 16,000 Hz by repeating is good enough.
            let isSpoken = index / StationSound.rate % 11 < 7
            let word = clip[min(clip.count - 1, index / 2)]
            samples[index] = isSpoken ? 0.08 * samples[index] + 0.8 * word : samples[index]
        }
        try run.play(samples + StationSound.silence(5))
        try run.finish()
        #expect(run.names == ["amber"])
        #expect(run.records.first?.kind == .songUnderSpeech)
    }

    @Test("A break of twenty seconds in a song leaves one play that was heard for less", arguments: [true, false])
    func shortBreak(isReconnect: Bool) throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber", 0..<30))
        if isReconnect {
            try run.lose(for: 20)
        } else {
            // The source's times jump.
            run.sourceTime += 20
            run.now += 20
        }
        try run.play(StationSound.song("amber", 50..<80) + StationSound.silence(10))
        try run.finish()
        #expect(run.names == ["amber"])
        try #require(run.spans.count == 1)
        #expect(isNear(run.spans[0], 0, 80, within: 1))
        #expect(abs(run.records[0].playedDuration - 60) < 1.5)
        let gap = try #require(run.gaps.last)
        let span = (
            gap.start.timeIntervalSince(StationSound.evening),
            (gap.end ?? .distantPast).timeIntervalSince(StationSound.evening)
        )
        #expect(isNear(span, 30, 50))
        #expect(gap.reason == .streamLost)
    }

    @Test("A break of ten minutes ends what played when it was heard last")
    func longBreak() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber", 0..<40))
        try run.lose(for: 200)
        // Known before the stream is back.
        #expect(run.records.map(\.endReason) == [.streamLost])
        try run.lose(for: 400)
        try run.play(StationSound.song("amber", 0..<40) + StationSound.silence(5))
        try run.finish()
        #expect(run.names == ["amber", "amber"])
        try #require(run.spans.count == 2)
        #expect(isNear(run.spans[0], 0, 40) && isNear(run.spans[1], 640, 680, within: 1))
        #expect(run.gaps.count == 2 && Set(run.gaps.map(\.id)).count == 1)
    }

    @Test("What a server sends at once on connecting is older than its arrival")
    func burst() throws {
        var tracker = try StationSound.tracker()
        var records: [PlayRecord] = []
        let samples = StationSound.silence(10) + StationSound.song("amber") + StationSound.silence(5)
        for index in 0..<(samples.count / 8_000) {
            let part = Array(samples[index * 8_000..<(index + 1) * 8_000])
            let time = MediaTime(value: Int64(index), timescale: 2)
            // The first 20 s arrive in a tenth of a second.
            let now = max(100 + 0.002 * Double(index), 80 + 0.5 * Double(index + 1))
            let block = AudioBlock(AudioBuffer(part, sampleRate: 16_000), at: time)
            for case .record(let record) in try tracker.append(block, at: StationSound.instant(now)) {
                records.append(record)
            }
        }
        for case .record(let record) in try tracker.finish(at: StationSound.instant(200)) { records.append(record) }
        let last = try #require(records.last)
        #expect(abs(last.start.timeIntervalSince(StationSound.evening) - 90) < 0.5)
        #expect(abs(last.end.timeIntervalSince(StationSound.evening) - 170) < 0.5)
    }

    @Test("A reference that another catalog does not have ends, and one that it has goes on")
    func replacement() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber", 0..<35))
        try run.tracker.replace(StationSound.catalog(without: "birch"))
        try run.play(StationSound.song("amber", 35..<80) + StationSound.song("birch", 0..<30))
        try run.tracker.replace(StationSound.catalog())
        try run.play(StationSound.song("birch", 30..<80) + StationSound.silence(5))
        try run.finish()
        #expect(run.names == ["amber", "birch"])
        #expect(run.spans.first.map { isNear($0, 0, 80) } == true)
    }

    @Test("What a tracker keeps does not grow with the hours")
    func memory() throws {
        var tracker = try StationSound.tracker()
        let second = AudioBuffer(StationSound.song("chime", 0..<1), sampleRate: 16_000)
        var counts: [Int] = []
        var now = 0.0
        for _ in 0..<12 {
            // Breaks make most of an hour pass without its audio.
            for _ in 0..<30 {
                for _ in 0..<4 {
                    now += 1
                    let time = MediaTime(seconds: now - 1, preferredTimescale: 1_000)
                    _ = try tracker.append(AudioBlock(second, at: time), at: StationSound.instant(now))
                }
                now += 116
            }
            counts.append(tracker.elementCount)
        }
        #expect(counts[11] <= counts[7] + 5, "\(counts)")
        #expect(counts[11] < 600, "\(counts)")
    }
}
