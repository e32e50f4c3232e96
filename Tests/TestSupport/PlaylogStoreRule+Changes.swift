import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

extension PlaylogStoreRule {
    static let changes: [PlaylogStoreRule] = [
        .init(name: "Changes have numbers that follow each other, and hold the play as it was") {
            (store: any PlaylogStore) async throws in
            try await store.put(play(for: 10, .provisional))
            try await store.put([play(for: 20, .provisional), play(on: "two", for: 5)])
            try await store.put([play(), play(for: 180), play(for: 200)])
            try await store.put(play("loop", at: 9, for: 3, .provisional, kind: .unknown))
            let page = try await store.changes(after: 0, limit: 100)
            #expect(page.changes.map(\.sequence) == [1, 2, 3, 4, 5, 6])
            let events: [PlayEvent] = [
                .playStarted, .playUpdated, .playEnded, .playEnded, .playCorrected, .unknownRepeated,
            ]
            #expect(page.changes.map(\.event) == events)
            let durations = page.changes.compactMap { change in
                if case .play(let record) = change.subject { record.playedDuration } else { nil }
            }
            #expect(durations == [10, 20, 5, 180, 200, 3])
            #expect(!page.hasMore && !page.isIncomplete)
            let part = try await store.changes(after: 2, limit: 2)
            #expect(part.changes.map(\.sequence) == [3, 4] && part.hasMore)
            #expect(try await store.changes(after: 6, limit: 2).changes.isEmpty)
            #expect(try await store.changes(after: -5, limit: 1).changes.map(\.sequence) == [1])
        },
        .init(name: "Whoever follows while a hundred tasks write misses nothing and reads nothing twice") {
            (store: any PlaylogStore) async throws in
            let read = try await withThrowingTaskGroup(of: [Int].self) { group in
                for number in 0..<100 {
                    group.addTask {
                        _ = try await store.put(play("r\(number)", on: "c\(number % 7)", at: Double(number), for: 1))
                        return []
                    }
                }
                group.addTask {
                    var read: [Int] = []
                    while read.count < 100 {
                        read += try await store.changes(after: read.last ?? 0, limit: 7).changes.map(\.sequence)
                        await Task.yield()
                    }
                    return read
                }
                return try await group.reduce(into: [Int]()) { $0 += $1 }
            }
            #expect(read == Array(1...100))
        },
        .init(name: "What only seemed to play is taken back, and told; what is final is not") {
            (store: any PlaylogStore) async throws in
            let seeming = play(for: 10, .provisional)
            let done = play("done", at: 50)
            try await store.put([seeming, done])
            let outcomes = try await store.withdraw([seeming.id, done.id, "nobody"])
            #expect(outcomes.map(\.result) == [.stored(sequence: 3), .keptFinal, .unchanged])
            #expect(try await store.record(seeming.id) == nil)
            #expect(try await store.counts().open == 0)
            #expect(try await all(of: store) == [done])
            let change = try #require(try await store.changes(after: 2, limit: 9).changes.first)
            #expect(change.event == .playWithdrawn && change.subject == .play(seeming))
            #expect(try await store.withdraw([seeming.id]).map(\.result) == [.unchanged])
            // It may turn out to play after all.
            try await store.put(seeming)
            #expect(try await store.changes(after: 3, limit: 9).changes.map(\.event) == [.playStarted])
        },
        .init(name: "Positions are kept by consumer, and never beyond the last change") {
            (store: any PlaylogStore) async throws in
            try await store.put([play("a"), play("b", at: 1), play("c", at: 2)])
            #expect(try await store.position(of: "hook") == nil)
            try await store.setPosition(2, of: "hook")
            try await store.setPosition(99, of: "copy")
            try await store.setPosition(-1, of: "new")
            #expect(try await store.consumers() == ["hook": 2, "copy": 3, "new": 0])
            try await store.setPosition(1, of: "hook")
            #expect(try await store.position(of: "hook") == 1)
            #expect(try await store.removeConsumer("hook"))
            #expect(try await store.removeConsumer("hook") == false)
            for name in ["", String(repeating: "x", count: 513)] {
                let error = await #expect(throws: EarshotError.self) { try await store.setPosition(1, of: name) }
                #expect(error?.code == .metadataInvalid)
            }
        },
        .init(name: "Changes are removed from the first on, once every consumer has read them; numbers go on") {
            (store: any PlaylogStore) async throws in
            try await store.put((0..<6).map { play("r\($0)", at: Double($0) * 1_000) })
            try await store.setPosition(2, of: "slow")
            try await store.setPosition(6, of: "quick")
            let date = PlaylogSamples.evening.addingTimeInterval(4_000)
            #expect(try await store.remove(before: date).changes == 2)
            var page = try await store.changes(after: 2, limit: 9)
            #expect(page.changes.map(\.sequence) == [3, 4, 5, 6] && !page.isIncomplete)
            page = try await store.changes(after: 1, limit: 9)
            #expect(page.changes.map(\.sequence) == [3, 4, 5, 6] && page.isIncomplete)
            try await store.removeConsumer("slow")
            let all = try await store.remove(before: date.addingTimeInterval(1e6))
            #expect(all.changes == 4 && all.plays == 2)
            #expect(try await store.counts().changes == 0)
            #expect(try await store.counts().lastSequence == 6)
            #expect(try await store.changes(after: 5, limit: 9).isIncomplete)
            #expect(try await store.changes(after: 6, limit: 9).isIncomplete == false)
            #expect(try await store.put(play("later", at: 9_000)).sequence == 7)
            #expect(try await store.changes(after: 6, limit: 9).changes.map(\.sequence) == [7])
        },
    ]

    // MARK: - Gaps

    static let gaps: [PlaylogStoreRule] = [
        .init(name: "A gap opens, ends, and is not opened again") { (store: any PlaylogStore) async throws in
            let start = PlaylogSamples.evening
            let open = StreamGap(channel: PlaylogSamples.channel(), start: start)
            var closed = open
            closed.end = start.addingTimeInterval(30)
            #expect(try await store.put(open).sequence == 1)
            #expect(try await store.put(open).result == .unchanged)
            #expect(try await store.put(closed).sequence == 2)
            #expect(try await store.put(open).result == .keptFinal)
            let other = StreamGap(
                channel: PlaylogSamples.channel("two"),
                start: start.addingTimeInterval(100),
                end: start.addingTimeInterval(120),
                reason: .silence
            )
            let nowhere = StreamGap(channel: PlaylogSamples.channel(""), start: start)
            let outcomes = try await store.put([other, nowhere])
            #expect(outcomes.map(\.sequence) == [3, nil])
            #expect(try await store.gaps(PlayQuery(), after: nil, limit: 9).items == [closed, other])
            let one = try await store.gaps(PlayQuery(isNewestFirst: true), after: nil, limit: 1)
            #expect(one.items == [other])
            #expect(try await store.gaps(PlayQuery(isNewestFirst: true), after: one.next, limit: 1).items == [closed])
            #expect(try await store.gaps(PlayQuery(channels: ["two"]), after: nil, limit: 9).items == [other])
            #expect(try await store.gaps(PlayQuery(span: span(30, 110)), after: nil, limit: 9).items == [other])
            #expect(try await store.gaps(PlayQuery(span: span(29, 100)), after: nil, limit: 9).items == [closed])
            let events = try await store.changes(after: 0, limit: 9).changes.map(\.event)
            #expect(events == [.streamLost, .streamBack, .streamBack])
        }
    ]
}
