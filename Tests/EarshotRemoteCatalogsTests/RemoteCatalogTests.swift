import EarshotCatalogs
import EarshotCore
import EarshotRemoteCatalogs
import EarshotSessions
import Foundation
import TestSupport
import Testing

@Suite("Catalogs over a network")
struct RemoteCatalogTests {
    @Test("A catalog file that a server has is loaded elsewhere, and matches", .requirements("R-CC-033"))
    func fetches() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1, 2))
            let remote = try bench.remote()
            #expect(remote.current.isEmpty)
            #expect(remote.lastError?.code == .catalogAddressInvalid)
            let fetched = try #require(try await remote.update())
            #expect(try RemoteBench.answer(fetched, 2) == "Song 2")
            #expect(try Data(contentsOf: bench.cached) == data)
            #expect(remote.lastError == nil)
            #expect(fetched.identity.id == "music")
            #expect(fetched.identity.source == bench.address)
            #expect(!FileManager.default.fileExists(atPath: bench.partial.path))
        }
    }

    @Test("Without a network it begins with the bundled catalog, and matches", .requirements("R-CC-092"))
    func offline() async throws {
        try await RemoteBench.with { bench in
            let bundle = try bench.bundle(try RemoteBench.catalog(3))
            let remote = try bench.remote(bundled: bundle)
            bench.server.stop()
            #expect(remote.source == .bundle)
            #expect(try RemoteBench.answer(remote.current, 3) == "Song 3")
            #expect(remote.current.identity.source == bundle)
            #expect(await code { try await remote.update() } == .downloadFailed)
            #expect(remote.lastError?.code == .downloadFailed)
            #expect(try RemoteBench.answer(remote.current, 3) == "Song 3")
        }
    }

    @Test("While a download waits, the catalog at hand is matched", .requirements("R-CC-093"))
    func slow() async throws {
        try await RemoteBench.with { bench in
            let bundle = try bench.bundle(try RemoteBench.catalog(3))
            try bench.publish(try RemoteBench.catalog(4))
            bench.server.fail(RemoteBench.path, .stalled(after: 100))
            let remote = try bench.remote(bundled: bundle)
            let update = Task { try await remote.update() }
            while bench.server.exchanges.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            // The server has answered and says no more until it is released: these do not wait for it.
            #expect(try RemoteBench.answer(remote.current, 3) == "Song 3")
            #expect(try RemoteBench.answer(remote.current, 4) == nil)
            bench.server.release()
            _ = try await update.value
            #expect(try RemoteBench.answer(remote.current, 4) == "Song 4")
        }
    }

    @Test("Download, cache, bundle: without one the next is taken", .requirements("R-CC-094"))
    func order() async throws {
        try await RemoteBench.with { bench in
            let bundle = try bench.bundle(try RemoteBench.catalog(1))
            try bench.publish(try RemoteBench.catalog(2))
            let first = try bench.remote(bundled: bundle)
            try await first.update()
            #expect(first.source == .download)
            // A newer one on the server, and no way to it: what was fetched before.
            try bench.publish(try RemoteBench.catalog(3))
            bench.server.stop()
            let second = try bench.remote(bundled: bundle)
            #expect(await code { try await second.update() } == .downloadFailed)
            #expect(second.source == .cache)
            #expect(try RemoteBench.answer(second.current, 2) == "Song 2")
            #expect(second.current.identity.source == bench.cached)
            // Without that the bundle; what is damaged counts as not there.
            try Data("damaged".utf8).write(to: bench.cached)
            #expect(try bench.remote(bundled: bundle).source == .bundle)
            try FileManager.default.removeItem(at: bench.cached)
            let third = try bench.remote(bundled: bundle)
            #expect(third.source == .bundle)
            #expect(try RemoteBench.answer(third.current, 1) == "Song 1")
            // Without that none, and a reason.
            try FileManager.default.removeItem(at: bundle)
            let fourth = try bench.remote(bundled: bundle)
            #expect(fourth.source == .none)
            #expect(fourth.current.isEmpty)
            #expect(fourth.lastError?.code == .catalogAddressInvalid)
        }
    }

    @Test("A wrong hash is refused, and the old catalog stays", .requirements("R-CC-095"))
    func wrongHash() async throws {
        try await RemoteBench.with { bench in
            let old = try bench.publish(try RemoteBench.catalog(1), etag: "\"1\"")
            let remote = try bench.remote()
            try await remote.update()
            let new = try bench.publish(try RemoteBench.catalog(2), etag: "\"2\"")
            bench.server.fail(RemoteBench.path, .wrong(at: new.count / 2))
            #expect(await code { try await remote.update() } == .verificationFailed)
            #expect(remote.lastError?.code == .verificationFailed)
            #expect(try RemoteBench.answer(remote.current, 1) == "Song 1")
            #expect(try Data(contentsOf: bench.cached) == old)
            #expect(!FileManager.default.fileExists(atPath: bench.partial.path))
            #expect(try bench.remote().source == .cache)
            // Sent rightly, it is taken.
            try await remote.update()
            #expect(try RemoteBench.answer(remote.current, 2) == "Song 2")
        }
    }

    @Test("Without a hash, damage and what is no catalog are refused all the same")
    func noHash() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1))
            bench.server.remove(RemoteBench.path + ".sha256")
            let remote = try bench.remote()
            for fault in [LoopbackServer.Fault.wrong(at: data.count / 2), .wrong(at: 0)] {
                bench.server.fail(RemoteBench.path, fault)
                #expect(await code { try await remote.update() } == .verificationFailed)
                #expect(remote.source == .none)
            }
            try await remote.update()
            #expect(remote.source == .download)
        }
    }

    @Test("What has not changed is answered with 304 and not fetched", .requirements("R-CC-096"))
    func unchanged() async throws {
        try await RemoteBench.with { bench in
            try bench.publish(try RemoteBench.catalog(1), etag: "\"one\"")
            let remote = try bench.remote()
            #expect(try await remote.update() != nil)
            let before = bench.server.exchanges.count
            #expect(try await remote.update() == nil)
            // Another object, as after a restart.
            let later = try bench.remote()
            #expect(later.source == .cache)
            #expect(try await later.update() == nil)
            #expect(later.source == .download)
            let exchanges = bench.server.exchanges.dropFirst(before)
            #expect(exchanges.map(\.status) == [304, 304])
            #expect(exchanges.allSatisfy { $0.headers["if-none-match"] == "\"one\"" })
            // Without the file there is nothing to compare with.
            try FileManager.default.removeItem(at: bench.cached)
            #expect(try await bench.remote().update() != nil)
        }
    }

    @Test("A broken download goes on where it stopped, in another object too", .requirements("R-CC-097"))
    func resumes() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1), etag: "\"one\"")
            bench.server.fail(RemoteBench.path, .cut(after: 1_000), .cut(after: 500))
            for _ in 0..<2 {
                let remote = try bench.remote()
                #expect(await code { try await remote.update() } == .downloadFailed)
            }
            let kept = try Data(contentsOf: bench.partial)
            #expect(kept == data.prefix(1_500))
            try await bench.remote().update()
            #expect(try Data(contentsOf: bench.cached) == data)
            let exchanges = bench.server.exchanges(at: RemoteBench.path)
            #expect(exchanges.map(\.status) == [200, 206, 206])
            #expect(exchanges.map { $0.headers["range"] } == [nil, "bytes=1000-", "bytes=1500-"])
            #expect(exchanges.last?.headers["if-range"] == "\"one\"")
        }
    }

    @Test("A part of another state is not gone on with")
    func changedMeanwhile() async throws {
        try await RemoteBench.with { bench in
            try bench.publish(try RemoteBench.catalog(1), etag: "\"one\"")
            bench.server.fail(RemoteBench.path, .cut(after: 1_000))
            let remote = try bench.remote()
            #expect(await code { try await remote.update() } == .downloadFailed)
            let new = try bench.publish(try RemoteBench.catalog(2), etag: "\"two\"")
            try await remote.update()
            #expect(try Data(contentsOf: bench.cached) == new)
            #expect(bench.server.exchanges(at: RemoteBench.path).map(\.status) == [200, 200])
        }
    }
}
