import Crypto
import Earshot
import EarshotAPI
import EarshotCatalogs
import EarshotClient
import EarshotMusic
@testable import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("earshot admin backup and restore")
struct BackupTests {
    private func admin(_ arguments: [String], _ data: URL) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["admin"] + arguments + ["--data", data.path])
    }

    private func ask(_ method: String, _ address: URL, token: String) async throws -> (status: Int, data: Data) {
        var request = URLRequest(url: address)
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }

    /// A service and a backup of it.
    private struct Backup {
        /// The service's folder.
        let data: URL
        /// The backup.
        let copy: URL
        /// Both are in it.
        let folder: URL
        /// The operator's token.
        let token: String
    }

    /// Makes a backup of a service that knows the workshop's music and has published it.
    private func withBackup(_ body: (Backup) async throws -> Void) async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let (data, copy) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("copy"))
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let store = data.appendingPathComponent("catalog.earstore").path
            let table = folder.appendingPathComponent("items.csv")
            try Data("path,title\ninner folder/warm ink 日本.wav,Warm Ink 日本\n".utf8).write(to: table)
            let created = try await Workshop.earshot.run([
                "catalog", "create", workshop.music.path, "-o", store, "--items", table.path,
            ])
            #expect(created.status == 0, "\(created.errors)")
            let service = try await RunningService(data: data)
            let token = try #require(service.admin)
            let published = service.base.appendingPathComponent("v1/catalogs/radio/versions")
            #expect(try await ask("POST", published, token: token).status == 201)
            let copied = try await admin(["backup", copy.path], data)
            #expect(copied.status == 0, "\(copied.errors)")
            #expect(copied.output.contains("2 references"))
            #expect(await service.stop() == 0)
            try await body(Backup(data: data, copy: copy, folder: folder, token: token))
        }
    }

    /// The digests of all files of a folder by their paths, without locks, which name who held them last.
    private func contents(_ folder: URL) throws -> [String: String] {
        var contents: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !path.hasSuffix("lock") {
            let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
            contents[path] = data.map { "\(SHA256.hash(data: $0))" } ?? "folder"
        }
        return contents
    }

    /// The title that a service on a folder gives the workshop's clip.
    private func title(servedFrom data: URL, _ backup: Backup) async throws -> String? {
        let workshop = try await Workshop.shared()
        let service = try await RunningService(data: data)
        let made = try await admin(["client", "add", "Tests"], data)
        let identifier = try #require(made.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
        let configuration = try ClientConfiguration(clientIdentifier: identifier)
        let http = HTTPRecognitionService(service.base, configuration: configuration)
        let client = RecognitionClient(service: http, files: { try await AssetReader.recording($0) })
        let result = try await client.result(of: .file(workshop.clip), configuration)
        let catalogs = try await ask("GET", service.base.appendingPathComponent("v1/catalogs"), token: backup.token)
        #expect(String(decoding: catalogs.data, as: UTF8.self).contains("radio"))
        #expect(await service.stop() == 0)
        return result.best?.track.title
    }

    @Test("a clip is recognized again by a service that was restored to another folder, and to its own")
    func catalogComesBack() async throws {
        try await withBackup { backup in
            let (data, copy, folder) = (backup.data, backup.copy, backup.folder)
            let title = "Warm Ink 日本"
            #expect(try await self.title(servedFrom: data, backup) == title)
            let other = folder.appendingPathComponent("other")
            let restored = try await admin(["restore", copy.path], other)
            // What is there is not replaced unasked.
            #expect(try await admin(["restore", copy.path], other).status == 2)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(restored.output.contains("2 references"))
            #expect(try await self.title(servedFrom: other, backup) == title)

            let store = data.appendingPathComponent("catalog.earstore").path
            let removed = try await Workshop.earshot.run(["catalog", "remove", store, Workshop.clipName])
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try await admin(["restore", copy.path, "--yes"], data).status == 0)
            #expect(try await self.title(servedFrom: data, backup) == title)
            #expect(try await admin(["check"], data).output.contains("Nothing is wrong"))
            // Nothing of the work is left.
            #expect(!FileManager.default.fileExists(atPath: data.appendingPathComponent(".restoring").path))
        }
    }

    @Test("a backup that is incomplete or damaged is refused in one sentence, and the folder stays as it was")
    func damagedBackups() async throws {
        try await withBackup { backup in
            let (data, copy, folder) = (backup.data, backup.copy, backup.folder)
            let before = try contents(data)
            let names = try contents(copy).filter { $0.value != "folder" && $0.key != "backup.json" }.keys.sorted()
            #expect(names.contains("catalog.earcat") && names.contains("published/radio/1.earcat"))
            for name in names {
                let file = copy.appendingPathComponent(name)
                let whole = try Data(contentsOf: file)
                var bytes = whole
                bytes[bytes.count / 2] ^= 1
                for damage in [bytes, bytes.prefix(whole.count / 2), nil] {
                    try FileManager.default.removeItem(at: file)
                    if let damage { try damage.write(to: file) }
                    let refused = try await admin(["restore", copy.path, "--yes"], data)
                    #expect(refused.status == 1, "\(name)")
                    #expect(refused.errors.contains(name) && refused.errors.contains("use another backup"))
                    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
                    try? FileManager.default.removeItem(at: file)
                    try whole.write(to: file)
                }
            }
            // One of an earlier version has no list: databases and catalog say by themselves that they are damaged.
            try FileManager.default.removeItem(at: copy.appendingPathComponent("backup.json"))
            for name in ["music.sqlite", "catalog.earcat"] {
                let file = copy.appendingPathComponent(name)
                let whole = try Data(contentsOf: file)
                try Data("damaged".utf8).write(to: file)
                let refused = try await admin(["restore", copy.path, "--yes"], data)
                #expect(refused.status == 1 && refused.errors.contains(name), "\(refused.errors)")
                try whole.write(to: file)
            }
            let nowhere = folder.appendingPathComponent("nowhere")
            #expect(try await admin(["restore", nowhere.path, "--yes"], nowhere).status == 1)
            #expect(!FileManager.default.fileExists(atPath: nowhere.path))
            #expect(try contents(data) == before)
        }
    }

    @Test("a backup without a catalog says so, and the catalog stays")
    func withoutCatalog() async throws {
        try await withBackup { backup in
            let (data, copy) = (backup.data, backup.copy)
            for name in ["catalog.earcat", "backup.json"] {
                try FileManager.default.removeItem(at: copy.appendingPathComponent(name))
            }
            let restored = try await admin(["restore", copy.path, "--yes"], data)
            #expect(restored.status == 0)
            #expect(restored.errors.contains("no catalog"), "\(restored.errors)")
            let listed = try await Workshop.earshot.run([
                "catalog", "list", data.appendingPathComponent("catalog.earstore").path, "--jsonl",
            ])
            #expect(listed.output.split(separator: "\n").count == 2)
        }
    }

    @Test("an exchange that was cut off is finished, and one that fails is undone")
    func exchange() throws {
        try withTemporaryFolder { folder in
            func write(_ text: String, _ name: String, in place: URL) throws {
                try Data(text.utf8).write(to: place.appendingPathComponent(name))
            }
            func text(_ name: String) -> String? {
                FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
                    .map { String(decoding: $0, as: UTF8.self) }
            }
            for name in ["a.sqlite", "a.sqlite-wal", "b", "index"] { try write("old", name, in: folder) }
            let first = try FolderExchange(in: folder)
            for name in ["a.sqlite", "b", "c"] { try write("new", name, in: first.staging) }
            // Where the old one is put, something stands in the way of it.
            let aside = first.staging.appendingPathComponent("replaced/b/inner", isDirectory: true)
            try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
            #expect(throws: EarshotError.self) { try first.commit(removing: ["index"]) }
            for name in ["a.sqlite", "a.sqlite-wal", "b", "index"] { #expect(text(name) == "old", "\(name)") }
            #expect(text("c") == nil)

            let second = try FolderExchange(in: folder)
            for name in ["a.sqlite", "b", "c"] { try write("new", name, in: second.staging) }
            // As it is when the process ends after the first name.
            try write(#"{"names": ["a.sqlite", "b", "c"], "removals": ["index"]}"#, "plan.json", in: second.staging)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("a.sqlite"))
            try FileManager.default.moveItem(
                at: second.staging.appendingPathComponent("a.sqlite"),
                to: folder.appendingPathComponent("a.sqlite")
            )
            try FolderExchange.finishInterrupted(in: folder)
            for name in ["a.sqlite", "b", "c"] { #expect(text(name) == "new", "\(name)") }
            #expect(text("index") == nil)
            #expect(!FileManager.default.fileExists(atPath: second.staging.path))
        }
    }
}
