import EarshotBroadcast
import EarshotCore
@testable import EarshotStations
import Foundation
import TestSupport
import Testing

@Suite("Station trackers that are killed")
struct StationRestartTests {
    /// Songs, jingles and a song that breaks off.
    private static let timeline: [Float] =
        StationSound.silence(4) + StationSound.song("amber") + StationSound.song("chime")
        + StationSound.song("birch", 0..<60)
        + StationSound.song("amber", 10..<70) + StationSound.silence(6)

    private func summary(_ run: StationRun) -> [(name: String, begin: Double, end: Double)] {
        zip(run.names, run.spans).map { ($0, $1.0, $1.1) }
    }

    @Test("A run that is killed and goes on writes what an uninterrupted one does")
    func kills() throws {
        let size = StationSound.rate / 2
        let count = Self.timeline.count / size
        var generator = SeededGenerator(seed: 42)
        let points = Set((0..<20).map { _ in Int.random(in: 1..<count, using: &generator) })
        var run = StationRun(try StationSound.tracker())
        var halves: [(point: Int, run: StationRun, snapshot: Data)] = []
        for index in 0..<count {
            try run.play(Array(Self.timeline[index * size..<(index + 1) * size]))
            if points.contains(index) {
                halves.append((index, run, try JSONEncoder().encode(run.tracker.snapshot)))
            }
        }
        try run.finish()
        #expect(run.names == ["amber", "chime", "birch", "amber"])
        for half in halves {
            var second = half.run
            let snapshot = try JSONDecoder().decode(StationTracker.Snapshot.self, from: half.snapshot)
            second.tracker = try StationTracker(
                channel: StationSound.channel,
                catalog: StationSound.whole.get(),
                restoring: snapshot,
                open: second.records.filter { $0.state == .provisional }
            )
            second.sourceTime = 0
            try second.play(Array(Self.timeline[(half.point + 1) * size..<count * size]))
            try second.finish()
            let seconds = Double(half.point + 1) / 2
            #expect(second.names == run.names, "killed at \(seconds) s: \(summary(second))")
            #expect(second.records.allSatisfy { $0.state == .final })
            for (one, other) in zip(summary(run), summary(second)) {
                #expect(
                    abs(one.begin - other.begin) < 0.5 && abs(one.end - other.end) < 0.5,
                    "killed at \(seconds) s: \(one) became \(other)"
                )
            }
        }
    }

    /// A JSON value with some of its numbers made into others that may stand there.
    private static func mutated(_ value: Any, _ generator: inout SeededGenerator) -> Any {
        let extremes: [Any] = [
            0, -1, 1, 1e300, -1e300, 1e-300, Int.max, Int.min, Int(Int32.max), Int(Int32.min), 1e18, -1e9,
            253_402_300_800.0,
        ]
        switch value {
        case let object as [String: Any]:
            return Dictionary(
                uniqueKeysWithValues: object.sorted { $0.key < $1.key }.map { ($0.key, mutated($0.value, &generator)) }
            )
        case let list as [Any]:
            var list = list.map { mutated($0, &generator) }
            if !list.isEmpty, Int.random(in: 0..<20, using: &generator) == 0 { list.removeLast() }
            if let first = list.first, Int.random(in: 0..<20, using: &generator) == 0 { list.append(first) }
            return list
        case is NSNumber where Int.random(in: 0..<8, using: &generator) == 0:
            return extremes.randomElement(using: &generator) ?? 0
        default: return value
        }
    }

    @Test("A state whose numbers are others is refused or gone on with, and nothing else")
    func extremes() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(Array(Self.timeline[..<min(Self.timeline.count, 150 * StationSound.rate)]))
        let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(run.tracker.snapshot))
        let sound = StationSound.song("birch", 0..<12)
        let catalog = try StationSound.whole.get()
        property("states of stations", rounds: 80) { generator in
            let data = try JSONSerialization.data(withJSONObject: Self.mutated(whole, &generator))
            guard let snapshot = try? JSONDecoder().decode(StationTracker.Snapshot.self, from: data) else {
                return true
            }
            do throws(EarshotError) {
                run.tracker = try StationTracker(channel: StationSound.channel, catalog: catalog, restoring: snapshot)
            } catch {
                return error.code == .signatureInvalid
            }
            run.sourceTime = 0
            try run.play(sound)
            run.take(try run.tracker.tick(at: StationSound.instant(run.now + 60)))
            try run.finish()
            _ = try JSONEncoder().encode(run.tracker.snapshot)
            return true
        }
    }

    @Test("A station that does not come back in time has its plays ended when they were heard last")
    func staysAway() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber", 0..<40))
        let snapshot = run.tracker.snapshot
        run.tracker = try StationTracker(
            channel: StationSound.channel,
            catalog: StationSound.whole.get(),
            restoring: snapshot
        )
        for _ in 0..<20 {
            run.now += 10
            run.take(try run.tracker.tick(at: StationSound.instant(run.now)))
        }
        #expect(run.records.map(\.state) == [.final])
        #expect(run.records.map(\.endReason) == [.monitorStopped])
        #expect(abs((run.spans.first?.1 ?? 0) - 40) < 0.5)
    }

    @Test("A provisional record without a snapshot is taken up by the play that goes on, or ended")
    func withoutSnapshot() throws {
        var run = StationRun(try StationSound.tracker())
        try run.play(StationSound.song("amber", 0..<30))
        let open = run.records
        try #require(open.map(\.state) == [.provisional])
        var other = PlayRecord(channel: StationSound.channel, start: StationSound.evening, referenceID: "gone")
        other.end = StationSound.evening.addingTimeInterval(9)
        run.tracker = try StationTracker(
            channel: StationSound.channel,
            catalog: StationSound.whole.get(),
            restoring: nil,
            open: open + [other]
        )
        run.sourceTime = 0
        try run.play(StationSound.song("amber", 30..<80) + StationSound.silence(5))
        try run.finish()
        #expect(run.records.map(\.state) == [.final, .final])
        #expect(run.log[open[0].id]?.end.timeIntervalSince(StationSound.evening) ?? 0 > 79)
        #expect(run.log[other.id]?.endReason == .monitorStopped)
    }

    @Test("A play of an earlier run ends though the station is never heard again")
    func neverBack() throws {
        var other = PlayRecord(channel: StationSound.channel, start: StationSound.evening, referenceID: "gone")
        other.end = StationSound.evening.addingTimeInterval(9)
        var run = StationRun(
            try StationTracker(
                channel: StationSound.channel,
                catalog: StationSound.whole.get(),
                restoring: nil,
                open: [other]
            )
        )
        run.now = 20
        run.take(try run.tracker.lost(at: StationSound.instant(run.now)))
        run.now = 40
        run.take(try run.tracker.tick(at: StationSound.instant(run.now)))
        #expect(run.log[other.id] == nil)
        for _ in 0..<60 {
            run.now += 10
            run.take(try run.tracker.tick(at: StationSound.instant(run.now)))
        }
        #expect(run.log[other.id]?.state == .final && run.log[other.id]?.endReason == .monitorStopped)
    }
}

@Suite("Stretches that were heard")
struct DetectedIntervalTrackerTests {
    private static func date(_ seconds: Double) -> Date { StationSound.evening.addingTimeInterval(seconds) }

    private func stretch(
        _ span: inout DetectedIntervalTracker,
        _ end: Double,
        stream: Double,
        isForced: Bool = false
    ) -> [Double]? {
        span.stretch(until: Self.date(end), stream: stream, earliest: Self.date(end), isForced: isForced).map {
            [$0.lowerBound, $0.upperBound].map { $0.timeIntervalSince(StationSound.evening) }
        }
    }

    @Test("A stretch grows, is told every ten seconds, and a gap is part of it")
    func grows() {
        var span = DetectedIntervalTracker()
        #expect(stretch(&span, 5, stream: 5) == nil)
        span.begin(Self.date(1))
        #expect(stretch(&span, 5, stream: 5) == [1, 5])
        #expect(stretch(&span, 14, stream: 14) == nil)
        #expect(stretch(&span, 14, stream: 14, isForced: true) == [1, 14])
        #expect(stretch(&span, 14, stream: 14, isForced: true) == nil)
        #expect(stretch(&span, 4_000, stream: 4_000) == [1, 4_000])
    }

    @Test("A clock that is set forward or back begins another stretch", arguments: [28_800, -28_800] as [Double])
    func clock(step: Double) {
        var span = DetectedIntervalTracker()
        span.begin(Self.date(0))
        #expect(stretch(&span, 100, stream: 100) == [0, 100])
        #expect(stretch(&span, 120 + step, stream: 120) == [100 + step, 120 + step])
        #expect(stretch(&span, 140 + step, stream: 140) == [100 + step, 140 + step])
    }
}
