import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Copies of a log", .timeLimit(.minutes(2)))
struct PlaylogReplicatorTests {
    private typealias Fault = FailingPlaylogStore.Fault

    private static func replicator(
        _ source: any PlaylogStore,
        _ target: any PlaylogStore,
        clock: MediaClock = .system
    ) -> PlaylogReplicator {
        PlaylogReplicator(from: source, to: "postgresql://db/earshot", clock: clock) { target }
    }

    /// Copies until it succeeds.
    private static func copy(_ replicator: PlaylogReplicator) async -> Int {
        var failures = 0
        while true {
            do throws(EarshotError) {
                try await replicator.copy()
                return failures
            } catch {
                #expect(error.code == .storeUnavailable)
                failures += 1
            }
        }
    }

    private static func expectSame(_ source: any PlaylogStore, _ target: any PlaylogStore) async throws {
        var records: ([PlayRecord], [PlayRecord]) = ([], [])
        try await source.forEachRecord { records.0.append($0) }
        try await target.forEachRecord { records.1.append($0) }
        #expect(records.0 == records.1)
        var gaps: ([StreamGap], [StreamGap]) = ([], [])
        try await source.forEachGap { gaps.0.append($0) }
        try await target.forEachGap { gaps.1.append($0) }
        #expect(gaps.0 == gaps.1)
        #expect(try await source.heard(PlayQuery()) == target.heard(PlayQuery()))
    }

    @Test("a log that is there already is copied whole, whatever is in it", arguments: PlaylogStoreRule.all)
    func whole(rule: PlaylogStoreRule) async throws {
        let (source, target) = (MemoryPlaylogStore(), FailingPlaylogStore())
        try await rule.check(source)
        // Another log that was copied to is forgotten, and what was moved from there with such a name.
        try await source.setPosition(0, of: "copy to postgresql://old/earshot")
        try await target.setPosition(0, of: "copy to postgresql://db/earshot")
        target.faults.withLock { $0 = [.before, .after, .after, nil, .after, .before] }
        let replicator = Self.replicator(source, target)
        _ = await Self.copy(replicator)
        try await Self.expectSame(source, target)
        let consumers = try await source.consumers().keys.filter { $0.hasPrefix("copy to ") }
        #expect(consumers == [replicator.consumer])
        #expect(try await target.consumers().isEmpty)
        // What is copied again changes nothing. A short log left some of the faults.
        target.faults.withLock { $0 = [] }
        let count = try await target.counts().lastSequence
        try await source.removeConsumer(replicator.consumer)
        try await Self.replicator(source, target).copy()
        #expect(try await target.counts().lastSequence == count)
    }

    @Test("whatever fails at whatever moment, each play is there once and as it was last")
    func failures() async throws {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let (source, target) = (MemoryPlaylogStore(), FailingPlaylogStore())
            var replicator = Self.replicator(source, target)
            for step in 0..<30 {
                let play = PlaylogSamples.play(
                    "r\(Int.random(in: 0..<8, using: &generator))",
                    for: Double.random(in: 1...90, using: &generator),
                    Bool.random(using: &generator) ? .final : .provisional
                )
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: try await source.withdraw([play.id])
                case 1:
                    let start = PlaylogSamples.evening.addingTimeInterval(Double(step / 3) * 10)
                    let end = Bool.random(using: &generator) ? start.addingTimeInterval(5) : nil
                    try await source.put(StreamGap(channel: play.channel, start: start, end: end))
                case 2:
                    let start = PlaylogSamples.evening.addingTimeInterval(Double(step / 10) * 100)
                    let end = start.addingTimeInterval(Double(step))
                    try await source.note([DetectedInterval(channel: play.channel, start: start, end: end)])
                case 3: _ = try? await replicator.copy()
                // The monitor ends without a word, and another one begins.
                case 4: replicator = Self.replicator(source, target)
                default: try await source.put(play)
                }
                let fault: Fault? =
                    Bool.random(using: &generator) ? Fault.allCases.randomElement(using: &generator) : nil
                target.faults.withLock { $0 = [fault, nil, fault] }
            }
            _ = await Self.copy(replicator)
            try await Self.expectSame(source, target)
            // Of each play its end is told once.
            let changes = try await target.changes(after: 0, limit: 1_000).changes
            let ended = changes.filter { $0.event == .playEnded }.map(\.subject)
            let ids = ended.compactMap { subject -> EntityID<PlayRecord>? in
                if case .play(let play) = subject { play.id } else { nil }
            }
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test(
        "a play that is withdrawn after the first copy was cut off is withdrawn from the other log",
        arguments: [false, true]
    )
    func interrupted(isRestarted: Bool) async throws {
        let (source, target) = (MemoryPlaylogStore(), FailingPlaylogStore())
        let plays = (0..<3).map { PlaylogSamples.play("r\($0)", at: Double($0) * 200, .provisional) }
        try await source.put(plays)
        // The monitor ends while it copies: the plays are written, and nothing says so.
        target.faults.withLock { $0 = [.after] }
        let first = Self.replicator(source, target)
        await #expect(throws: EarshotError.self) { try await first.copy() }
        #expect(try await target.counts().plays == 3)
        try await source.withdraw([plays[1].id])
        let second = isRestarted ? Self.replicator(source, target) : first
        try await second.copy()
        try await Self.expectSame(source, target)
        #expect(try await target.counts().plays == 2)
        // Changes are kept for the copy alone from now on.
        #expect(try await Array(source.consumers().keys) == [second.consumer])
        try await second.copy()
        try await Self.expectSame(source, target)
    }

    @Test("changes that were removed before they were copied are made up for by the plays themselves")
    func removedChanges() async throws {
        let (source, target) = (MemoryPlaylogStore(), MemoryPlaylogStore())
        let replicator = Self.replicator(source, target)
        try await source.put(PlaylogSamples.play("a"))
        try await replicator.copy()
        try await source.put(PlaylogSamples.play("b", at: 200))
        try await source.put(PlaylogSamples.play("c", at: 90_000))
        let position = try #require(try await source.position(of: replicator.consumer))
        try await source.removeConsumer(replicator.consumer)
        _ = try await source.remove(before: PlaylogSamples.evening.addingTimeInterval(40_000))
        try await source.setPosition(position, of: replicator.consumer)
        #expect(try await source.changes(after: position, limit: 10).isIncomplete)
        try await replicator.copy()
        var names: [String] = []
        try await target.forEachRecord { names.append($0.referenceID?.rawValue ?? "") }
        // The one that was removed from the log before it was copied is nowhere; what was copied stays.
        #expect(names == ["a", "c"])
    }

    @Test("a monitor is told once that the other log is away, and once that it is back; nothing is lost meanwhile")
    func outage() async throws {
        let clock = ManualClock()
        let (source, target) = (MemoryPlaylogStore(), FailingPlaylogStore())
        let opened = Mutex(0)
        let replicator = PlaylogReplicator(from: source, to: "db", clock: clock.clock) { () throws(EarshotError) in
            opened.withLock { $0 += 1 }
            // As at the start of a monitor while the database is away.
            guard !target.isAway.withLock({ $0 }) else { throw EarshotError(.storeUnavailable, "Not there.") }
            return target
        }
        target.isAway.withLock { $0 = true }
        let reports = Mutex<[String]>([])
        let running = Task {
            await replicator.run { report in
                reports.withLock { reports in
                    switch report {
                    case .failed(let error): reports.append(error.message)
                    case .recovered: reports.append("recovered")
                    case .refused(let id, _): reports.append(id)
                    }
                }
            }
        }
        for number in 0..<5 {
            try await source.put(PlaylogSamples.play("r\(number)", at: Double(number) * 200))
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 10)
        }
        #expect(reports.withLock { $0 } == ["Not there."])
        while clock.sleeperCount == 0 { await Task.yield() }
        target.isAway.withLock { $0 = false }
        clock.advance(by: 10)
        while reports.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(reports.withLock { $0 } == ["Not there.", "recovered"])
        try await Self.expectSame(source, target)
        #expect(opened.withLock { $0 } == 7)
        // The end copies what came last, and waits for it.
        try await source.put(PlaylogSamples.play("last", at: 5_000))
        let isOver = Mutex(false)
        let finishing = Task {
            await replicator.finish(within: 5)
            isOver.withLock { $0 = true }
        }
        while !isOver.withLock({ $0 }) {
            clock.advance(by: 0.1)
            await Task.yield()
        }
        await running.value
        await finishing.value
        try await Self.expectSame(source, target)
    }

    @Test("a play that the other log refuses is told, and does not hold up others")
    func refused() async throws {
        let (source, target) = (MemoryPlaylogStore(), FailingPlaylogStore())
        let plays = (0..<3).map { PlaylogSamples.play("r\($0)", at: Double($0) * 200) }
        target.refused.withLock { $0 = [plays[1].id] }
        try await source.put(plays)
        let replicator = Self.replicator(source, target)
        let told = Mutex<[String]>([])
        try await replicator.copy { report in
            if case .refused(let id, _) = report { told.withLock { $0.append(id) } }
        }
        #expect(told.withLock { $0 } == [plays[1].id.rawValue])
        #expect(try await target.record(plays[2].id) == plays[2])
        #expect(try await target.counts().plays == 2)
        #expect(try await source.position(of: replicator.consumer) == 3)
    }
}
