import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("earshot admin fingerprints")
struct FingerprintCareTests {
    private let recording = UUID()

    private func admin(_ arguments: [String], _ data: URL) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["admin"] + arguments + ["--data", data.path])
    }

    /// A folder with the fingerprint of a file.
    private func withFingerprint(_ body: (URL) async throws -> Void) async throws {
        let data = FileManager.default.temporaryDirectory.appendingPathComponent("earshot prints \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        let file = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
        let added = try await admin(["fingerprints", "add", file.path, "--mbid", recording.uuidString], data)
        #expect(added.output.contains("Added 1 fingerprint"), "\(added.errors)")
        try await body(data)
    }

    @Test("a link that is wrong is disabled, and is right again when that is taken back")
    func unlinking() async throws {
        try await withFingerprint { data in
            let store = try SQLiteFingerprintStore(url: data.appendingPathComponent("fingerprints.sqlite"))
            let links = try await store.tracks(linkedTo: [recording], limit: 9)
            let track = try #require(links[recording]?.first?.track)
            let command = ["fingerprints", "unlink", track.uuidString, recording.uuidString]
            for (options, isDisabled) in [([], true), (["--undo"], false)] as [([String], Bool)] {
                let outcome = try await admin(command + options, data)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let told = try await store.tracks(linkedTo: [recording], limit: 9)[recording]
                #expect(told?.map(\.isDisabled) == [isDisabled])
            }
            let other = try await admin(["fingerprints", "unlink", track.uuidString, UUID().uuidString], data)
            #expect(other.status != 0)
            #expect(other.errors.contains("Nobody said"))
            let none = try await admin(["fingerprints", "unlink", "x", "y"], data)
            #expect(none.status != 0)
        }
    }

    @Test("damage of the index is told, and mended by making it again; an index that cannot be opened is put aside")
    func damage() async throws {
        try await withFingerprint { data in
            #expect(try await admin(["fingerprints", "check"], data).output.contains("Nothing is wrong."))
            let folder = data.appendingPathComponent("fingerprints")
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".earprints") }
            )
            let segment = folder.appendingPathComponent(name)
            var bytes = try Data(contentsOf: segment)
            bytes[bytes.count / 2] ^= 0x55
            try bytes.write(to: segment)
            let told = try await admin(["fingerprints", "check"], data)
            #expect(told.status == 1)
            #expect(told.output.contains(name))
            #expect(try await admin(["fingerprints", "rebuild"], data).output.contains("The index has 1 fingerprint"))
            #expect(try await admin(["fingerprints", "check"], data).output.contains("Nothing is wrong."))
            // One that cannot even be opened.
            try Data("no manifest".utf8).write(to: folder.appendingPathComponent("manifest"))
            let service = try await RunningService(data: data)
            #expect(service.log.contains("put aside"))
            #expect(try await admin(["check"], data).output.contains("Nothing is wrong."))
            #expect(await service.stop() == 0)
            #expect(FileManager.default.fileExists(atPath: folder.path + ".damaged"))
            #expect(try await admin(["fingerprints", "rebuild"], data).output.contains("The index has 1 fingerprint"))
        }
    }

    @Test("when a backup is put back, no index of what was there is left")
    func restoring() async throws {
        try await withFingerprint { data in
            // A service makes what a backup has besides.
            #expect(await (try RunningService(data: data)).stop() == 0)
            let copy = data.appendingPathComponent("copy")
            let backup = try await admin(["backup", copy.path], data)
            #expect(backup.status == 0, "\(backup.errors)")
            let restored = try await admin(["restore", copy.path, "--yes"], data)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(!FileManager.default.fileExists(atPath: data.appendingPathComponent("fingerprints").path))
            #expect(try await admin(["fingerprints", "rebuild"], data).output.contains("The index has 1 fingerprint"))
        }
    }
}
