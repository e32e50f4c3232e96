import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

extension PlaylogStoreRule {
    static let comparison: [PlaylogStoreRule] = [
        .init(name: "A play that began long before a span is found in it, in a log of any length") {
            (store: any PlaylogStore) async throws in
            try await store.put((0..<500).map { play("r\($0)", at: Double($0) * 200) })
            try await store.put(play("long", on: "two", at: -50_000, for: 100_000))
            let found = try await all(PlayQuery(span: span(40_000, 40_400)), of: store).map(\.referenceID)
            #expect(found == ["long", "r200", "r201"])
        },
        .init(name: "More plays than a statement writes are written at once, each with its number") {
            (store: any PlaylogStore) async throws in
            let plays = (0..<2_500).map { play("r\($0 % 2_400)", at: Double($0 % 2_400), for: 1) }
            let outcomes = try await store.put(plays)
            #expect(outcomes.compactMap(\.sequence) == Array(1...2_400))
            #expect(outcomes.suffix(100).allSatisfy { $0.result == .unchanged })
            #expect(try await all(of: store) == Array(plays.prefix(2_400)))
            let withdrawn = try await store.withdraw(plays.map(\.id))
            #expect(withdrawn.allSatisfy { $0.result == .keptFinal })
            #expect(try await store.remove(before: .distantFuture).plays == 2_400)
            #expect(try await store.counts().plays == 0)
        },
        .init(name: "Whatever is written and asked for, the answers are those of a log in memory") {
            (store: any PlaylogStore) async throws in
            try await compare(store, MemoryPlaylogStore())
        },
    ]

    /// Does the same with both, and compares what they answer.
    private static func compare(_ store: any PlaylogStore, _ model: MemoryPlaylogStore) async throws {
        var generator = SeededGenerator(seed: 0x504C_4159)
        var records: [PlayRecord] = []
        for round in 0..<12 {
            var batch = (0..<20).map { _ in PlaylogSamples.random(using: &generator) }
            // Some that are there, as they go on.
            for var record in records.shuffled(using: &generator).prefix(10) {
                record.end = record.end.addingTimeInterval(Double.random(in: -50...500, using: &generator))
                record.state = Bool.random(using: &generator) ? .final : .provisional
                batch.append(record)
                batch += Bool.random(using: &generator) ? [record] : []
            }
            // Of names, one that not every database can hold is refused.
            batch.removeAll { $0.referenceID?.rawValue.utf8.contains(0) == true }
            #expect(try await store.put(batch) == model.put(batch))
            records += batch
            let gaps = batch.prefix(5).map { record in
                StreamGap(
                    channel: record.channel,
                    start: record.start,
                    end: Bool.random(using: &generator) ? record.end : nil
                )
            }
            #expect(try await store.put(gaps) == model.put(gaps))
            let ids = records.shuffled(using: &generator).prefix(3).map(\.id)
            #expect(try await store.withdraw(ids) == model.withdraw(ids))
            let heard = batch.map { DetectedInterval(channel: $0.channel, start: $0.start, end: $0.end) }
            try await store.note(heard)
            try await model.note(heard)
            if round % 4 == 3 {
                let channel = records.randomElement(using: &generator)?.channel.id
                let closed = try await store.closeOpen(of: channel, at: nil, reason: .ended)
                #expect(try await model.closeOpen(of: channel, at: nil, reason: .ended) == closed)
                try await store.setPosition(round * 10, of: "hook")
                try await model.setPosition(round * 10, of: "hook")
                let date = PlaylogSamples.evening.addingTimeInterval(Double.random(in: -1e9...0, using: &generator))
                #expect(try await store.remove(before: date) == model.remove(before: date))
            }
            #expect(try await store.counts() == model.counts())
            let sequence = Int.random(in: 0..<300, using: &generator)
            let changes = try await store.changes(after: sequence, limit: 50)
            #expect(try await model.changes(after: sequence, limit: 50) == changes)
            for _ in 0..<8 { try await compare(store, model, query(of: records, using: &generator)) }
        }
    }

    private static func query(of records: [PlayRecord], using generator: inout SeededGenerator) -> PlayQuery {
        var query = PlayQuery(isNewestFirst: Bool.random(using: &generator))
        let some = records.shuffled(using: &generator).prefix(3)
        if Bool.random(using: &generator) { query.channels = Set(some.prefix(2).map(\.channel.id)) }
        if Bool.random(using: &generator) { query.references = Set(some.compactMap(\.referenceID).filter { $0 != "" }) }
        if Bool.random(using: &generator) { query.kinds = Set(some.map(\.kind)) }
        if Bool.random(using: &generator) { query.state = .final }
        if Bool.random(using: &generator), let start = some.first?.start {
            // Databases keep whole milliseconds.
            let lower = PlaylogTime.bounded(start)
            let upper = lower + Int64.random(in: 0...100_000_000_000, using: &generator)
            query.span = PlaylogTime.date(lower)..<PlaylogTime.date(upper)
        }
        return query
    }

    private static func compare(
        _ store: any PlaylogStore,
        _ model: MemoryPlaylogStore,
        _ query: PlayQuery
    ) async throws {
        var (plays, gaps): (PlayCursor?, PlayCursor?)
        repeat {
            let page = try await store.records(query, after: plays, limit: 17)
            #expect(try await model.records(query, after: plays, limit: 17) == page)
            plays = page.next
        } while plays != nil
        repeat {
            let page = try await store.gaps(query, after: gaps, limit: 17)
            #expect(try await model.gaps(query, after: gaps, limit: 17) == page)
            gaps = page.next
        } while gaps != nil
        #expect(try await store.heard(query) == model.heard(query))
        for grouping in PlayGrouping.allCases {
            var (mine, its) = (try await store.totals(query, by: grouping), try await model.totals(query, by: grouping))
            // Databases add up in another order.
            #expect(zip(mine, its).allSatisfy { abs($0.seconds - $1.seconds) < 0.01 })
            for index in mine.indices { mine[index].seconds = 0 }
            for index in its.indices { its[index].seconds = 0 }
            #expect(mine == its)
        }
    }
}
