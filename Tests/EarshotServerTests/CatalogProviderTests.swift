import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSharedCatalogs
import EarshotSignatures
import Foundation
import Hummingbird
import TestSupport
import Synchronization
import Testing

@testable import EarshotServer

@Suite("The catalog of a service that lacks a part of it", .timeLimit(.minutes(1)))
struct CatalogProviderTests {
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

    private func node(_ name: String) async throws -> SharedCatalog {
        let cache = try SegmentCache(folder.url.appendingPathComponent(name), catalog: "music", objects: objects)
        return try await SharedCatalog("music", manifests: manifests, cache: cache)
    }

    private static func signature(_ number: Int) -> Signature { .random(seed: UInt64(number), seconds: 8) }

    @Test("a match is answered; nothing, and what rests on it, is searchIncomplete")
    func part() async throws {
        let writer = try await node("writer")
        for number in 0..<2 {
            try await writer.change {
                try $0.add(Self.signature(number), representing: [], id: ReferenceID("\(number)"))
            }
        }
        let keys = objects.keys.filter { $0.hasSuffix(".earcat") }
        objects.damage.withLock { $0[keys[0]] = .byte }
        let reader = try await node("reader")
        _ = try? await reader.load()
        while reader.status.missing.count > 1 { try await Task.sleep(for: .milliseconds(1)) }
        let provider = CatalogProvider(reader)
        let queue = WorkQueue(width: 1, limit: 1)
        var found = 0
        for number in 0..<2 {
            do {
                let answer = try await provider.match(Self.signature(number), on: queue)
                #expect(answer.match?.references.first?.id == ReferenceID("\(number)"))
                // What was found is marked: another recording of it may be in the rest.
                #expect(answer.searched == SearchedPart(references: 1, of: 2))
                found += 1
            } catch {
                #expect(error.code == .searchIncomplete)
            }
        }
        #expect(found == 1)
        let error = await #expect(throws: EarshotError.self) { try await provider.whole() }
        #expect(error?.code == .searchIncomplete)
        objects.damage.withLock { $0 = [:] }
        try await reader.load()
        let nothing = try await provider.match(Self.signature(7), on: queue)
        #expect(nothing.match == nil && nothing.searched == nil)
        #expect(try await provider.whole().count == 2)
    }

    @Test("it is told as 503 with the time after which to ask again")
    func response() {
        let response = Response.failure(
            EarshotError(.searchIncomplete, "1 of 2 references cannot be searched."),
            requestID: "1",
            now: Date()
        )
        #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "2")
    }
}
