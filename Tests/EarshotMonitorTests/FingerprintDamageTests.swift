import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Damaged fingerprint stores")
struct FingerprintDamageTests {
    /// A store of two bundles, and the files of the second.
    private func withStore(_ body: (URL, BundleStore, [URL]) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "a", seed: 1)))
            let before = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
            try await store.ingest(ScriptedSource(try BundleSamples.full(id: "b", seed: 11)))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            try await body(folder, store, names.filter { !before.contains($0) }.map(folder.appendingPathComponent))
        }
    }

    /// Whether all that a store does ends in an answer or in an error that says what is damaged.
    private func isOrderly(_ folder: URL) -> Bool {
        let store = BundleStore(folder: folder)
        do {
            _ = try store.lookup(BundleSamples.query(12))
        } catch {
            guard error.code == .storeDamaged else { return false }
        }
        do {
            try store.verify()
        } catch {
            return error.code == .storeDamaged
        }
        return true
    }

    @Test(
        "A file that is cut short or gone is named, and the other bundles still answer",
        .requirements("R-ACR-134")
    )
    func truncation() async throws {
        try await withStore { folder, store, files in
            #expect(files.count == 2)
            for file in files {
                let whole = try Data(contentsOf: file)
                for count in [-1, 0, 1, 39, 63, 64, whole.count / 2, whole.count - 1] {
                    if count < 0 {
                        try FileManager.default.removeItem(at: file)
                    } else {
                        // In place, as a program would that is not the store's: the file that is open is cut.
                        let handle = try FileHandle(forWritingTo: file)
                        try handle.truncate(atOffset: UInt64(count))
                        try handle.close()
                    }
                    for store in [store, BundleStore(folder: folder)] {
                        #expect(try store.lookup(BundleSamples.query(2)).first?.bundle == "a")
                        #expect(try store.lookup(BundleSamples.query(12)).isEmpty)
                        let problem = try store.problems.first
                        #expect(problem?.bundle.id == "b" && problem?.error.code == .storeDamaged)
                        #expect(problem?.error.message.contains(file.path) == true)
                        #expect(code { try store.verify() } == .storeDamaged)
                        #expect(try store.bundles.count == 2)
                    }
                    try whole.write(to: file)
                    #expect(try store.lookup(BundleSamples.query(12)).first?.bundle == "b")
                    #expect(try store.problems.isEmpty)
                }
            }
        }
    }

    @Test("When nothing else is there, a lookup throws the damage; ingesting again and clearing mend it")
    func remedy() async throws {
        try await withTemporaryFolder { folder in
            let store = BundleStore(folder: folder)
            let bytes = try BundleSamples.full(id: "a", seed: 1)
            for suffix in ["earcat", "eardetails"] {
                try await store.ingest(ScriptedSource(bytes))
                let name = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .first { $0.hasSuffix(suffix) }
                let file = folder.appendingPathComponent(try #require(name))
                try Data([1, 2, 3]).write(to: file)
                #expect(code { _ = try store.lookup(BundleSamples.query(2)) } == .storeDamaged)
                #expect(try await store.ingest(ScriptedSource(bytes)).outcome == .replaced(version: 1))
                #expect(try store.lookup(BundleSamples.query(2)).count == 1)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
            try Data("EARSH".utf8).write(to: folder.appendingPathComponent("manifest"))
            #expect(code { _ = try store.lookup(BundleSamples.query(2)) } == .storeDamaged)
            #expect(code { _ = try store.bundles } == .storeDamaged)
            #expect(await code { try await store.ingest(ScriptedSource(bytes)) } == .storeDamaged)
            try await store.clear()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            try await store.ingest(ScriptedSource(bytes))
            #expect(try store.lookup(BundleSamples.query(2)).count == 1)
        }
    }

    @Test("A flipped bit in any file is found when the file is opened or checked")
    func flips() async throws {
        try await withStore { folder, store, files in
            let manifest = folder.appendingPathComponent("manifest")
            for file in files + [manifest] {
                let whole = try Data(contentsOf: file)
                for offset in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
                    var damaged = whole
                    damaged[offset] ^= 1 << UInt8(offset % 8)
                    try damaged.write(to: file)
                    #expect(
                        code { try BundleStore(folder: folder).verify() } == .storeDamaged,
                        "\(file.lastPathComponent), byte \(offset)"
                    )
                    #expect(isOrderly(folder))
                }
                try whole.write(to: file)
                try store.verify()
            }
        }
    }

    @Test("Damaged manifests never end the program")
    func manifests() async throws {
        try await withStore { folder, _, _ in
            let url = folder.appendingPathComponent("manifest")
            let bytes = [UInt8](try Data(contentsOf: url))
            let manifest = try BundleStoreManifest(bytes, name: "m")
            #expect(manifest.bytes == bytes)
            property("damaged manifests", rounds: 100) { generator in
                var damaged = generator.mutated(bytes)
                // With a length and a checksum that fit, half of the time.
                if Bool.random(using: &generator), damaged.count >= 44 {
                    withUnsafeBytes(of: UInt32(damaged.count).littleEndian) {
                        damaged.replaceSubrange(12..<16, with: $0)
                    }
                    let seal = CRC32C.checksum(Array(damaged.dropLast(4)))
                    withUnsafeBytes(of: seal.littleEndian) { damaged.replaceSubrange((damaged.count - 4)..., with: $0) }
                }
                try Data(damaged).write(to: url)
                return isOrderly(folder)
            }
        }
    }
}
