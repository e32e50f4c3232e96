import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotRecognition
import EarshotStations
import Foundation
import Logging
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Live channels on several nodes", .timeLimit(.minutes(3)))
struct LiveChannelFollowerTests {
    private static let now = Date(timeIntervalSince1970: 1_777_658_400)

    private static func node(
        _ folder: URL,
        _ name: String,
        _ store: any LiveChannelStore,
        clock: MediaClock = .system
    ) -> LiveChannels {
        LiveChannels(
            folder: folder.appendingPathComponent(name),
            hours: 6,
            shared: store,
            now: { now },
            logger: TestService.silentLogger,
            clock: clock
        )
    }

    /// Feeds 40 s of a piece that ended some seconds ago.
    @discardableResult
    private static func feed(
        _ seed: UInt64,
        _ channel: String,
        to node: LiveChannels,
        ago seconds: Double = 60
    ) async throws -> LiveFeedRecord {
        var intake = LiveChannels.Intake(channel: EntityID(channel), live: node)
        let begin = now.addingTimeInterval(-seconds - 40)
        try await intake.take(try BroadcastRouteTests.feed(seed, channel: EntityID(channel), at: begin), now: now)
        return try intake.finish()
    }

    private static func channels(_ seed: UInt64, _ node: LiveChannels) throws -> [String] {
        try node.places(of: try TestMusic.query(seed), heard: now).map(\.channel.rawValue)
    }

    @Test("what is sent to one node is found there at once, and by another when it has looked; once for all of them")
    func following() async throws {
        try await withTemporaryFolder { folder in
            let store = MemoryLiveChannelStore(now: { Self.now })
            let (a, b) = (Self.node(folder, "a", store), Self.node(folder, "b", store))
            let record = try await Self.feed(51, "7", to: a)
            #expect(record.taken >= 10 && record.passed == 0 && record.end != nil)
            #expect(try Self.channels(51, a) == ["7"])
            #expect(try Self.channels(51, b).isEmpty)
            // A sender that lost its connection sends again, to another node.
            let again = try await Self.feed(51, "7", to: b)
            #expect(again.taken == 0 && again.passed == record.taken)
            try await b.follower?.refresh()
            #expect(try Self.channels(51, b) == ["7"])
            #expect(b.index.channels == a.index.channels)
            // Two nodes are sent different channels.
            try await Self.feed(52, "8", to: b)
            try await a.follower?.refresh()
            #expect(try Self.channels(52, a) == ["8"])
            #expect(a.follower?.position == b.follower?.position)
        }
    }

    @Test("a piece that may not be is refused, and those before it are taken")
    func refused() async throws {
        try await withTemporaryFolder { folder in
            let store = MemoryLiveChannelStore(now: { Self.now })
            let node = Self.node(folder, "a", store)
            let error = await #expect(throws: EarshotError.self) { try await Self.feed(51, "7", to: node, ago: -90) }
            #expect(error?.code == .requestInvalid)
            // Up to a minute in the future a clock may be ahead.
            let entries = try await store.chunks(after: 0, limit: 100).entries
            let latest = Int64(Self.now.timeIntervalSince1970 + 60) * 1_000
            #expect(!entries.isEmpty && entries.allSatisfy { $0.chunk.end <= latest })
            let old = try await Self.feed(52, "8", to: node, ago: 7 * 3_600)
            #expect(old.taken == 0 && old.passed >= 10 && old.end == nil)
        }
    }

    @Test("a node that begins anew goes on where it was, and one that has lost its folder reads all")
    func restarting() async throws {
        try await withTemporaryFolder { folder in
            let store = MemoryLiveChannelStore(now: { Self.now })
            let (a, b) = (Self.node(folder, "a", store), Self.node(folder, "b", store))
            try await Self.feed(51, "7", to: a)
            try await b.follower?.refresh()
            try b.keep()
            let position = try #require(b.follower?.position)
            try await Self.feed(52, "8", to: a)
            let again = Self.node(folder, "b", store)
            #expect(again.follower?.position == position && position.number > 0)
            #expect(try Self.channels(51, again) == ["7"])
            try await again.follower?.refresh()
            #expect(try Self.channels(52, again) == ["8"])
            #expect(again.index.channels == a.index.channels)
            let new = Self.node(folder, "c", store)
            #expect(new.follower?.position == LiveChannelFollower.Position())
            try await new.follower?.refresh()
            #expect(new.index.channels == a.index.channels)
            // What was kept is gone, but not how far it went.
            let kept = folder.appendingPathComponent("b/live")
            for name in try FileManager.default.contentsOfDirectory(atPath: kept.path) where name != "position.json" {
                try FileManager.default.removeItem(at: kept.appendingPathComponent(name))
            }
            #expect(Self.node(folder, "b", store).follower?.position == LiveChannelFollower.Position())
        }
    }

    @Test("while the store is away a feed is refused, what is known is found, and all is there when it is back")
    func outage() async throws {
        try await withTemporaryFolder { folder in
            let store = ReplacedStore(MemoryLiveChannelStore(now: { Self.now }))
            let clock = ManualClock()
            let (a, b) = (Self.node(folder, "a", store), Self.node(folder, "b", store, clock: clock.clock))
            try await Self.feed(51, "7", to: b)
            let following = Task { await b.follower?.run(hints: AsyncStream { $0.finish() }) }
            store.isAway.withLock { $0 = true }
            let error = await #expect(throws: EarshotError.self) { try await Self.feed(52, "8", to: a) }
            #expect(error?.code == .storeUnavailable)
            #expect(try Self.channels(51, b) == ["7"])
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 1)
            while store.refusals.withLock({ $0 }) < 2 { await Task.yield() }
            store.isAway.withLock { $0 = false }
            try await Self.feed(52, "8", to: a)
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 1)
            while b.index.channels.count < 2 { await Task.yield() }
            following.cancel()
            await following.value
            #expect(try Self.channels(52, b) == ["8"])
        }
    }

    @Test("a hint is followed at once")
    func hints() async throws {
        try await withTemporaryFolder { folder in
            let store = MemoryLiveChannelStore(now: { Self.now })
            let clock = ManualClock()
            let (a, b) = (Self.node(folder, "a", store), Self.node(folder, "b", store, clock: clock.clock))
            let hints = AsyncStream.makeStream(of: String?.self)
            let following = Task { await b.follower?.run(hints: hints.stream) }
            try await Self.feed(51, "7", to: a)
            hints.continuation.yield("")
            while b.index.channels.isEmpty { await Task.yield() }
            following.cancel()
            await following.value
        }
    }

    @Test("after a standby took the place of the database, chunks whose numbers were given before are read too")
    func failover() async throws {
        try await withTemporaryFolder { folder in
            let store = ReplacedStore(MemoryLiveChannelStore(log: "log", now: { Self.now }))
            let (a, b) = (Self.node(folder, "a", store), Self.node(folder, "b", store))
            try await Self.feed(51, "7", to: a)
            try await b.follower?.refresh()
            // The standby had nothing of that, and gives the same numbers to another channel.
            let standby = MemoryLiveChannelStore(log: "log", now: { Self.now })
            store.replace(with: standby)
            try await Self.feed(52, "8", to: Self.node(folder, "c", standby))
            let hints = AsyncStream.makeStream(of: String?.self)
            let following = Task { await b.follower?.run(hints: hints.stream) }
            hints.continuation.yield(nil)
            while b.index.channels.count < 2 { await Task.yield() }
            following.cancel()
            await following.value
            #expect(try Self.channels(52, b) == ["8"])
            #expect(try Self.channels(51, b) == ["7"])
        }
    }

    @Test(
        "another database, and one that gives lower numbers, is read from where it differs",
        arguments: ["log", "other"]
    )
    func replaced(log: String) async throws {
        try await withTemporaryFolder { folder in
            let store = ReplacedStore(MemoryLiveChannelStore(log: "log", now: { Self.now }))
            let b = Self.node(folder, "b", store)
            try await Self.feed(51, "7", to: b)
            try await Self.feed(53, "9", to: b)
            let other = MemoryLiveChannelStore(log: log, now: { Self.now })
            store.replace(with: other)
            try await Self.feed(52, "8", to: Self.node(folder, "c", other))
            try await b.follower?.refresh()
            #expect(try Self.channels(52, b) == ["8"])
            #expect(b.follower?.position == LiveChannelFollower.Position(log: log, number: try await other.last))
        }
    }

    @Test("one node removes what is too old for all")
    func removing() async throws {
        try await withTemporaryFolder { folder in
            let time = Mutex(Self.now)
            let store = MemoryLiveChannelStore(now: { time.withLock { $0 } })
            let node = Self.node(folder, "a", store)
            try await Self.feed(51, "7", to: node)
            let keeper = LeaseKeeper(MemoryLeaseStore(), node: NodeID(rawValue: "a"))
            try await node.removeExpired(keeper)
            #expect(try await !store.chunks(after: 0, limit: 9).entries.isEmpty)
            time.withLock { $0 = Self.now.addingTimeInterval(6 * 3_600) }
            try await node.removeExpired(keeper)
            #expect(try await store.chunks(after: 0, limit: 9).entries.isEmpty)
        }
    }

    @Test("a channel that one service is fed is known to another one")
    func services() async throws {
        let store = MemoryLiveChannelStore()
        try await TestService.run(live: store) { (first: TestService) async throws in
            try await TestService.run(live: store) { (second: TestService) async throws in
                let data = try BroadcastRouteTests.feed(51, channel: "7", at: first.time.now - 60)
                let reply = try await first.ask(
                    .PUT,
                    "/v1/channels/7/live",
                    token: first.admin,
                    type: ServiceAPI.liveFeedType,
                    body: data
                )
                #expect(try reply.decoded(LiveFeedRecord.self).taken > 0)
                var isKnown = false
                for _ in 0..<4_000 where !isKnown {
                    let reply = try await second.ask(.GET, "/v1/live-channels", token: second.admin)
                    isKnown = String(decoding: reply.bytes, as: UTF8.self).contains(#""7""#)
                    if !isKnown { try await Task.sleep(for: .milliseconds(5)) }
                }
                #expect(isKnown)
            }
        }
    }
}

extension MemoryLiveChannelStore {
    fileprivate var last: Int {
        get async throws { try await chunks(after: 0, limit: 0).last }
    }
}

/// A store in whose place another one comes, and that at times cannot be reached.
private final class ReplacedStore: LiveChannelStore {
    private let base: Mutex<any LiveChannelStore>
    let isAway = Mutex(false)
    /// How often it was asked while it was away.
    let refusals = Mutex(0)

    init(_ base: any LiveChannelStore) { self.base = Mutex(base) }

    func replace(with base: any LiveChannelStore) { self.base.withLock { $0 = base } }

    private func reached() throws(EarshotError) -> any LiveChannelStore {
        if isAway.withLock({ $0 }) {
            refusals.withLock { $0 += 1 }
            throw EarshotError(.storeUnavailable, "The store is away.")
        }
        return base.withLock { $0 }
    }

    func append(
        _ chunks: [LiveChannelChunk],
        to channel: String,
        channelLimit: Int
    ) async throws(EarshotError) -> [Bool] {
        try await reached().append(chunks, to: channel, channelLimit: channelLimit)
    }

    func chunks(after number: Int, limit: Int) async throws(EarshotError) -> LiveChannelPage {
        try await reached().chunks(after: number, limit: limit)
    }

    func remove(olderThan seconds: Double) async throws(EarshotError) -> Int {
        try await reached().remove(olderThan: seconds)
    }
}
