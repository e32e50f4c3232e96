import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Log of plays in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLPlaylogStoreTests {
    @Test("a store keeps every rule of logs", arguments: PlaylogStoreRule.all)
    func rules(rule: PlaylogStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLPlaylogStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: PlaylogStoreRule.all)
    func conflicts(rule: PlaylogStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            try await rule.check(PostgreSQLPlaylogStore(opened: pool))
        }
    }

    @Test("a play and its change are kept both or not at all when the connection is cut", arguments: 0..<7)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            try await whole.put(PlaylogSamples.play("a", for: 10, .provisional))
            // BEGIN, the lock, what is there, the plays, the changes, COMMIT; and none of them.
            let pool = PostgreSQLPool.cut(options, before: statement).pool
            let store = PostgreSQLPlaylogStore(opened: pool)
            let plays = [PlaylogSamples.play("a"), PlaylogSamples.play("b", at: 300)]
            var isKept = true
            do throws(EarshotError) {
                #expect(try await store.put(plays).map(\.sequence) == [2, 3])
            } catch {
                #expect(error.code == .storeUnavailable)
                isKept = try await whole.counts().plays == 2
            }
            #expect(isKept == (statement == 6))
            let counts = try await whole.counts()
            #expect(counts.lastSequence == (isKept ? 3 : 1) && counts.changes == counts.lastSequence)
            #expect(try await whole.changes(after: 0, limit: 9).changes.count == counts.lastSequence)
            #expect(try await whole.openRecords().count == (isKept ? 0 : 1))
            // A monitor writes again what it does not know to be kept; the pool has a connection again.
            let again = try await store.put(plays)
            #expect(again.map(\.sequence) == (isKept ? [nil, nil] : [2, 3]))
        }
    }

    @Test(
        "a monitor's log is copied into it, and comes out the same, though transactions lose races",
        arguments: PlaylogStoreRule.all
    )
    func copies(rule: PlaylogStoreRule) async throws {
        try await TestDatabase.run { options in
            let source = MemoryPlaylogStore()
            try await rule.check(source)
            let whole = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            let replicator = PlaylogReplicator(from: source, to: options.name) { PostgreSQLPlaylogStore(opened: pool) }
            var refused: Set<String> = []
            try await replicator.copy { report in
                if case .refused(let id, _) = report { refused.insert(id) }
            }
            var (plays, copies) = ([PlayRecord](), [PlayRecord]())
            // PostgreSQL keeps no text with a character U+0000 in a name.
            try await source.forEachRecord { if !refused.contains($0.id.rawValue) { plays.append($0) } }
            try await whole.forEachRecord { copies.append($0) }
            #expect(plays == copies)
            #expect(try await source.heard(PlayQuery()) == whole.heard(PlayQuery()))
        }
    }

    @Test("what was copied before a connection was cut is not copied twice", arguments: 0..<10)
    func cutCopies(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            let source = MemoryPlaylogStore()
            let pool = PostgreSQLPool.cut(options, before: statement).pool
            let replicator = PlaylogReplicator(from: source, to: "db") { PostgreSQLPlaylogStore(opened: pool) }
            try await source.put(PlaylogSamples.play("a", for: 10, .provisional))
            try? await replicator.copy()
            try await source.put([PlaylogSamples.play("a"), PlaylogSamples.play("b", at: 300)])
            var attempts = 0
            while true {
                attempts += 1
                do {
                    try await replicator.copy()
                    break
                } catch {
                    #expect(attempts < 5)
                }
            }
            #expect(try await whole.counts().plays == 2)
            let ended = try await whole.changes(after: 0, limit: 9).changes.filter { $0.event == .playEnded }
            #expect(ended.count == 2)
        }
    }

    @Test("whoever follows several monitors that write at once misses nothing and reads nothing twice")
    func monitors() async throws {
        try await TestDatabase.run { options in
            let stores = try await Self.stores(4, options)
            let reader = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            // Every monitor tells of plays of its own, and of one that all of them hear.
            let told = try await withThrowingTaskGroup(of: [PlayChange].self) { group in
                for (index, store) in stores.enumerated() {
                    group.addTask {
                        for number in 0..<40 {
                            try await store.put([
                                PlaylogSamples.play("own", on: "c\(index)", at: Double(number), for: 1),
                                PlaylogSamples.play("shared", at: Double(number), for: 1),
                                PlaylogSamples.play("own", on: "d\(index)", at: Double(number), for: 1, .provisional),
                            ])
                            if number % 8 == 7 {
                                try await store.closeOpen(of: EntityID("d\(index)"), at: nil, reason: .ended)
                            }
                        }
                        return []
                    }
                }
                group.addTask {
                    // Own, shared, provisional ones, and these again when they are closed.
                    var told: [PlayChange] = []
                    while told.count < 160 + 40 + 160 + 160 {
                        told += try await reader.changes(after: told.last?.sequence ?? 0, limit: 7).changes
                        await Task.yield()
                    }
                    return told
                }
                return try await group.reduce(into: [PlayChange]()) { $0 += $1 }
            }
            #expect(told.map(\.sequence) == Array(1...520))
            let counts = try await reader.counts()
            #expect(counts.plays == 360 && counts.open == 0 && counts.lastSequence == 520)
            #expect(told.count { $0.event == .playStarted } == 160)
        }
    }

    @Test("old plays and changes are removed while monitors write, and no change that is left is missed")
    func removal() async throws {
        try await TestDatabase.run { options in
            let stores = try await Self.stores(3, options)
            try await stores[0].put((0..<12_000).map { PlaylogSamples.play("r\($0)", at: Double($0) - 1e6, for: 0.5) })
            let interval = DetectedInterval(
                channel: PlaylogSamples.channel(),
                start: PlaylogSamples.evening - 1e6,
                end: PlaylogSamples.evening - 9e5
            )
            try await stores[0].note([interval])
            try await withThrowingTaskGroup(of: Int.self) { group in
                for store in stores.prefix(2) {
                    group.addTask { try await store.remove(before: PlaylogSamples.evening).plays }
                }
                group.addTask {
                    for number in 0..<50 {
                        try await stores[2].put(PlaylogSamples.play("new", at: Double(number), for: 1))
                    }
                    return 0
                }
                let removed = try await group.reduce(0, +)
                #expect(removed == 12_000)
            }
            #expect(try await stores[0].heard(PlayQuery()).isEmpty)
            let counts = try await stores[0].counts()
            #expect(counts.plays == 50 && counts.changes == 50 && counts.lastSequence == 12_050)
            let page = try await stores[1].changes(after: 12_000, limit: 100)
            #expect(page.changes.map(\.sequence) == Array(12_001...12_050) && !page.isIncomplete)
            #expect(try await stores[1].changes(after: 11_999, limit: 100).isIncomplete)
        }
    }

    @Test("monitors that note the same channels at once do not wait for each other's rows for ever")
    func noting() async throws {
        try await TestDatabase.run { options in
            let stores = try await Self.stores(4, options)
            let intervals = (0..<60).map { number in
                DetectedInterval(
                    channel: PlaylogSamples.channel("c\(number)"),
                    start: PlaylogSamples.evening,
                    end: PlaylogSamples.evening + 10
                )
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        for _ in 0..<20 { try await store.note(intervals.shuffled() + intervals.prefix(3)) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].heard(PlayQuery()).count == 60)
        }
    }

    @Test("U+0000 is kept in texts, refused in identifiers, and found nowhere")
    func zero() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLPlaylogStore(PostgreSQLPool(options))
            var titled = PlaylogSamples.play("a")
            (titled.title, titled.notes, titled.channel.name) = ("a\u{0}b", "\u{0}", "One\u{0}")
            let outcomes = try await store.put([
                PlaylogSamples.play("x\u{0}"), titled, PlaylogSamples.play("y", on: "o\u{0}ne"),
            ])
            #expect(outcomes.map(\.sequence) == [nil, 1, nil])
            guard case .refused(let reason) = outcomes[2].result else { throw EarshotError(.internalError, "") }
            #expect(reason.contains("U+0000"))
            #expect(try await store.record(titled.id) == titled)
            let gap = StreamGap(channel: PlaylogSamples.channel("o\u{0}ne"), start: PlaylogSamples.evening)
            #expect(try await store.put(gap).sequence == nil)
            try await store.note([DetectedInterval(channel: gap.channel, start: gap.start, end: gap.start)])
            #expect(try await store.heard(PlayQuery(channels: ["o\u{0}ne"])).isEmpty)
            #expect(try await store.records(PlayQuery(channels: ["o\u{0}ne"]), after: nil, limit: 9).items.isEmpty)
            let both = PlayQuery(channels: ["o\u{0}ne", "one"])
            #expect(try await store.records(both, after: nil, limit: 9).items == [titled])
            #expect(try await store.record("\u{0}") == nil)
            #expect(try await store.withdraw(["\u{0}", titled.id]).map(\.result) == [.unchanged, .keptFinal])
            let error = await #expect(throws: EarshotError.self) { try await store.setPosition(1, of: "\u{0}") }
            #expect(error?.code == .metadataInvalid)
            #expect(try await store.position(of: "\u{0}") == nil)
        }
    }

    @Test("a page of a long log is read by an index alone")
    func plan() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLPlaylogStore(pool)
            let plays = (0..<3_000).map { number in
                PlaylogSamples.play("r\(number % 40)", on: "c\(number % 9)", at: Double(number) * 9, for: 8)
            }
            try await store.put(plays)
            try await pool.write { connection in try connection.execute("ANALYZE play_record") }
            let span = PlaylogSamples.evening + 9_000..<PlaylogSamples.evening + 9_400
            for query in [
                PlayQuery(), PlayQuery(span: span), PlayQuery(channels: ["c3"]), PlayQuery(references: ["r7"]),
                PlayQuery(state: .provisional),
            ] {
                var condition = PostgreSQLPlaylogCondition(plays: query)
                condition.add(after: PlayCursor("1777660000000.play-7"), query)
                let sql = """
                    EXPLAIN SELECT json FROM play_record WHERE \(condition.sql)
                    ORDER BY \(PostgreSQLPlaylogCondition.order(query)) LIMIT 20
                    """
                let plan = try await pool.read { [parameters = condition.parameters] connection in
                    try connection.run(sql, parameters).rows.compactMap { try $0.text("QUERY PLAN") }
                }.joined(separator: "\n")
                #expect(!plan.contains("Seq Scan on play_record") && !plan.contains("Sort"), "\(plan)")
            }
        }
    }

    /// Stores of several nodes, each with connections of its own.
    private static func stores(_ count: Int, _ options: PostgreSQLOptions) async throws -> [PostgreSQLPlaylogStore] {
        var stores: [PostgreSQLPlaylogStore] = []
        for _ in 0..<count { stores.append(try await PostgreSQLPlaylogStore(PostgreSQLPool(options))) }
        return stores
    }
}
