import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotSharedCatalogs

@Suite("Changes of which the database does not say whether they are kept", .timeLimit(.minutes(1)))
struct UnsettledChangeTests {
    private let folder: TemporaryFolder
    private let objects: FolderObjectStore
    private let manifests = MemoryManifestStore()
    private let signature = Signature.random(seed: 1, seconds: 20)

    init() async throws {
        folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        objects = FolderObjectStore(bucket)
        _ = try await manifests.create("music", limits: .standard)
    }

    private func catalog(_ store: UnsettledIngestStore) async throws -> SharedCatalog {
        let cache = try SegmentCache(folder.url.appendingPathComponent("node"), catalog: "music", objects: objects)
        return try await SharedCatalog("music", manifests: store, cache: cache)
    }

    /// Adds the reference unless it is there, as a service does.
    ///
    /// - Returns: `true` if it was not there.
    private func add(to catalog: SharedCatalog) async throws(EarshotError) -> Bool {
        let signature = signature
        return try await catalog.change { catalog in
            guard try catalog.reference(of: signature, id: "song") == nil else { return false }
            try catalog.add(signature, representing: [], id: "song")
            return true
        }
    }

    @Test("a change that is there though its answer got lost has been made")
    func made() async throws {
        let catalog = try await catalog(UnsettledIngestStore(manifests, .made))
        #expect(try await add(to: catalog))
        #expect(catalog.catalog.referenceIDs == ["song"])
        #expect(try await manifests.manifest(of: "music")?.count == 1)
    }

    @Test("a change that becomes true after it was refused is found when it is made again", arguments: [false, true])
    func late(isSettledBetween: Bool) async throws {
        let store = UnsettledIngestStore(manifests, .late)
        let catalog = try await catalog(store)
        let error = await #expect(throws: EarshotError.self) { try await add(to: catalog) }
        #expect(error?.code == .storeUnavailable)
        #expect(try await manifests.manifest(of: "music")?.count == 0)
        if isSettledBetween {
            try await store.settle()
            #expect(try await add(to: catalog) == false)
        } else {
            // Both wait for the standby, and one of them is kept.
            let second = await #expect(throws: EarshotError.self) { try await add(to: catalog) }
            #expect(second?.code == .storeUnavailable)
            try await store.settle()
            #expect(try await add(to: catalog) == false)
        }
        #expect(catalog.catalog.referenceIDs == ["song"])
        #expect(try await manifests.manifest(of: "music")?.segments.map(\.count) == [1])
    }
}
