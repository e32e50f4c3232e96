import EarshotCore
import EarshotNodes
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Live channels in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLLiveChannelStoreTests {
    @Test("a store keeps every rule of live channels", arguments: LiveChannelStoreRule.all)
    func rules(rule: LiveChannelStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLLiveChannelStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: LiveChannelStoreRule.all)
    func conflicts(rule: LiveChannelStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLLiveChannelStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLLiveChannelStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("chunks are kept all or none when the connection is cut", arguments: 0..<10)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLLiveChannelStore(PostgreSQLPool(options))
            let store = PostgreSQLLiveChannelStore(opened: PostgreSQLPool.cut(options, before: statement).pool)
            let chunks = (0..<2).map { number in
                LiveChannelChunk(start: number * 4_000, end: number * 4_000 + 4_000, signature: Data([1]))
            }
            var isAcknowledged = true
            do throws(EarshotError) {
                #expect(try await store.append(chunks, to: "7", channelLimit: 8) == [true, true])
            } catch {
                #expect(error.code == .storeUnavailable)
                isAcknowledged = false
            }
            let page = try await whole.chunks(after: 0, limit: 9)
            #expect(page.entries.count == page.last && [0, 2].contains(page.last))
            #expect(page.last == 2 || !isAcknowledged)
            // A sender that got no answer sends again.
            _ = try await store.append(chunks, to: "7", channelLimit: 8)
            #expect(try await whole.chunks(after: 0, limit: 9).entries.map(\.chunk) == chunks)
        }
    }

    @Test("whoever listens is told that there is something to read")
    func notification() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLLiveChannelStore(PostgreSQLPool(options))
            let listener = PostgreSQLListener(options)
            var hints = listener.hints(PostgreSQLLiveChannelStore.notifications).makeAsyncIterator()
            // The server tells from now on.
            #expect(await hints.next() == .some(nil))
            _ = try await store.append(
                [LiveChannelChunk(start: 0, end: 4_000, signature: Data([1]))],
                to: "7",
                channelLimit: 8
            )
            #expect(await hints.next() == "")
            withExtendedLifetime(listener) {}
        }
    }
}
