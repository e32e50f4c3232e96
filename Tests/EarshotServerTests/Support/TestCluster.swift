import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSQLite
import EarshotSharedCatalogs
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

/// What nodes that search a catalog together share: a bucket, manifests, a register, clients.
struct TestCluster {
    /// A node of it.
    struct Node: Sendable {
        let service: TestService
        let catalog: SharedCatalog
        /// The address at which others ask.
        let address: String
        let token: String
    }

    static let catalog = "music"

    let manifests = MemoryManifestStore()
    let register = TestNodeRegister()
    let accounts: SQLiteAccountStore
    let objects: FolderObjectStore
    let leases = MemoryLeaseStore()
    let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        accounts = try SQLiteAccountStore.inMemory()
        _ = try await manifests.create(Self.catalog, limits: .standard)
        // Merged into one, the small segments of a test would all be on one node.
        _ = try await leases.take("merge/\(Self.catalog)", for: .random(), seconds: 86_400)
    }

    static func signature(_ number: Int) -> Signature { .random(seed: UInt64(number), seconds: 20) }

    /// Eight seconds of a reference, or of nothing that is there.
    static func query(_ number: Int) -> Signature {
        signature(number).slice(from: MediaTime(value: 5, timescale: 1), duration: MediaTime(value: 8, timescale: 1))
            .signature
    }

    /// Adds references, each in a segment of its own.
    func fill(_ count: Int) async throws {
        let cache = try SegmentCache(
            folder.url.appendingPathComponent("writer"),
            catalog: Self.catalog,
            objects: objects
        )
        let writer = try await SharedCatalog(Self.catalog, manifests: manifests, cache: cache)
        for number in 0..<count {
            try await writer.change {
                try $0.add(Self.signature(number), representing: [], id: ReferenceID("song-\(number)"))
            }
        }
    }

    /// Gives a service what the nodes share.
    func join(_ parts: inout RecognitionServer.Parts) async throws {
        let shared = try await SharedCatalog(
            Self.catalog,
            manifests: manifests,
            cache: SegmentCache(
                parts.folder.appendingPathComponent("segments"),
                catalog: Self.catalog,
                objects: objects
            ),
            place: PlaceID.kept(in: parts.folder),
            idle: 0
        )
        parts.catalog = CatalogProvider(shared)
        parts.register = register
        parts.leases = leases
    }

    /// Runs a node for as long as a test needs it.
    func run(_ settings: ServiceSettings = ServiceSettings(), _ body: (Node) async throws -> Void) async throws {
        var settings = settings
        settings.clusterAddress = NodeAddress(host: "127.0.0.1", port: 0)
        settings.cacheBytes = 1 << 30
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let prepare = { (parts: inout RecognitionServer.Parts) async throws in
            try await join(&parts)
            parts.onClusterRunning = { told.yield($0) }
        }
        try await TestService.run(settings, accounts: accounts, prepare: prepare) {
            (service: TestService) async throws in
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            let node = Node(
                service: service,
                catalog: try #require(service.server.parts.catalog.shared),
                address: "127.0.0.1:\(port)",
                token: try await service.token()
            )
            try await body(node)
        }
    }

    /// Waits until so many nodes are told of, and each of those given holds what is placed on it.
    func settle(_ nodes: [Node], of count: Int) async throws {
        while try await register.nodes().count < count { try await Task.sleep(for: .milliseconds(5)) }
        let records = try await register.nodes()
        for node in nodes {
            node.catalog.place(on: records)
            try await node.catalog.load()
        }
    }
}

extension TestCluster.Node {
    func recognize(_ number: Int, _ parameters: String = "") async throws -> TestService.Reply {
        try await service.ask(
            .POST,
            "/v1/recognitions\(parameters)",
            token: token,
            type: "application/vnd.earshot.signature",
            body: TestCluster.query(number).data
        )
    }

    /// Asks until all nodes have answered in time: a busy machine may need longer than their patience.
    func recognizeWholly(_ number: Int) async throws -> TestService.Reply {
        while true {
            let reply = try await recognize(number)
            let isPart = try reply.status == 503 || reply.decoded(MatchList.self).searched != nil
            if !isPart { return reply }
        }
    }
}
