import EarshotCatalogs
import EarshotCore
import EarshotRemoteCatalogs
import EarshotSessions
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Updates of catalogs over a network")
struct RemoteUpdatesTests {
    @Test("Pauses double from 1 s to 300 s, and vary by a fifth at most", .requirements("R-CC-098"))
    func schedule() {
        let plain = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map(Double.init)
        func pauses(_ draw: Double) -> [Double] {
            var backoff = Backoff.downloads
            return plain.map { _ in backoff.failed(random: draw).seconds }
        }
        #expect(pauses(0.5) == plain)
        for (low, high) in zip(pauses(0), pauses(1)) { #expect(low < high) }
        property("pauses stay within the jitter", rounds: 200) { generator in
            var backoff = Backoff.downloads
            for base in plain {
                let pause = backoff.failed(random: .random(in: 0...1, using: &generator)).seconds
                guard (base * 0.8 - 1e-6...base * 1.2 + 1e-6).contains(pause) else { return false }
            }
            backoff.reset()
            return backoff.failures == 0 && backoff.failed(random: 0.5).seconds == 1
        }
    }

    /// A transport that always fails, and counts.
    private final class Nowhere: CatalogTransport {
        let count = Mutex(0)

        func fetch(_ request: TransportRequest, to receiver: any TransportReceiver) async throws {
            count.withLock { $0 += 1 }
            throw URLError(.notConnectedToInternet)
        }
    }

    @Test("After failures it asks in these pauses, and at once when the network is back", .requirements("R-CC-098"))
    func pauses() async throws {
        try await withTemporaryFolder { folder in
            let (clock, nowhere) = (ManualClock(), Nowhere())
            let remote = try RemoteCatalog(
                at: URL(string: "https://example.org/a.earcat")!,
                cacheFolder: folder,
                options: .init(transport: nowhere, clock: clock.clock, draw: { 0.5 })
            )
            let updates = remote.updates
            func asleep() async { while clock.sleeperCount != 1 { await Task.yield() } }
            for (index, pause) in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].enumerated() {
                await asleep()
                #expect(nowhere.count.withLock { $0 } == index + 1)
                clock.advance(by: pause - 0.001)
                #expect(clock.sleeperCount == 1)
                // It is awake, and may be asleep again before anybody looks: what it asked shows that it was.
                clock.advance(by: 0.001)
                while nowhere.count.withLock({ $0 }) == index + 1 { await Task.yield() }
            }
            await asleep()
            remote.networkReturned()
            while nowhere.count.withLock({ $0 }) == 12 { await Task.yield() }
            // The clock stood still, and the schedule begins anew.
            await asleep()
            clock.advance(by: 1)
            while nowhere.count.withLock({ $0 }) == 13 { await Task.yield() }
            withExtendedLifetime((remote, updates)) {}
        }
    }

    @Test("New states come as they are published, without asking for more than there is")
    func states() async throws {
        try await RemoteBench.with { bench in
            try bench.publish(try RemoteBench.catalog(1), etag: "\"1\"")
            let clock = ManualClock()
            let remote = try bench.remote(.init(clock: clock.clock))
            var updates = remote.updates.makeAsyncIterator()
            let first = try #require(await updates.next())
            #expect(try RemoteBench.answer(first, 1) == "Song 1")
            while clock.sleeperCount != 1 { await Task.yield() }
            try bench.publish(try RemoteBench.catalog(2), etag: "\"2\"")
            clock.advance(by: 3_600)
            let second = try #require(await updates.next())
            #expect(try RemoteBench.answer(second, 2) == "Song 2")
            #expect(bench.server.exchanges(at: RemoteBench.path).map(\.status) == [200, 200])
        }
    }

    @Test("A session goes on with each new state", .requirements("R-CC-099"))
    func session() async throws {
        try await RemoteBench.with { bench in
            let bundle = try bench.bundle(try RemoteBench.catalog(1))
            try bench.publish(try RemoteBench.catalog(1, 2))
            let remote = try bench.remote(bundled: bundle)
            let session = MatchSession(catalog: remote.current)
            let query = Signature.random(seed: 2, seconds: 12).slice(
                from: MediaTime(value: 3, timescale: 1),
                duration: MediaTime(value: 5, timescale: 1)
            ).signature
            guard case .noMatch = await session.result(from: query) else {
                Issue.record("The bundled catalog does not have it.")
                return
            }
            for await catalog in remote.updates {
                session.replace(catalog)
                break
            }
            guard case .match(let match) = await session.result(from: query) else {
                Issue.record("The fetched catalog has it.")
                return
            }
            #expect(match.mediaItems.first?.title == "Song 2")
        }
    }

    @Test("Calls at the same time take turns, and the second finds nothing new")
    func together() async throws {
        try await RemoteBench.with { bench in
            try bench.publish(try RemoteBench.catalog(1), etag: "\"1\"")
            let remote = try bench.remote()
            async let one = remote.update()
            async let two = remote.update()
            let fetched = try await [one, two].compactMap { $0 }
            #expect(fetched.count == 1)
            #expect(bench.server.exchanges(at: RemoteBench.path).map(\.status) == [200, 304])
        }
    }
}
