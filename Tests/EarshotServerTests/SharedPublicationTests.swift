import EarshotAPI
import EarshotCore
import EarshotNodes
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Bundles and catalogs that nodes share", .timeLimit(.minutes(1)))
struct SharedPublicationTests {
    /// Two nodes on the same stores.
    private struct Nodes {
        let first: TestService
        let second: TestService
        let store: MemoryPublicationStore
        let bucket: FolderObjectStore
    }

    private func withNodes(_ body: (Nodes) async throws -> Void) async throws {
        try await withTemporaryFolder { (folder: URL) async throws in
            let (store, bucket) = (MemoryPublicationStore(), FolderObjectStore(folder))
            // Each node has a cache of its own.
            func shared() -> SharedPublications { SharedPublications(store, objects: bucket) }
            try await TestService.run(publications: shared()) { (first: TestService) async throws in
                try await TestService.run(publications: shared()) { (second: TestService) async throws in
                    try await body(Nodes(first: first, second: second, store: store, bucket: bucket))
                }
            }
        }
    }

    private func bundle(_ version: UInt64) async throws -> Data {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        try TestBundles.write(version: version, to: url)
        return try Data(contentsOf: url)
    }

    private func publish(_ data: Data, _ node: TestService) async throws -> TestService.Reply {
        try await node.ask(.PUT, "/v1/bundles/ads", token: node.admin, type: ServiceAPI.bundleType, body: data)
    }

    @Test("a bundle that one node publishes is listed and sent by another, and fetched once")
    func bundles() async throws {
        try await withNodes { (nodes: Nodes) async throws in
            let (first, second) = (try await bundle(1), try await bundle(2))
            #expect(try await publish(first, nodes.first).status == 200)
            let token = try await nodes.second.token()
            for _ in 0..<2 {
                let sent = try await nodes.second.ask(.GET, "/v1/bundles/ads", token: token)
                #expect(sent.status == 200 && sent.bytes == first)
            }
            #expect(nodes.bucket.fetched.withLock { $0.count } == 1)
            #expect(try await publish(second, nodes.second).status == 200)
            let other = try await nodes.first.token()
            let list = try await nodes.first.ask(.GET, "/v1/bundles", token: other).decoded(BundleList.self)
            #expect(list.bundles.map(\.version) == [2])
            #expect(try await nodes.first.ask(.GET, "/v1/bundles/ads", token: other).bytes == second)
            // An earlier version is refused wherever it comes, the same is no change.
            #expect(try await publish(first, nodes.first).status == 409)
            #expect(try await publish(second, nodes.first).status == 200)
            #expect(try await nodes.first.ask(.DELETE, "/v1/bundles/ads", token: nodes.first.admin).status == 204)
            #expect(try await nodes.second.ask(.GET, "/v1/bundles/ads", token: token).status == 404)
        }
    }

    @Test("versions of a catalog are counted over all nodes, and each node sends all of them")
    func catalogs() async throws {
        try await withNodes { (nodes: Nodes) async throws in
            var versions: [CatalogVersion] = []
            for node in [nodes.first, nodes.second, nodes.first] {
                let made = try await node.ask(.POST, "/v1/catalogs/radio/versions", token: node.admin)
                #expect(made.status == 201)
                versions.append(try made.decoded(CatalogVersion.self))
            }
            #expect(versions.map(\.version) == [1, 2, 3])
            for node in [nodes.first, nodes.second] {
                let token = try await node.token()
                let list = try await node.ask(.GET, "/v1/catalogs/radio/versions", token: token)
                #expect(try list.decoded([CatalogVersion].self) == versions)
                for version in versions {
                    let sent = try await node.ask(
                        .GET,
                        "/v1/catalogs/radio/versions/\(version.version)",
                        token: token
                    )
                    #expect(sent.status == 200 && sent.bytes.count == version.size)
                    #expect(sent.headers.first(name: "ETag") == "\"\(version.sha256)\"")
                }
            }
        }
    }

    @Test("a service that had catalogs in its folder goes on counting when it shares them")
    func counting() async throws {
        try await TestService.run { (service: TestService) async throws in
            let catalog = service.server.parts.catalog.catalog
            let queue = WorkQueue(width: 1, limit: 8)
            let local = OfferedCatalogs(folder: service.folder, shared: nil, queue: queue)
            for _ in 0..<2 { _ = try await local.publish(catalog, as: "radio", at: Date()) }
            try await withTemporaryFolder { (folder: URL) async throws in
                let shared = SharedPublications(MemoryPublicationStore(), objects: FolderObjectStore(folder))
                let offered = OfferedCatalogs(folder: service.folder, shared: shared, queue: queue)
                #expect(try await offered.publish(catalog, as: "radio", at: Date()).version == 3)
            }
        }
    }

    @Test("damaged bytes are never sent, and published again they are whole")
    func damage() async throws {
        try await withNodes { (nodes: Nodes) async throws in
            let data = try await bundle(1)
            #expect(try await publish(data, nodes.first).status == 200)
            let key = try #require(nodes.bucket.keys.first)
            nodes.bucket.damage.withLock { $0[key] = .byte }
            let token = try await nodes.second.token()
            #expect(try await nodes.second.ask(.GET, "/v1/bundles/ads", token: token).status >= 500)
            let check = SharedPublications(nodes.store, objects: nodes.bucket)
            try await withTemporaryFolder { (folder: URL) async throws in
                let damaged = try await check.faults(in: folder) {}
                #expect(damaged.count == 1)
                nodes.bucket.damage.withLock { $0 = [:] }
                let whole = try await check.faults(in: folder) {}
                #expect(whole.isEmpty)
            }
            #expect(try await publish(data, nodes.first).status == 200)
            #expect(try await nodes.second.ask(.GET, "/v1/bundles/ads", token: token).bytes == data)
        }
    }

    @Test("while the bucket is away nothing is published, and what a node has is sent")
    func away() async throws {
        try await withNodes { (nodes: Nodes) async throws in
            let (first, second) = (try await bundle(1), try await bundle(2))
            #expect(try await publish(first, nodes.first).status == 200)
            let (token, other) = (try await nodes.first.token(), try await nodes.second.token())
            nodes.bucket.isAway.withLock { $0 = true }
            #expect(try await nodes.first.ask(.GET, "/v1/bundles/ads", token: token).bytes == first)
            #expect(try await nodes.second.ask(.GET, "/v1/bundles/ads", token: other).status == 503)
            #expect(try await publish(second, nodes.first).status == 503)
            nodes.bucket.isAway.withLock { $0 = false }
            #expect(try await nodes.second.ask(.GET, "/v1/bundles/ads", token: other).bytes == first)
        }
    }

    @Test("objects that nothing needs are removed from the bucket, and no others")
    func garbage() async throws {
        try await withNodes { (nodes: Nodes) async throws in
            for version in 1...2 { _ = try await publish(try await bundle(UInt64(version)), nodes.first) }
            #expect(nodes.bucket.keys.count == 2)
            let keeper = LeaseKeeper(MemoryLeaseStore(), node: .random())
            let shared = SharedPublications(nodes.store, objects: nodes.bucket)
            try await shared.collectGarbage(keeper)
            #expect(nodes.bucket.keys.count == 2)
            try await shared.collectGarbage(keeper, after: 0)
            let offered = try await nodes.store.newest(.bundle).map(\.object)
            #expect(nodes.bucket.keys == offered && offered.count == 1)
        }
    }
}
