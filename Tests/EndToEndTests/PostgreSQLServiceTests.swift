import EarshotBroadcast
import EarshotCatalogs
import EarshotPostgreSQL
@testable import ServiceCommands
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The address of the server; `nil` if there is none.
private let serverAddress = ProcessInfo.processInfo.environment["EARSHOT_TEST_POSTGRESQL"]

/// `earshot serve` and `admin` on a database of the PostgreSQL server that `scripts/test` starts and names.
@Suite("A service with a database in PostgreSQL", .enabled(if: serverAddress != nil), .timeLimit(.minutes(5)))
struct PostgreSQLServiceTests {
    /// Runs a test with the address of an empty schema, and a folder.
    private func withDatabase(_ body: (String, URL) async throws -> Void) async throws {
        let address = try #require(serverAddress)
        let schema = "service_\(UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: ""))"
        let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(address))
        try await pool.write { connection in try connection.execute("CREATE SCHEMA \(schema)") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot 日本 \(UUID().uuidString)")
        let result: Result<Void, any Error>
        do {
            result = .success(try await body("\(address)&options=-csearch_path%3D\(schema)", folder))
        } catch {
            result = .failure(error)
        }
        try? FileManager.default.removeItem(at: folder)
        try await pool.write { connection in try connection.execute("DROP SCHEMA \(schema) CASCADE") }
        try result.get()
    }

    @Test("the number of copies of a catalog is shown and set, and where the room is short that is said")
    func copies() async throws {
        try await withDatabase { database, _ in
            func run(_ arguments: String...) async throws -> Tool.Outcome {
                try await Workshop.earshot.run(["cluster", "copies"] + arguments + ["--database", database])
            }
            let none = try await run("music")
            #expect(none.status == 1 && none.errors.contains("There is no service in"), "\(none.errors)")
            let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(database))
            #expect(try await PostgreSQLManifestStore(pool).create("music", limits: .standard))
            let shown = try await run("music")
            #expect(shown.output == "music: each node holds all segments\n", "\(shown.errors)")
            let set = try await run("music", "2")
            #expect(set.output.hasPrefix("music: 2 copies of each segment"), "\(set.errors)")
            #expect(try await run("music", "--json").output.contains("\"copies\""))
            #expect(try await run("music", "all").output == shown.output)
            for arguments in [["music", "0"], ["music", "two"]] {
                let wrong = try await Workshop.earshot.run(
                    ["cluster", "copies"] + arguments + ["--database", database]
                )
                #expect(wrong.status == 2, "\(wrong.errors)")
            }
            #expect(try await run("other").errors.contains("no catalog named other"))
        }
    }

    @Test("its data is there and not in files, and is there again after a restart")
    func data() async throws {
        try await withDatabase { database, folder in
            let options = ["--data", folder.path, "--database", database]
            let first = try await RunningService(data: folder, ["--database", database])
            #expect(first.admin != nil)
            let added = try await Workshop.earshot.run(["admin", "client", "add", "Büro 日本"] + options)
            #expect(added.status == 0, "\(added.errors)")
            #expect(await first.stop() == 0)
            let second = try await RunningService(data: folder, environment: ["EARSHOT_DATABASE": database])
            #expect(second.admin == nil)
            let listed = try await Workshop.earshot.run(["admin", "client", "list"] + options)
            #expect(listed.output.contains("Büro 日本"), "\(listed.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".sqlite") }, "\(names)")
            #expect(await second.stop() == 0)
        }
    }

    @Test("a cluster that is not there is named as such, and no tables are made")
    func cluster() async throws {
        try await withDatabase { database, _ in
            for command in [["status"], ["drain", "--no-wait"], ["undrain"]] {
                let run = try await Workshop.earshot.run(["cluster"] + command + ["--database", database])
                #expect(run.status == 1 && run.errors.contains("There is no service in"), "\(command) \(run.errors)")
            }
            let bucket = ["--bucket", "http://127.0.0.1:1/earshot"]
            let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
            let check = try await Workshop.earshot.run(
                ["cluster", "check", "--database", database] + bucket,
                environment: keys
            )
            #expect(check.status == 1 && check.errors.contains("There is no service in"), "\(check.errors)")
            let tables = try await PostgreSQLPool.connected(PostgreSQLOptions(database)).read { connection in
                try connection.row("SELECT count(*) AS count FROM pg_tables WHERE schemaname = current_schema()")?
                    .integer("count")
            }
            #expect(tables == 0)
        }
    }

    @Test("data that was moved is used where it was moved to, and not where it was; it comes back")
    func moving() async throws {
        try await withDatabase { database, folder in
            func run(_ arguments: String...) async throws -> Tool.Outcome { try await Workshop.earshot.run(arguments) }
            let first = try await RunningService(data: folder)
            let added = try await run("admin", "client", "add", "Büro 日本", "--data", folder.path)
            #expect(added.status == 0, "\(added.errors)")
            let busy = try await run("admin", "migrate-data", folder.path, database)
            #expect(busy.status == 1 && busy.errors.contains("A service runs in"), "\(busy.errors)")
            #expect(await first.stop() == 0)
            let log = folder.appendingPathComponent("playlog.sqlite")
            try Data().write(to: log)
            do {
                // A monitor follows stations.
                let lock = try MonitorLock(playlog: log)
                let watched = try await run("admin", "migrate-data", folder.path, database)
                #expect(watched.status == 1 && watched.errors.contains("Another monitor uses"), "\(watched.errors)")
                withExtendedLifetime(lock) {}
            }
            try FileManager.default.removeItem(at: log)
            let moved = try await run("admin", "migrate-data", folder.path, database)
            #expect(moved.status == 0 && moved.output.contains("both are equal"), "\(moved.errors)")

            let name = PostgreSQLOptions(database).name
            let serve = try await run("serve", "--data", folder.path, "--port", "0")
            #expect(serve.status == 1 && serve.errors.contains("was moved to \(name)"), "\(serve.errors)")
            let old = try await run("admin", "client", "list", "--data", folder.path)
            #expect(old.status == 1 && old.errors.contains("was moved to \(name)"), "\(old.errors)")
            let listed = try await run("admin", "client", "list", "--data", folder.path, "--database", database)
            #expect(listed.output.contains("Büro 日本"), "\(listed.errors)")

            let other = folder.appendingPathExtension("back")
            defer { try? FileManager.default.removeItem(at: other) }
            let back = try await run("admin", "migrate-data", database, other.path)
            #expect(back.status == 0 && !back.output.contains("share through a bucket"), "\(back.errors)")
            let there = try await run("admin", "client", "list", "--data", other.path)
            #expect(there.output.contains("Büro 日本"), "\(there.errors)")
            // Into the folder of before, once its old files are gone.
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.contains(".sqlite")
            {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
            }
            let again = try await run("admin", "migrate-data", database, folder.path)
            #expect(again.status == 0, "\(again.errors)")
            let here = try await run("admin", "client", "list", "--data", folder.path)
            #expect(here.output.contains("Büro 日本"), "\(here.errors)")
        }
    }

    @Test("what works with files says so, and a server that is not there is named without its password")
    func refusals() async throws {
        try await withDatabase { database, folder in
            let options = ["--data", folder.path, "--database", database]
            let service = try await RunningService(data: folder, ["--database", database])
            let backup = try await Workshop.earshot.run(["admin", "backup", folder.path + "/copy"] + options)
            #expect(backup.status != 0 && backup.errors.contains("pg_dump"), "\(backup.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
            let check = try await Workshop.earshot.run(["admin", "check"] + options)
            #expect(check.status == 0, "\(check.errors)")
            let restore = try await Workshop.earshot.run(
                ["admin", "restore", folder.path + "/copy", "--yes"] + options
            )
            #expect(restore.status != 0 && restore.errors.contains("pg_restore"), "\(restore.errors)")
            #expect(await service.stop() == 0)
            let guide = try await Workshop.earshot.run(["serve", "--guide", "guide.sqlite"] + options)
            #expect(guide.status != 0 && guide.errors.contains("leave the setting guide out"), "\(guide.errors)")
            let absent = try await Workshop.earshot.run([
                "serve", "--data", folder.path, "--database", "postgresql://ada:secret@127.0.0.1:1/x",
            ])
            #expect(absent.status != 0 && absent.errors.contains("postgresql://ada@127.0.0.1:1/x cannot be opened"))
            #expect(!absent.errors.contains("secret"))
        }
    }

    @Test("music, guide and log of plays are imported and read there, and a running service knows of them")
    func commands() async throws {
        try await withDatabase { database, folder in
            let service = try await RunningService(data: folder, ["--database", database])
            let table = folder.appendingPathComponent("tracks.csv")
            try Data("title,artist,album\nLantern,The Tin Foxes,Morning Rail\n".utf8).write(to: table)
            let option = ["--database", database]
            let imported = try await Workshop.earshot.run(["import", "table", table.path] + option)
            #expect(imported.status == 0, "\(imported.errors)")
            let found = try await Workshop.earshot.run(["search", "lantern", "--json"] + option)
            #expect(found.status == 0 && found.output.contains("The Tin Foxes"), "\(found.errors)")
            let guide = folder.appendingPathComponent("guide.xml")
            let xml = """
                <tv><channel id="seven"><display-name>Seven 日本</display-name></channel>
                <programme channel="seven" start="20260101200000 +0000" stop="20260101210000 +0000"><title>News</title></programme></tv>
                """
            try Data(xml.utf8).write(to: guide)
            let read = try await Workshop.earshot.run(["epg", "import", guide.path] + option)
            #expect(read.status == 0, "\(read.errors)")
            let environment = ["EARSHOT_DATABASE": database]
            let channels = try await Workshop.earshot.run(["epg", "channels"], environment: environment)
            #expect(channels.output.contains("Seven 日本"), "\(channels.errors)")
            let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(database))
            _ = try await PostgreSQLPlaylogStore(pool).put(PlaylogSamples.play("lantern", on: "seven"))
            let plays = try await Workshop.earshot.run(["playlog", "list", "--json"] + option)
            #expect(plays.status == 0 && plays.output.contains("\"seven\""), "\(plays.errors)")
            #expect(await service.stop() == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".sqlite") }, "\(names)")
        }
    }

    @Test("plays of a monitor come there, also those of a monitor that could not reach it, each once")
    func monitor() async throws {
        try await withDatabase { database, folder in
            let service = try await RunningService(data: folder, ["--database", database])
            let shop = try await Workshop.shared()
            let station = [
                "id": "tape", "since": "2026-05-01T18:30:00Z",
                "file": shop.folder.appendingPathComponent(Workshop.clipName).path,
            ]
            let settings = folder.appendingPathComponent("stations.json")
            try JSONSerialization.data(withJSONObject: [
                "catalog": shop.catalog.path, "playlog": "plays.sqlite", "stations": [station],
                "database": "postgresql://127.0.0.1:1/away",
            ]).write(to: settings)
            let away = try await Workshop.earshot.run(["monitor", "run", settings.path])
            #expect(away.status == 0 && away.output.contains("copied when the database is back"), "\(away.errors)")
            for _ in 0..<2 {
                let run = try await Workshop.earshot.run(["monitor", "run", settings.path, "--database", database])
                #expect(run.status == 0 && !run.output.contains("when the database is back"), "\(run.errors)")
                let listed = try await Workshop.earshot.run(["playlog", "list", "--jsonl", "--database", database])
                #expect(listed.output.split(separator: "\n").count == 1, "\(listed.output) \(listed.errors)")
                #expect(listed.output.contains("\"tape\""))
            }
            let store = try await PostgreSQLPlaylogStore(PostgreSQLPool.connected(PostgreSQLOptions(database)))
            #expect(try await !store.heard(PlayQuery()).isEmpty)
            #expect(await service.stop() == 0)
        }
    }

    @Test("a database without a service is named, and not filled by what only reads")
    func empty() async throws {
        try await withDatabase { database, folder in
            for command in [
                ["search", "ink"], ["lyrics", "ink"], ["track", "t"], ["album", "a"], ["epg", "channels"],
                ["playlog", "list"], ["admin", "client", "list"], ["admin", "fingerprints", "show"],
                ["admin", "app", "list"],
            ] {
                let run = try await Workshop.earshot.run(command + ["--database", database])
                #expect(run.status != 0 && run.errors.contains("There is no service in"), "\(command) \(run.errors)")
            }
            func tables() async throws -> Int {
                let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(database))
                return try await pool.read { connection in
                    try connection.rows("SELECT 1 FROM pg_tables WHERE schemaname = current_schema()").count
                }
            }
            #expect(try await tables() == 0)
            // One with a guide alone, as for other commands.
            let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(database))
            _ = try await PostgreSQLGuideStore(pool)
            let count = try await tables()
            for (command, what) in [
                (["search", "ink"], "There is no music in"), (["playlog", "list"], "There is no service in"),
                (["admin", "client", "list"], "There is no service in"),
                (["admin", "fingerprints", "show"], "There is no service in"),
            ] {
                let run = try await Workshop.earshot.run(command + ["--database", database])
                #expect(run.status != 0 && run.errors.contains(what), "\(command) \(run.errors)")
            }
            #expect(try await tables() == count)
            let file = try await Workshop.earshot.run(["epg", "channels", "--database", "guide.sqlite"])
            #expect(file.status != 0 && file.errors.contains("is none"), "\(file.errors)")
        }
    }

    @Test("mistakes in a list are told before the database of a shared catalog is touched")
    func listMistakes() async throws {
        try await withDatabase { database, folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let list = folder.appendingPathComponent("files.txt")
            // Nobody answers there.
            let bucket = ["--bucket", "http://127.0.0.1:1/earshot", "--database", database]
            let environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
            for (text, name, what) in [
                (nil, "music", "There is no list at"), (Data("\n..\n".utf8), "music", "names no file"),
                (Data([0xFF, 0xFE, 0x0A]), "music", "cannot be read as text"),
                (Data("a/b.ogg\n/a/b.ogg\n".utf8), "music", "would both be named"),
                (Data("a.ogg\n".utf8), "a/b", "is no name of a catalog"),
            ] as [(Data?, String, String)] {
                try text?.write(to: list)
                let create = ["catalog", "create", "--list", list.path, "-o", name]
                let run = try await Workshop.earshot.run(create + bucket, environment: environment)
                #expect(run.status == 1 && run.errors.contains(what), "\(run.errors)")
            }
            let pool = try await PostgreSQLPool.connected(PostgreSQLOptions(database))
            #expect(try await !PostgreSQLMigrations.wereRun(in: pool))
        }
    }

    private static func ready(_ service: RunningService) async throws -> (status: Int, text: String) {
        let (data, response) = try await URLSession.shared.data(from: service.base.appendingPathComponent("ready"))
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    @Test("a node that is drained says so to balancers and to the command, and serves again when it is told to")
    func draining() async throws {
        try await withDatabase { database, folder in
            let service = try await RunningService(data: folder, ["--database", database])
            let option = ["--database", database]
            #expect(try await Self.ready(service).status == 200)
            let drained = try await Workshop.earshot.run(["cluster", "drain"] + option)
            #expect(drained.status == 0 && drained.output.contains("may be stopped"), "\(drained.errors)")
            let state = try await Self.ready(service)
            #expect(state.status == 503 && state.text.contains("\"draining\""), "\(state.text)")
            let status = try await Workshop.earshot.run(["cluster", "status"] + option)
            #expect(status.output.contains("may be stopped"), "\(status.errors)")
            let other = try await Workshop.earshot.run(["cluster", "drain", "nobody"] + option)
            #expect(other.status == 3, "\(other.errors)")
            let undrained = try await Workshop.earshot.run(["cluster", "undrain"] + option)
            #expect(undrained.status == 0, "\(undrained.errors)")
            while try await Self.ready(service).status != 200 { try await Task.sleep(for: .milliseconds(100)) }
            #expect(await service.stop() == 0)
        }
    }
}
