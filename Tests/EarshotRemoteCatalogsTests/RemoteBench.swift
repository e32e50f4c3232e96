import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotRemoteCatalogs
import EarshotSessions
import EarshotSignatures
import Foundation
import TestSupport

/// A server with a catalog, and a folder to fetch it to.
struct RemoteBench {
    static let path = "/music.earcat"

    let server: LoopbackServer
    let folder: URL
    var cache: URL { folder.appendingPathComponent("cache") }
    var cached: URL { cache.appendingPathComponent("catalog.earcat") }
    var partial: URL { cache.appendingPathComponent("catalog.earcat.partial") }
    var address: URL { server.url(Self.path) }

    /// Gives the body a bench, and takes it down afterwards.
    static func with(_ body: (RemoteBench) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            try await body(RemoteBench(server: server, folder: folder))
        }
    }

    /// A catalog of references that are named by the seeds of their landmarks.
    static func catalog(_ seeds: UInt64...) throws -> Catalog {
        var catalog = Catalog()
        for seed in seeds {
            let item = try MediaItem(properties: [.title: .string("Song \(seed)")])
            try catalog.add(.random(seed: seed, seconds: 12), representing: [item], id: ReferenceID("\(seed)"))
        }
        return catalog
    }

    /// What a catalog says to five seconds of a reference.
    static func answer(_ catalog: Catalog, _ seed: UInt64) throws -> String? {
        let query = Signature.random(seed: seed, seconds: 12).slice(
            from: MediaTime(value: 3, timescale: 1),
            duration: MediaTime(value: 5, timescale: 1)
        ).signature
        return try catalog.match(query)?.mediaItems.first?.title
    }

    /// Puts a catalog on the server, with its SHA-256 beside it and signed where a key is given.
    @discardableResult
    func publish(_ catalog: Catalog, etag: String? = nil, key: SigningKey? = nil) throws -> Data {
        let data = try catalog.data()
        let file = folder.appendingPathComponent("publisher.earcat")
        try data.write(to: file)
        server.publish(data, at: Self.path, etag: etag)
        // The digest comes from the signer, which writes both files.
        try (key ?? SigningKey()).sign(file)
        server.publish(try Data(contentsOf: file.appendingPathExtension("sha256")), at: Self.path + ".sha256")
        server.remove(Self.path + ".sig")
        if key != nil {
            server.publish(try Data(contentsOf: file.appendingPathExtension("sig")), at: Self.path + ".sig")
        }
        return data
    }

    func remote(bundled: URL? = nil, _ options: RemoteCatalog.Options = .init()) throws -> RemoteCatalog {
        try RemoteCatalog(at: address, cacheFolder: cache, bundled: bundled, options: options)
    }

    func bundle(_ catalog: Catalog) throws -> URL {
        let url = folder.appendingPathComponent("bundle.earcat")
        try catalog.write(to: url, replacing: true)
        return url
    }
}

extension RemoteCatalog.Options {
    /// Options with the transport of all systems.
    init(
        publisherKey: PublisherKey? = nil,
        clock: MediaClock = .system,
        draw: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.init(publisherKey: publisherKey, transport: AsyncHTTPTransport(), clock: clock, draw: draw)
    }
}

/// The code of the error that a body throws, or nothing when it throws none.
func code(of body: () async throws -> Void) async -> EarshotError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? EarshotError)?.code
    }
}
