import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Guide in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLGuideStoreTests {
    private typealias Samples = GuideSamples

    // MARK: - Rules

    @Test("a store keeps every rule of guides", arguments: GuideStoreRule.all)
    func rules(rule: GuideStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLGuideStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store that reads and removes one airing at a time keeps them too", arguments: GuideStoreRule.all)
    func rulesInSmallPages(rule: GuideStoreRule) async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            _ = try await PostgreSQLGuideStore(pool)
            try await rule.check(PostgreSQLGuideStore(opened: pool, pageSize: 1, purgeSize: 1))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: GuideStoreRule.all)
    func conflicts(rule: GuideStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            try await rule.check(try await PostgreSQLGuideStore(pool))
        }
    }

    // MARK: - Failures

    @Test("changes are whole or absent when their connection is cut before any of their statements", arguments: 0..<24)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            let one = Samples.channel("one")
            let before: [GuideChange] = [
                .channel(one), .airing(Samples.airing(one, Samples.program("p", "Old"), 0, 90)), .program(Samples.full),
            ]
            try await whole.apply(before)
            // BEGIN, the lock, three times what is there, three times two or three for the entities, three for the schedule, COMMIT.
            let span = Samples.minute(30)..<Samples.minute(60)
            let slot = try GuideSlot(Samples.airing(one, Samples.full, 30, 60))
            let after: [GuideChange] = [
                .work(Samples.work), .program(Samples.program("p", "New", subtitle: "By night")),
                .channel(Samples.channel("one", number: "5")),
                .schedule(try GuideSchedule(channel: "one", span: span, slots: [slot])),
            ]
            let memory = [MemoryGuideStore(), MemoryGuideStore()]
            for store in memory { try await store.apply(before) }
            try await memory[1].apply(after)
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLGuideStore(opened: pool)
            let result = await Result { try await store.apply(after) }
            let found = try await Self.all(whole)
            let expected = [try await Self.all(memory[0]), try await Self.all(memory[1])]
            switch result {
            case .success: #expect(found == expected[1])
            case .failure(let error):
                #expect((error as? EarshotError)?.code == .storeUnavailable)
                // Cut while it was kept, which it may have been.
                #expect(expected.contains(found))
            }
            // The last of them is after the COMMIT.
            if statement == 23 { #expect(!isCut()) }
            // The pool has a connection again.
            #expect(try await store.program("p", links: false) != nil)
        }
    }

    /// All that can be read of the guide of ``cuts(statement:)``, as text.
    private static func all(_ store: any GuideStore) async throws -> [String] {
        var found = ["\(try await store.counts())"]
        found += try await store.airings(from: .distantPast, to: .distantFuture).map { "\($0)" }
        found += try await store.channels(links: true).map { "\($0)" }
        for text in ["old", "new", "night", "evening", "salt"] {
            found.append("\(text) \(try await store.programs(titled: text, limit: 9).map(\.id))")
            found.append("\(text) \(try await store.works(titled: text, limit: 9).map(\.id))")
        }
        return found
    }

    @Test("a text with U+0000 is shown, and an identifier with one is refused and not found")
    func zeros() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            let (one, program) = (Samples.channel("one"), Samples.program("p", "Night\u{0}Train"))
            try await store.apply([.channel(one), .program(program)])
            #expect(try await store.program("p", links: false) == program)
            #expect(try await store.programs(titled: "night \u{0} train", limit: 9) == [program])
            var linked = one
            linked.externalIdentifiers = [.xmltv("x\u{0}")]
            let long = String(repeating: "é", count: 1_001)
            for change: GuideChange in [
                .program(Samples.program("p\u{0}", "P")), .work(VideoWork(id: "w\u{0}", title: Name("W"))),
                .channel(Samples.channel("\u{0}")), .channel(Samples.channel("t", tag: "a\u{0}")), .channel(linked),
                .airing(Samples.airing(one, Samples.program("\u{0}p", "P"), 0, 1)),
                .program(Samples.program(long, "Long")),
            ] {
                let error = await #expect(throws: EarshotError.self) { try await store.apply([change]) }
                #expect(error?.code == .metadataInvalid)
            }
            #expect(try await store.counts().programs == 1)
            #expect(try await store.program("p\u{0}", links: false) == nil)
            #expect(try await store.work("w\u{0}", links: false) == nil)
            #expect(try await store.channel("one\u{0}", links: false) == nil)
            #expect(try await store.channel(identifier: "one", tag: "\u{0}", source: .xmltv, links: false) == nil)
            #expect(try await store.airing(on: "one\u{0}", at: Samples.evening) == nil)
            #expect(try await store.airings(on: ["one\u{0}"], from: .distantPast, to: .distantFuture).isEmpty)
        }
    }

    @Test("words and searches of any length are taken")
    func lengths() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            // Of random letters, which an index cannot compress.
            var random = SeededGenerator(seed: 1)
            let word = String((0..<4_000).map { _ in "bcdfghjklmnpqrstuvwxz".randomElement(using: &random) ?? "b" })
            let titles = [word, word + " again", (0..<400).map { "w\($0)" }.joined(separator: " "), "塩" + word]
            try await store.apply(titles.enumerated().map { .program(Samples.program("p\($0)", $1)) })
            #expect(try await store.programs(titled: String(word.prefix(900)), limit: 9).count == 3)
            #expect(try await store.programs(titled: titles[2], limit: 9).map(\.id) == ["p2"])
            #expect(try await store.programs(titled: "w7 w8 w9 w7", limit: 9).map(\.id) == ["p2"])
            #expect(try await store.programs(titled: "塩", limit: 9).map(\.id) == ["p3"])
        }
    }

    // MARK: - Several nodes

    @Test("nodes that change the same schedules at once lose nothing, and mix nothing")
    func nodes() async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            let first = PostgreSQLGuideStore(opened: Self.slowPool(options))
            let second = PostgreSQLGuideStore(opened: Self.slowPool(options))
            let channels = (0..<4).map { Samples.channel("c\($0)") }
            try await first.apply(channels.map { .channel($0) })
            for round in 0..<12 {
                // In opposite orders.
                async let one: Void = first.apply(try channels.flatMap { try Self.schedule($0, 0, round) })
                async let other: Void = second.apply(
                    try channels.reversed().flatMap { try Self.schedule($0, 1, round) }
                )
                _ = try await (one, other)
                // Each channel shows the schedule of one import, the same on all.
                let shown = try await second.airings(from: .distantPast, to: .distantFuture)
                #expect(shown.count == 40, "round \(round)")
                #expect(Set(shown.map(\.program.title.text)).count == 1, "round \(round)")
            }
            // All programmes are there.
            #expect(try await first.counts().programs == 2 * 12 * 10)
        }
    }

    /// A pool whose statements begin a little later, by chance, so that those of others come between them.
    private static func slowPool(_ options: PostgreSQLOptions) -> PostgreSQLPool {
        PostgreSQLPool(options) { _ throws(PostgreSQLFailure) in usleep(.random(in: 0...4_000)) }
    }

    /// The changes that show ten programmes in a row on a channel, at times of the node's own.
    private static func schedule(_ channel: BroadcastChannel, _ node: Int, _ round: Int) throws -> [GuideChange] {
        let title = "\(node)-\(round)"
        let programs = (0..<10).map { Samples.program("\(title)/\($0)", title) }
        let slots = try programs.enumerated().map { number, program in
            let start = Double(number * 6 + node)
            return try GuideSlot(Samples.airing(channel, program, start, start + 5))
        }
        let span = Samples.minute(0)..<Samples.minute(60)
        return programs.map { .program($0) }
            + [.schedule(try GuideSchedule(channel: channel.id, span: span, slots: slots))]
    }

    @Test("a purge at one node leaves the programmes that an import at another one shows")
    func purge() async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            let importing = PostgreSQLGuideStore(opened: Self.slowPool(options))
            let purging = PostgreSQLGuideStore(opened: Self.slowPool(options), purgeSize: 3)
            let (one, film) = (Samples.channel("one"), Samples.program("f", "Film"))
            for round in 0..<20 {
                try await importing.apply([.airing(Samples.airing(one, film, -20, -10))])
                async let removed = purging.removeAirings(endedBy: Samples.evening, withPrograms: true)
                // The program is put by this when the purge was first, and kept by it when it was not.
                try await importing.apply([.airing(Samples.airing(one, film, 0, 10))])
                #expect(try await removed == 1, "round \(round)")
                #expect(try await importing.airing(on: "one", at: Samples.minute(5)) != nil, "round \(round)")
                // The next round's ended airing is its only one again.
                #expect(try await importing.removeAirings(endedBy: Samples.minute(10), withPrograms: true) == 1)
                #expect(try await importing.counts().programs == 0)
            }
        }
    }

    @Test("a guide is imported by one node while another one reads it, and again without a change")
    func importing() async throws {
        try await TestDatabase.run { options in
            let channels = (0..<5).map { Samples.channel("c\($0)") }
            let airings = channels.flatMap { channel in
                (0..<600).map { number in
                    let program = Samples.program("p\(number % 150)", "Title \(number % 150)")
                    return Samples.airing(channel, program, Double(number * 30), Double(number * 30 + 30))
                }
            }
            let guide = try XMLTVReader().guide(in: XMLTVWriter().data(channels: channels, airings: airings))
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLGuideStore(pool)
            let other = try await PostgreSQLGuideStore(PostgreSQLPool(options))
            async let summary = GuideImport(into: store, batchSize: 50).run(guide)
            for _ in 0..<20 { _ = try await other.airing(on: "c0.example", at: Samples.minute(45)) }
            #expect(try await summary.airings == 3_000)
            let counts = try await other.counts()
            #expect((counts.airings, counts.programs, counts.channels) == (3_000, 150, 5))
            #expect(try await other.airing(on: "c0.example", at: Samples.minute(45))?.program.title.text == "Title 1")
            // In pages.
            #expect(try await other.airings(from: .distantPast, to: .distantFuture).count == 3_000)
            #expect(
                try await other.airings(on: nil, from: .distantPast, to: .distantFuture, limit: 1_234).count == 1_234
            )
            let before = try await Self.versions(pool)
            try await GuideImport(into: store).run(guide)
            #expect(try await Self.versions(pool) == before)
            #expect(try await other.counts() == counts)
            #expect(try await store.removeAirings(endedBy: .distantFuture, withPrograms: true) == 3_000)
            #expect(try await other.counts().programs == 0)
        }
    }

    /// The sum of the transactions that wrote the rows of programmes, and of their words.
    private static func versions(_ pool: PostgreSQLPool) async throws -> [String?] {
        try await pool.read { connection in
            try ["guide_program", "guide_program_word", "guide_channel"].map { table in
                try connection.row("SELECT sum(xmin::text::bigint)::text AS sum FROM \(table)")?.text("sum")
            }
        }
    }

    @Test("two nodes that start at the same moment make the tables once")
    func starts() async throws {
        try await TestDatabase.run { options in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try await PostgreSQLGuideStore(PostgreSQLPool(options)) } }
                try await group.waitForAll()
            }
        }
    }

    @Test("an entry that another program has changed is told as damage")
    func damage() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLGuideStore(pool)
            try await store.apply([.airing(Samples.airing(Samples.channel("one"), Samples.full, 0, 90))])
            try await pool.write { connection in try connection.execute("UPDATE guide_program SET json = '{}'") }
            for read: @Sendable () async throws -> Void in [
                { _ = try await store.program("program-full", links: false) },
                { _ = try await store.airing(on: "one", at: Samples.evening) },
                { _ = try await store.airings(from: .distantPast, to: .distantFuture) },
                { _ = try await store.programs(titled: "film", limit: 9) },
            ] {
                let error = await #expect(throws: EarshotError.self) { try await read() }
                #expect(error?.code == .storeDamaged)
            }
            // The connection works on, outside of the transaction of the airings.
            #expect(try await store.work("work-1", links: true) == Samples.work)
            try await pool.write { connection in try connection.execute("DELETE FROM guide_writer") }
            let error = await #expect(throws: EarshotError.self) { try await store.apply([.work(Samples.work)]) }
            #expect(error?.code == .storeDamaged)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
