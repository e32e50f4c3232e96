import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Ingesting bundles")
struct FingerprintIngestTests {
    @Test(
        "The source is read until it gives nothing, and not again; a lookup after that finds the content",
        .requirements("R-ACR-122", "R-ACR-127", "R-ACR-139"),
        arguments: [1, 7, 4_096, .max]
    )
    func contract(pieceSize: Int) async throws {
        try await withTemporaryFolder { folder in
            let bytes = try BundleSamples.full()
            let source = ScriptedSource(bytes, pieceSize: pieceSize)
            let store = BundleStore(folder: folder)
            var progress: [Int] = []
            let report = try await store.ingest(source) { progress.append($0) }
            #expect(source.results.last == 0)
            #expect(source.results.dropLast().allSatisfy { $0 > 0 })
            #expect(source.results.reduce(0, +) == bytes.count)
            #expect(source.leastRoom >= 4_096)
            #expect(!source.overlapped)
            #expect(progress.last == bytes.count)
            #expect(progress == progress.sorted() && progress.count == source.calls - 1)
            #expect(report.outcome == .added && report.byteCount == bytes.count)
            #expect(try store.lookup(BundleSamples.query(2)).first?.reference == "reference 2")
        }
    }

    @Test("Pieces of one byte make the same store as full buffers", .requirements("R-ACR-126"))
    func shortReads() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try BundleSamples.full()
            var stores: [[String: Data]] = []
            for size in [1, 1_000, .max] {
                let place = folder.appendingPathComponent("\(size)")
                try await BundleStore(folder: place).ingest(ScriptedSource(bytes, pieceSize: size))
                stores.append(try contents(of: place))
            }
            #expect(stores[0].count == 4)
            #expect(stores[0] == stores[1] && stores[1] == stores[2])
        }
    }

    @Test("Files and streams make equal stores", .requirements("R-ACR-128"))
    func sources() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try BundleSamples.full()
            let file = folder.appendingPathComponent("a.earbundle")
            try Data(bytes).write(to: file)
            func store(_ name: String) -> BundleStore {
                BundleStore(folder: folder.appendingPathComponent(name))
            }
            try await store("file").ingest(FileBundleSource(file))
            let pieces = AsyncStream<Data> { continuation in
                for start in stride(from: 0, to: bytes.count, by: 999) {
                    continuation.yield(Data(bytes[start..<min(bytes.count, start + 999)]))
                    continuation.yield(Data())
                }
                continuation.finish()
            }
            try await store("stream").ingest(StreamBundleSource(pieces))
            let single = AsyncStream<UInt8> { continuation in
                for byte in bytes { continuation.yield(byte) }
                continuation.finish()
            }
            try await store("bytes").ingest(ByteStreamBundleSource(single))
            let expected = try contents(of: folder.appendingPathComponent("file"))
            #expect(try contents(of: folder.appendingPathComponent("stream")) == expected)
            #expect(try contents(of: folder.appendingPathComponent("bytes")) == expected)
            #expect(code { _ = try FileBundleSource(folder) } == .assetIsDirectory)
            #expect(code { _ = try FileBundleSource(folder.appendingPathComponent("none")) } == .assetNotFound)
        }
    }

    @Test(
        "A source that fails or says that it gave too much ends the ingest at once",
        .requirements("R-ACR-123", "R-ACR-124"),
        arguments: [ScriptedSource.Event.fail, .exceed, .negative]
    )
    func failures(event: ScriptedSource.Event) async throws {
        try await withTemporaryFolder { folder in
            let source = ScriptedSource(try BundleSamples.full(), pieceSize: 50, events: [3: event])
            let store = BundleStore(folder: folder)
            #expect(await code { try await store.ingest(source) } == .ingestAborted)
            #expect(source.calls == 3)
            #expect(try store.lookup(BundleSamples.query(2)).isEmpty)
            #expect(try store.bundles.isEmpty)
        }
    }

    @Test("An ingest that fails anywhere leaves files and answers as they were", .requirements("R-ACR-125"))
    func aborts() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appendingPathComponent("s")
            let store = BundleStore(folder: place)
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "a", seed: 1)))
            let before = try contents(of: place)
            let queries = [BundleSamples.query(2), BundleSamples.query(12)]
            let answers = try queries.map { try store.lookup($0) }
            // A new bundle, and a newer version of the one that is there.
            let others = [
                try BundleSamples.full(id: "b", seed: 11), try BundleSamples.full(id: "a", version: 2, seed: 11),
            ]
            var generator = SeededGenerator(seed: 7)
            for round in 0..<60 {
                let bytes = others[round % 2]
                var source: ScriptedSource
                switch round % 4 {
                case 0, 1:
                    let call = Int.random(in: 1...bytes.count / 40, using: &generator)
                    source = ScriptedSource(bytes, pieceSize: 40, events: [call: .fail])
                case 2: source = ScriptedSource(Array(bytes[..<Int.random(in: 0..<bytes.count, using: &generator)]))
                default:
                    var damaged = bytes
                    damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^= 4
                    source = ScriptedSource(damaged, pieceSize: 1_000)
                }
                let failure = await code { try await store.ingest(source) }
                #expect(failure == (round % 4 < 2 ? .ingestAborted : .bundleInvalid))
                #expect(try contents(of: place) == before, "round \(round)")
                #expect(try queries.map { try store.lookup($0) } == answers)
            }
            try await store.ingest(ScriptedSource(others[0]))
            #expect(try store.lookup(queries[1]).first?.bundle == "b")
        }
    }

    @Test("A canceled ingest ends and changes nothing")
    func cancellation() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
            continuation.yield(Data(try BundleSamples.full().prefix(500)))
            let task = Task { try await store.ingest(StreamBundleSource(pieces)) { _ in } }
            task.cancel()
            let result = await task.result
            #expect(throws: EarshotError.self) { try result.get() }
            #expect((try? contents(of: folder))?.keys.contains { $0.hasSuffix("partial") } == false)
            #expect(try store.bundles.isEmpty)
        }
    }
}
