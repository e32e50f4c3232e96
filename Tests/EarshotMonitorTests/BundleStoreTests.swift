@testable import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("The fingerprint store")
struct BundleStoreTests {
    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("Without a folder every call says so", .requirements("R-ACR-121"))
    func noFolder() async throws {
        let store = BundleStore(folder: nil)
        let source = ScriptedSource(try BundleSamples.full())
        #expect(code { _ = try store.lookup(BundleSamples.query(1)) } == .storageNotConfigured)
        #expect(code { _ = try store.bundles } == .storageNotConfigured)
        #expect(await code { try await store.ingest(source) } == .storageNotConfigured)
        #expect(await code { try await store.clear() } == .storageNotConfigured)
        #expect(await code { try await store.remove(bundle: "b") } == .storageNotConfigured)
        #expect(source.calls == 0)
    }

    @Test(
        "Files are made below the folder only, wherever the bundle lies",
        .requirements("R-ACR-119", "R-ACR-120")
    )
    func places() async throws {
        try await withTemporaryFolder { folder in
            let bundles = folder.appendingPathComponent("bundles")
            let place = folder.appendingPathComponent("cache/fingerprints")
            try FileManager.default.createDirectory(at: bundles, withIntermediateDirectories: true)
            let file = bundles.appendingPathComponent("a.earbundle")
            try Data(try BundleSamples.full()).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: bundles.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundles.path) }
            let store = BundleStore(folder: place)
            #expect(try store.lookup(BundleSamples.query(2)).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: place.path))
            try await store.ingest(FileBundleSource(file))
            #expect(try store.lookup(BundleSamples.query(2)).count == 1)
            #expect(try Self.names(folder) == ["bundles", "cache"])
            #expect(try Self.names(bundles) == ["a.earbundle"])
            #expect(try Self.names(folder.appendingPathComponent("cache")) == ["fingerprints"])
        }
    }

    @Test("An empty store and an empty signature are a miss; a query that is too short is refused")
    func misses() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder.appendingPathComponent("s"))
            let silence = Signature(configuration: .standard, duration: MediaTime(seconds: 5), landmarks: [])
            for _ in 0..<2 {
                #expect(try store.lookup(BundleSamples.query(99)).isEmpty)
                #expect(try store.lookup(silence).isEmpty)
                let short = BundleSamples.query(1).slice(from: .zero, duration: MediaTime(seconds: 0.5)).signature
                #expect(code { _ = try store.lookup(short) } == .signatureDurationInvalid)
                try await store.ingest(ScriptedSource(try BundleSamples.full()))
            }
        }
    }

    @Test(
        "Bundles that are ingested in turn are searched together; custom data, a work, both or neither come back",
        .requirements("R-ACR-076", "R-ACR-077", "R-ACR-090", "R-ACR-129")
    )
    func threeBundles() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let data = BundleSamples.data("quiz", 40)
            let bundles: [(String, BundleReference)] = [
                ("data", BundleSamples.reference(1, title: "One", data: data)),
                ("work", BundleSamples.reference(2, title: "Two", work: "w")),
                ("both", BundleSamples.reference(3, work: "w", data: data)),
                ("none", BundleSamples.reference(4)),
            ]
            for (id, reference) in bundles {
                let works = reference.workID == nil ? [] : [BundleSamples.work("w")]
                try await store.ingest(ScriptedSource(try BundleSamples.bytes(id: id, works: works, [reference])))
            }
            #expect(try store.bundles.map(\.id) == ["data", "work", "both", "none"])
            for (index, (id, reference)) in bundles.enumerated() {
                let matches = try store.lookup(BundleSamples.query(UInt64(index + 1)))
                #expect(matches.count == 1)
                guard let match = matches.first else { continue }
                #expect(match.bundle == id && match.reference == reference.id)
                #expect(match.customData == reference.customData)
                #expect(match.work == reference.workID.map { BundleSamples.work($0.rawValue) })
                #expect(match.title == reference.title && match.subtitle == nil)
                #expect(abs((match.match.occurrences.first?.offset.seconds ?? 0) - 3) < 0.1)
            }
        }
    }

    @Test("What is found in several bundles comes in the order of scores, the best first", .requirements("R-ACR-075"))
    func order() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let whole = BundleSamples.signature(1)
            // The same recording, of which each bundle knows fewer landmarks than the one behind it.
            for (id, missing) in [("some", 2), ("most", 1), ("all", 0)] {
                let landmarks = whole.landmarks.enumerated().filter { $0.offset % 8 >= missing }.map(\.element)
                let signature = Signature(
                    configuration: whole.configuration,
                    duration: whole.duration,
                    landmarks: landmarks
                )
                let reference = BundleReference(id: ReferenceID(id), signature: signature)
                try await store.ingest(ScriptedSource(try BundleSamples.bytes(id: id, [reference])))
            }
            let matches = try store.matches(BundleSamples.query(1)).get()
            #expect(matches.compactMap(\.placement?.reference) == ["all", "most", "some"])
            let scores = matches.compactMap(\.placement?.score)
            #expect(scores == scores.sorted(by: >) && Set(scores).count == 3, "\(scores)")
        }
    }

    @Test("A recording that is in two bundles under one name is found in both")
    func sameName() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            for id in ["a", "b"] {
                let reference = BundleSamples.reference(1, title: id, data: BundleSamples.data(id, 3))
                try await store.ingest(
                    ScriptedSource(try BundleSamples.bytes(id: id, [BundleSamples.reference(9), reference]))
                )
            }
            let matches = try store.lookup(BundleSamples.query(1))
            #expect(Set(matches.map(\.bundle)) == ["a", "b"])
            #expect(matches.allSatisfy { $0.title == $0.bundle && $0.customData?.identifier == $0.bundle })
            #expect(matches.allSatisfy { $0.reference == "reference 1" })
        }
    }

    @Test(
        "Custom data comes back unchanged, none and as much as is allowed too",
        .requirements("R-ACR-135"),
        arguments: [0, 1, 1_048_576]
    )
    func customData(count: Int) async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let data = BundleSamples.data("é \(count)", count)
            try await store.ingest(ScriptedSource(try BundleSamples.bytes([BundleSamples.reference(1, data: data)])))
            #expect(try store.lookup(BundleSamples.query(1)).first?.customData == data)
        }
    }

    @Test(
        "The same bundle again changes nothing, a newer version takes its place, an older one is passed over",
        .requirements("R-ACR-130")
    )
    func versions() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            func bundle(_ version: UInt64, _ seed: UInt64) throws -> [UInt8] {
                try BundleSamples.bytes(id: "b", version: version, [BundleSamples.reference(seed)])
            }
            #expect(try await store.ingest(ScriptedSource(try bundle(2, 1))).outcome == .added)
            let before = try contents(of: folder)
            let again = ScriptedSource(try bundle(2, 1), pieceSize: 100)
            #expect(try await store.ingest(again).outcome == .unchanged)
            #expect(again.results.last == 0)
            #expect(try await store.ingest(ScriptedSource(try bundle(1, 5))).outcome == .older(than: 2))
            #expect(await code { try await store.ingest(ScriptedSource(try bundle(2, 5))) } == .bundleInvalid)
            #expect(try contents(of: folder) == before)
            let report = try await store.ingest(ScriptedSource(try bundle(3, 5)))
            #expect(report.outcome == .replaced(version: 2) && report.bundle.version == 3)
            #expect(try store.bundles == [report.bundle])
            #expect(try store.lookup(BundleSamples.query(1)).isEmpty)
            #expect(try store.lookup(BundleSamples.query(5)).first?.bundle == "b")
            #expect(try Self.names(folder).count == before.count)
            // A damaged older bundle is refused all the same.
            let cut = Array(try bundle(1, 5).dropLast(9))
            #expect(await code { try await store.ingest(ScriptedSource(cut)) } == .bundleInvalid)
        }
    }

    @Test("Clearing removes every file of the store, and no other", .requirements("R-ACR-131"))
    func clearing() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            try Data("mine".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "a", seed: 1)))
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "b", seed: 11)))
            #expect(try await store.remove(bundle: "a"))
            #expect(try await !store.remove(bundle: "a"))
            #expect(try store.lookup(BundleSamples.query(2)).isEmpty)
            #expect(try store.lookup(BundleSamples.query(12)).count == 1)
            try await store.clear()
            #expect(try store.lookup(BundleSamples.query(12)).isEmpty)
            #expect(try store.bundles.isEmpty)
            #expect(try Self.names(folder) == ["notes.txt"])
            try await store.clear()
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "b", seed: 11)))
            #expect(try store.lookup(BundleSamples.query(12)).count == 1)
        }
    }

    @Test(
        "Whoever opens the folder later finds what was ingested; several stores see each other's changes",
        .requirements("R-ACR-133")
    )
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let first = BundleStore(folder: folder)
            let second = BundleStore(folder: folder)
            #expect(try second.lookup(BundleSamples.query(2)).isEmpty)
            try await first.ingest(ScriptedSource(try BundleSamples.full(id: "a", seed: 1)))
            #expect(try second.lookup(BundleSamples.query(2)).count == 1)
            try await second.ingest(ScriptedSource(try BundleSamples.full(id: "b", seed: 11)))
            #expect(try first.lookup(BundleSamples.query(12)) == second.lookup(BundleSamples.query(12)))
            #expect(try BundleStore(folder: folder).lookup(BundleSamples.query(12)).first?.bundle == "b")
            try await first.clear()
            #expect(try second.lookup(BundleSamples.query(12)).isEmpty)
        }
    }

    @Test("Two stores on one folder change it one after the other")
    func writers() async throws {
        try await withTemporaryFolder { folder in
            let stores = [BundleStore(folder: folder), BundleStore(folder: folder)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    let bytes = try BundleSamples.bytes(id: "b\(number)", [BundleSamples.reference(UInt64(number))])
                    let store = stores[number % 2]
                    group.addTask { try await store.ingest(ScriptedSource(bytes, pieceSize: 300)) }
                }
                try await group.waitForAll()
            }
            for store in stores {
                #expect(Set(try store.bundles.map(\.id)) == Set((0..<8).map { "b\($0)" }))
                for number in 0..<8 { #expect(try store.lookup(BundleSamples.query(UInt64(number))).count == 1) }
                try store.verify()
            }
        }
    }

    @Test("What an ended process left behind is removed by whoever opens the folder next")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            try await BundleStore(folder: folder).ingest(ScriptedSource(try BundleSamples.full()))
            let before = try Self.names(folder)
            let partial = folder.appendingPathComponent(".earshot-1.partial")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
            try Data([1]).write(to: partial.appendingPathComponent("0.earcat"))
            for name in ["segment-000000000099.earcat", "details-000000000098.eardetails", ".earshot-2.partial"] {
                try Data([1]).write(to: folder.appendingPathComponent(name))
            }
            let store = BundleStore(folder: folder)
            #expect(try Self.names(folder) == before)
            #expect(try store.lookup(BundleSamples.query(2)).count == 1)
        }
    }

    @Test("Lookups go on while a large bundle is ingested", .requirements("R-ACR-132"))
    func lookupsMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let reader = BundleStore(folder: folder)
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "a", seed: 1)))
            let large = try BundleSamples.bytes(
                id: "large",
                (100..<200).map { BundleSamples.reference($0, data: BundleSamples.data("d", 1 << 20)) }
            )
            #expect(large.count > 100_000_000)
            let looking = Task.detached {
                var (rounds, before, after) = (0, 0, 0)
                repeat {
                    for store in [store, reader] {
                        guard try store.lookup(BundleSamples.query(2)).first?.bundle == "a" else { return (0, 0, 0) }
                        let found = try store.lookup(BundleSamples.query(129))
                        if found.isEmpty { before += 1 } else { after += 1 }
                    }
                    rounds += 1
                } while !Task.isCancelled
                return (rounds, before, after)
            }
            for version in 1...4 {
                var bytes = large
                if version > 1 { bytes = try BundleSamples.bytes(id: "large", version: UInt64(version), []) }
                if version == 3 {
                    bytes = try BundleSamples.bytes(id: "large", version: 3, [BundleSamples.reference(129)])
                }
                try await store.ingest(ScriptedSource(bytes))
            }
            looking.cancel()
            let (rounds, before, _) = try await looking.value
            #expect(rounds > 0 && before > 0)
        }
    }
}
