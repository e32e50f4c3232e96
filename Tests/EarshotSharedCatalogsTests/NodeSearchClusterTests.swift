import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

/// Searches of several nodes in one process, whose messages are written and read.
@Suite("Searches over nodes that hold a part each", .timeLimit(.minutes(3)))
struct NodeSearchClusterTests {
    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let manifests = MemoryManifestStore()

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        _ = try await manifests.create("music", limits: .standard)
    }

    private static let exchange = NodeSearchExchange(NodeSeal(secret: Data("a secret of the cluster".utf8)))

    private static func record(_ number: Int) -> NodeRecord {
        NodeRecord(
            id: NodeID(rawValue: "node-\(number)"),
            name: "host-\(number)",
            place: PlaceID(rawValue: "place-\(number)"),
            address: "host-\(number):8081",
            cacheBytes: 1 << 20
        )
    }

    private func node(_ number: Int?, idle: Double = 0) async throws -> SharedCatalog {
        let name = number.map { "node-\($0)" } ?? "whole"
        return try await SharedCatalog(
            "music",
            manifests: manifests,
            cache: SegmentCache(folder.url.appendingPathComponent(name), catalog: "music", objects: objects),
            place: number.map { Self.record($0).place ?? PlaceID(rawValue: "") },
            idle: idle
        )
    }

    private static func signature(_ number: Int) -> Signature { .random(seed: UInt64(number), seconds: 20) }

    private static func query(_ number: Int) -> Signature {
        signature(number).slice(from: MediaTime(value: 5, timescale: 1), duration: MediaTime(value: 8, timescale: 1))
            .signature
    }

    /// A catalog of some segments, which one node has whole.
    private func filled(_ count: Int) async throws -> SharedCatalog {
        let whole = try await node(nil)
        for number in 0..<count {
            try await whole.change { catalog in
                for song in [number, 100 + number] {
                    try catalog.add(Self.signature(song), representing: [], id: ReferenceID("song-\(song)"))
                }
            }
        }
        return whole
    }

    /// Nodes that follow the catalog and hold two copies together.
    private func nodes(_ count: Int) async throws -> [SharedCatalog] {
        try await manifests.setCopies(2, of: "music")
        var nodes: [SharedCatalog] = []
        for number in 0..<count {
            let node = try await node(number)
            node.place(on: (0..<count).map(Self.record))
            try await node.load()
            nodes.append(node)
        }
        return nodes
    }

    /// A search whose root is a node, and the nodes that answer.
    private func search(
        _ root: SharedCatalog,
        _ nodes: [SharedCatalog],
        lost: @escaping @Sendable (NodeID) -> Gather.Failure? = { _ in nil }
    ) -> NodeSearch {
        NodeSearch(root) { node, request in
            if let failure = lost(node.id) { return .failure(failure) }
            guard let number = Int(node.id.rawValue.dropFirst(5)),
                let (body, seal) = try? Self.exchange.sealed(request)
            else { return .failure(.unreachable) }
            let response = await Self.exchange.respond(seal, body, nodes[number]) { work throws(EarshotError) in
                try work()
            }
            #expect(response.status == 200)
            return Self.exchange.answer(response, to: request, seal: seal)
        }
    }

    @Test(
        "each segment is on two nodes, each node fetches only what is placed on it, and tells of no absence by itself"
    )
    func placement() async throws {
        let whole = try await filled(8)
        let nodes = try await nodes(4)
        var copies: [String: Int] = [:]
        for (number, node) in nodes.enumerated() {
            #expect(!node.snapshot.isComplete && node.status.missing.isEmpty)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent("node-\(number)").path
            )
            for file in files { copies[file, default: 0] += 1 }
        }
        #expect(copies.count == whole.view.manifest.segments.count && copies.values.allSatisfy { $0 == 2 })
        // All hold all again.
        try await manifests.setCopies(nil, of: "music")
        for node in nodes {
            try await node.load()
            #expect(node.snapshot.isComplete && node.catalog.count == 16)
        }
    }

    @Test("a search over nodes answers what one node with all answers", arguments: [1, 2, 4])
    func equivalence(count: Int) async throws {
        let whole = try await filled(8)
        let nodes = try await nodes(count)
        for song in [0, 3, 7, 101, 106, 50] {
            let expected = try whole.catalog.match(Self.query(song))
            let outcome = try await search(nodes[0], nodes).search(Self.query(song))
            #expect(outcome.isComplete && outcome.searched == (16, 16))
            #expect(outcome.match?.references.map(\.id) == expected?.references.map(\.id))
            for (one, other) in zip(outcome.match?.references ?? [], expected?.references ?? []) {
                #expect(one.offset == other.offset && abs(one.score - other.score) < 0.5)
            }
        }
    }

    @Test(
        "one node of four may be lost, in any way, and nothing is",
        arguments: [Gather.Failure.unreachable, .busy, .version]
    )
    func loss(failure: Gather.Failure) async throws {
        _ = try await filled(8)
        let nodes = try await nodes(4)
        let lost = Self.record(1).id
        let search = search(nodes[0], nodes) { $0 == lost ? failure : nil }
        for song in 0..<8 {
            let outcome = try await search.search(Self.query(song))
            #expect(outcome.isComplete && outcome.match?.references.first?.id == ReferenceID("song-\(song)"))
        }
    }

    @Test("with too many nodes lost a match is marked, and no absence is told")
    func partial() async throws {
        _ = try await filled(8)
        let nodes = try await nodes(4)
        let left = Self.record(0).id
        let search = search(nodes[0], nodes) { $0 == left ? nil : .unreachable }
        for song in 0..<8 {
            let id = ReferenceID("song-\(song)")
            let isHere = nodes[0].catalog.contains(id)
            do throws(EarshotError) {
                let outcome = try await search.search(Self.query(song))
                #expect(isHere && !outcome.isComplete && outcome.searched.count < outcome.searched.all)
                #expect(outcome.match?.references.first?.id == id)
            } catch {
                #expect(!isHere && error.code == .searchIncomplete)
            }
        }
    }

    @Test("a leaf refuses whoever is no node, another version, damage and another catalog, and says when it is busy")
    func refusals() async throws {
        _ = try await filled(1)
        let node = try await nodes(1)[0]
        let request = NodeSearchRequest(
            catalog: "music",
            generation: 1,
            patience: 1,
            parts: [],
            round: SearchRound(kind: .quick, totals: node.view.manifest.totals),
            query: Self.query(0)
        )
        let (body, seal) = try Self.exchange.sealed(request)
        func status(_ seal: String?, _ body: [UInt8], isBusy: Bool = false) async -> (Int, Gather.Failure?) {
            let response = await Self.exchange.respond(seal, body, node) { work throws(EarshotError) in
                if isBusy { throw EarshotError(.serviceBusy, "There is no room.") }
                return try work()
            }
            var failure: Gather.Failure?
            if case .failure(let told) = Self.exchange.answer(response, to: request, seal: seal ?? "") {
                failure = told
            }
            return (response.status, failure)
        }
        func sealed(_ change: (inout [UInt8]) -> Void) -> (String, [UInt8]) {
            var other = body
            change(&other)
            return (NodeSeal(secret: Data("a secret of the cluster".utf8)).seal(request: other, at: Date()), other)
        }
        #expect(await status(seal, body) == (200, nil))
        #expect(await status(nil, body) == (401, .unreachable))
        #expect(await status(seal, body + [0]) == (401, .unreachable))
        #expect(await status(seal, body, isBusy: true) == (503, .busy))
        let version = sealed { $0[8] = 9 }
        #expect(await status(version.0, version.1) == (409, .version))
        let damaged = sealed { $0.removeLast() }
        #expect(await status(damaged.0, damaged.1) == (400, .unreachable))
        let other = sealed { $0[13] ^= 1 }
        #expect(await status(other.0, other.1) == (404, .unreachable))
    }

    @Test("a reference that was removed is not answered by a node that does not know of it yet")
    func tombstones() async throws {
        let whole = try await filled(4)
        let nodes = try await nodes(2)
        try await whole.change { try $0.remove("song-2") }
        try await nodes[0].load()
        let outcome = try? await search(nodes[0], nodes).search(Self.query(2))
        #expect(outcome?.match == nil)
        // What is not concerned, the node answers all the same.
        let other = try await search(nodes[0], nodes).search(Self.query(1))
        #expect(other.isComplete && other.match?.references.first?.id == "song-1")
    }

    @Test(
        "while nodes hear of a merge one after the other, all is found by roots that know of it and by those that do not"
    )
    func merging() async throws {
        let whole = try await filled(6)
        let nodes = try await nodes(3)
        let keeper = LeaseKeeper(MemoryLeaseStore(), node: NodeID(rawValue: "node-0"))
        #expect(try await nodes[0].merge(keeper, compacting: true) == 1)
        _ = whole
        for song in 0..<6 {
            for root in nodes {
                let outcome = try await search(root, nodes).search(Self.query(song))
                #expect(outcome.isComplete && outcome.match?.references.first?.id == ReferenceID("song-\(song)"))
            }
        }
    }

    @Test("a node that lacks segments fetches those that it needs for a reference, and all for the whole")
    func whole() async throws {
        let whole = try await filled(8)
        let nodes = try await nodes(4)
        let node = nodes[0]
        #expect(node.isSpread && !whole.isSpread && node.referenceCount == 16)
        let lacking = (0..<8).map { ReferenceID("song-\($0)") }.filter { !node.catalog.contains($0) }
        let id = try #require(lacking.first)
        let part = try await node.part(with: [id])
        #expect(part.contains(id) && part.count < 16)
        #expect(try await node.contains(id))
        #expect(try await !node.contains("nothing"))
        #expect(try await node.part(with: ["nothing"]).isEmpty)
        let ids = try await node.whole().referenceIDs
        #expect(ids == whole.catalog.referenceIDs)
        try await whole.change { try $0.remove(id) }
        #expect(try await !node.contains(id))
    }

    @Test("before a node knows of others it is not complete, and what it has no room for others hold")
    func room() async throws {
        _ = try await filled(4)
        try await manifests.setCopies(1, of: "music")
        let node = try await node(0)
        try await node.load()
        #expect(!node.status.isComplete && node.isSpread)
        var small = Self.record(0)
        small.cacheBytes = 1
        node.place(on: [small])
        try await node.load()
        #expect(node.status.isComplete && node.status.elsewhereCount == 4 && node.catalog.isEmpty)
        node.place(on: [Self.record(0)])
        try await node.load()
        #expect(node.status.isComplete && node.status.elsewhereCount == 0 && !node.isSpread && node.catalog.count == 8)
    }
}
