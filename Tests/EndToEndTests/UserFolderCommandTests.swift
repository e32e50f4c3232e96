import EarshotCore
import Foundation
import TestSupport
import Testing

/// Where the command keeps its files, told by the environment alone.
@Suite("earshot: folders of the user")
struct UserFolderCommandTests {
    private static let table = "title,artist,album\nLantern,The Tin Foxes,Morning Rail\n"

    /// The files below a folder by their paths in it, without those that a database has beside it.
    private func files(_ folder: URL) -> Set<String> {
        var found: Set<String> = []
        let names = FileManager.default.enumerator(atPath: folder.path)
        while let name = names?.nextObject() as? String {
            var isFolder: ObjCBool = false
            let path = folder.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                !name.hasSuffix("-wal"), !name.hasSuffix("-shm"), !name.hasSuffix(".lock")
            else { continue }
            found.insert(name)
        }
        return found
    }

    /// Runs what writes a file of each kind.
    private func writeAll(_ environment: [String: String], in folder: URL) async throws {
        let clip = try await Workshop.shared().clip
        let catalog = try await Workshop.shared().catalog.path
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Recordings.fixtures.appendingPathComponent("tagged.mp3"),
            to: music.appendingPathComponent("a.mp3")
        )
        let commands: [([String], input: Data?)] = [
            (["import", "table", "-"], Data(Self.table.utf8)),
            (["identify", "-", "--catalog", catalog, "--history"], try Data(contentsOf: clip)),
            (["library", "scan", music.path], nil), (["library", "identify", music.path], nil),
            (["analyse", music.path, "--only", "loudness"], nil),
        ]
        for (arguments, input) in commands {
            let outcome = try await Workshop.earshot.run(arguments, input: input, environment: environment)
            #expect([0, 3].contains(outcome.status), "\(arguments): \(outcome.errors)")
        }
        // What was written is read there, too.
        let found = try await Workshop.earshot.run(["search", "lantern"], environment: environment)
        #expect(found.status == 0, "\(found.errors)")
        let history = try await Workshop.earshot.run(["history", "--json"], environment: environment)
        #expect(try Document(history.output)["entries", 0] != nil, "\(history.errors)")
    }

    private static let data: Set<String> = ["music.sqlite", "history.sqlite", "folders.sqlite"]
    private static let caches: Set<String> = ["library.sqlite", "analysis.sqlite"]

    @Test("all lie below HOME, whatever the password database says")
    func home() async throws {
        try await withTemporaryFolder { folder in
            let home = folder.appendingPathComponent("home of ada")
            let environment = userEnvironment(home: home)
            try await writeAll(environment, in: folder)
            let folders = UserFolders(environment: environment)
            #expect(files(folders.own(.data)).isSuperset(of: Self.data))
            #expect(files(folders.own(.cache)).isSuperset(of: Self.caches))
            #expect(files(home).count == Self.data.count + Self.caches.count, "\(files(home))")
        }
    }

    #if os(Linux)
        @Test("each kind lies where its variable says, and nothing in HOME then")
        func variables() async throws {
            try await withTemporaryFolder { folder in
                func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
                let environment = [
                    "HOME": path("home"), "XDG_DATA_HOME": path("d"), "XDG_CACHE_HOME": path("c"),
                    "XDG_STATE_HOME": path("s"), "XDG_CONFIG_HOME": path("f"),
                ]
                try await writeAll(environment, in: folder)
                #expect(files(folder.appendingPathComponent("d/earshot")) == Self.data)
                #expect(files(folder.appendingPathComponent("c/earshot")) == Self.caches)
                #expect(!FileManager.default.fileExists(atPath: path("home")))
            }
        }

        @Test("a variable that is no absolute path is ignored")
        func relative() async throws {
            try await withTemporaryFolder { folder in
                let name = "earshot-\(UUID().uuidString)"
                var environment = userEnvironment(home: folder)
                environment["XDG_DATA_HOME"] = name
                let outcome = try await Workshop.earshot.run(
                    ["import", "table", "-"],
                    input: Data(Self.table.utf8),
                    environment: environment
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(files(folder) == [".local/share/earshot/music.sqlite"])
                #expect(!FileManager.default.fileExists(atPath: name))
            }
        }

        @Test("pieces that a desktop opens are saved below HOME")
        func scheme() async throws {
            try await withTemporaryFolder { folder in
                let outcome = try await Workshop.earshot.run(
                    [
                        "piece", "register-scheme", "sketcher", "--server", "http://127.0.0.1:9", "--client",
                        "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345",
                    ],
                    environment: userEnvironment(home: folder)
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                let entry = folder.appendingPathComponent(
                    ".local/share/applications/earshot-piece-sketcher.desktop"
                )
                #expect(try String(contentsOf: entry, encoding: .utf8).contains("-o \(folder.path)/Music/Pieces "))
            }
        }
    #endif
}
