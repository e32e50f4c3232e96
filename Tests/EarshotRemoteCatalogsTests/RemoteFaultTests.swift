import EarshotCatalogs
import EarshotCore
import EarshotRemoteCatalogs
import EarshotSessions
import Foundation
import TestSupport
import Testing

@Suite("Catalogs over a network that fails")
struct RemoteFaultTests {
    @Test("Only what is signed with the publisher's key is taken")
    func signatures() async throws {
        try await RemoteBench.with { bench in
            let key = SigningKey()
            let options = RemoteCatalog.Options(publisherKey: key.publicKey)
            let unsigned = try RemoteBench.catalog(1)
            try bench.publish(unsigned, etag: "\"1\"")
            let remote = try bench.remote(options)
            #expect(await code { try await remote.update() } == .verificationFailed)
            try bench.publish(unsigned, etag: "\"1\"", key: SigningKey())
            #expect(await code { try await remote.update() } == .verificationFailed)
            try bench.publish(unsigned, etag: "\"1\"", key: key)
            try await remote.update()
            #expect(try RemoteBench.answer(remote.current, 1) == "Song 1")
            // What was checked with one key is not taken for what another signed.
            let other = RemoteCatalog.Options(publisherKey: SigningKey().publicKey)
            #expect(try bench.remote(other).source == .none)
            #expect(try bench.remote(options).source == .cache)
        }
    }

    @Test("Keys go through their files; the secret one is its owner's alone")
    func keys() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("publisher.key")
            let key = SigningKey()
            try key.write(to: url)
            let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
            let again = try SigningKey(contentsOf: url)
            #expect(again.publicKey == key.publicKey)
            let text = try String(contentsOf: url.appendingPathExtension("pub"), encoding: .utf8)
            #expect(try PublisherKey(text) == key.publicKey)
            #expect(try PublisherKey(key.publicKey.description) == key.publicKey)
            #expect(code { try key.write(to: url) } == .destinationExists)
            let secret = try String(contentsOf: url, encoding: .utf8)
            for wrong in ["", "x", "AAAA", secret] {
                #expect(code { _ = try PublisherKey(wrong) } == .verificationFailed)
            }
            #expect(code { _ = try SigningKey(contentsOf: url.appendingPathExtension("pub")) } == .verificationFailed)
            let file = folder.appendingPathComponent("a.earcat")
            try RemoteBench.catalog(1).write(to: file)
            #expect(code { try key.publicKey.verify(file) } == .verificationFailed)
            try key.sign(file)
            try key.publicKey.verify(file)
            try RemoteBench.catalog(2).write(to: file, replacing: true)
            #expect(code { try key.publicKey.verify(file) } == .verificationFailed)
        }
    }

    @Test("Statuses, senseless ranges and too many bytes fail with a remedy", arguments: [404, 403, 500, 304])
    func statuses(status: Int) async throws {
        try await RemoteBench.with { bench in
            try bench.publish(try RemoteBench.catalog(1))
            bench.server.fail(RemoteBench.path, .status(status))
            let remote = try bench.remote()
            #expect(await code { try await remote.update() } == .downloadFailed)
            #expect(remote.lastError?.message.contains("\(status)") == true)
            // A hash that cannot be had is not taken for one that is not there.
            bench.server.fail(RemoteBench.path + ".sha256", .status(500))
            #expect(await code { try await remote.update() } == .downloadFailed)
            try await remote.update()
        }
    }

    @Test("A part that does not fit what the server has is given up")
    func parts() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1), etag: "\"one\"")
            bench.server.fail(RemoteBench.path, .cut(after: 1_000), .wrongRange)
            let remote = try bench.remote()
            for _ in 0..<2 { #expect(await code { try await remote.update() } == .downloadFailed) }
            // Longer than the file: the server refuses to go on, and it is fetched anew.
            try (data + Data(count: 10)).write(to: bench.partial)
            try await remote.update()
            #expect(try Data(contentsOf: bench.cached) == data)
            #expect(bench.server.exchanges(at: RemoteBench.path).map(\.status) == [200, 206, 416, 200])
        }
    }

    @Test("More bytes than allowed are not fetched")
    func size() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1))
            var options = RemoteCatalog.Options()
            options.sizeLimit = Int64(data.count - 1)
            let small = try bench.remote(options)
            #expect(await code { try await small.update() } == .downloadFailed)
            #expect(!FileManager.default.fileExists(atPath: bench.partial.path))
            options.sizeLimit += 1
            try await bench.remote(options).update()
        }
    }

    @Test("Redirects are followed, five of them, to http and https only")
    func redirects() async throws {
        try await RemoteBench.with { bench in
            let data = try RemoteBench.catalog(1).data()
            bench.server.publish(data, at: "/elsewhere.earcat")
            bench.server.fail(RemoteBench.path, .redirect(to: bench.server.url("/elsewhere.earcat").absoluteString))
            try await bench.remote().update()
            #expect(try Data(contentsOf: bench.cached) == data)
            let circle = LoopbackServer.Fault.redirect(to: bench.address.absoluteString)
            bench.server.fail(RemoteBench.path, circle, circle, circle, circle, circle, circle)
            let remote = try bench.remote()
            #expect(await code { try await remote.update() } == .downloadFailed)
            #expect(bench.server.exchanges(at: RemoteBench.path).count == 7)
            bench.server.fail(RemoteBench.path, .redirect(to: "file:///etc/hostname"))
            #expect(await code { try await remote.update() } == .downloadFailed)
            #expect(remote.source == .cache)
        }
    }

    @Test("Only http and https are fetched, and no secret of an address is shown")
    func addresses() async throws {
        try await RemoteBench.with { bench in
            for text in ["ftp://example.org/a.earcat", "file:///a.earcat", "a.earcat", "https:///a.earcat"] {
                let url = try #require(URL(string: text))
                #expect(
                    code { _ = try RemoteCatalog(at: url, cacheFolder: bench.cache, options: .init()) }
                        == .downloadFailed
                )
            }
            let url = bench.server.url(RemoteBench.path + "?token=hidden", credentials: "user:secret@")
            let remote = try RemoteCatalog(at: url, cacheFolder: bench.cache, options: .init())
            #expect(await code { try await remote.update() } == .downloadFailed)
            let message = try #require(remote.lastError?.message)
            #expect(message.contains(bench.address.absoluteString))
            #expect(!message.contains("secret") && !message.contains("hidden") && !message.contains("user"))
            bench.server.publish(try RemoteBench.catalog(1).data(), at: RemoteBench.path + "?token=hidden")
            try await remote.update()
            #expect(remote.current.identity.source == bench.address)
            for name in try FileManager.default.contentsOfDirectory(atPath: bench.cache.path) {
                let bytes = try Data(contentsOf: bench.cache.appendingPathComponent(name))
                for word in ["secret", "hidden"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
            }
        }
    }

    @Test("A canceled download is no failure of the catalog, and is gone on with")
    func cancelled() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1), etag: "\"one\"")
            bench.server.fail(RemoteBench.path, .stalled(after: 1_000))
            let remote = try bench.remote(bundled: try bench.bundle(try RemoteBench.catalog(2)))
            let update = Task { await code { try await remote.update() } }
            while (try? Data(contentsOf: bench.partial).count) != 1_000 { await Task.yield() }
            update.cancel()
            #expect(await update.value == .cancelled)
            #expect(remote.lastError == nil)
            try await remote.update()
            #expect(try Data(contentsOf: bench.cached) == data)
            #expect(bench.server.exchanges(at: RemoteBench.path).last?.headers["range"] == "bytes=1000-")
        }
    }
}
