import Earshot
import EarshotAPI
import EarshotCatalogs
import EarshotClient
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("earshot serve and admin")
struct ServeCommandTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "earshot service \(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func admin(_ arguments: [String], _ data: URL) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["admin"] + arguments + ["--data", data.path])
    }

    /// The page for programmers.
    private func page(_ url: URL) async throws -> String {
        let anybody = try ClientConfiguration(clientIdentifier: "1-1")
        let answer = try await HTTPRecognitionService(url, configuration: anybody).content(
            at: url.absoluteString + "/start"
        )
        return String(decoding: answer.bytes, as: UTF8.self)
    }

    private func identifier(_ outcome: Tool.Outcome) -> String {
        outcome.output.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    }

    /// A service's folder that knows the workshop's music.
    private func fill(_ data: URL) async throws {
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let table = data.appendingPathComponent("table.csv")
        try Data(
            """
            title,artist,album,year,genre,track_id,link_shop
            Warm Ink,_ghost,Ink,2012,Electronic,warm,007
            """.utf8
        ).write(to: table)
        let imported = try await Workshop.earshot.run([
            "import", "table", table.path, "--database", data.appendingPathComponent("music.sqlite").path,
        ])
        #expect(imported.status == 0, "\(imported.errors)")
    }

    @Test("a second service in the same folder is refused with one message, and the first goes on")
    func sameFolder() async throws {
        try await withFolder { folder in
            let first = try await RunningService(data: folder)
            let second = try await Workshop.earshot.run(["serve", "--data", folder.path, "--port", "0"])
            #expect(second.status == 1 && second.output.isEmpty)
            let told = "A service runs in \(folder.path) already: end it first"
            #expect(second.errors.contains(told), "\(second.errors)")
            #expect(await first.stop() == 0)
        }
    }

    @Test("on an empty folder it makes what it needs, keeps the token to its owner, and ends when it is told to")
    func beginning() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("new/data")
            let first = try await RunningService(data: data)
            let token = try #require(first.admin)
            #expect(token.hasPrefix("earshot-admin-"))
            let page = try await page(first.base)
            #expect(page.contains("/v1/recognitions"))
            #expect(await first.stop() == 0)
            #expect(!first.log.contains(token) && !first.output.contains(token), "nobody looks")
            let file = data.appendingPathComponent("operator-token")
            let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
            for name in ["accounts.sqlite", "music.sqlite", "catalog.earstore"] {
                #expect(FileManager.default.fileExists(atPath: data.appendingPathComponent(name).path))
            }
            let leftovers = ["tmp-\(UUID()).earcat", ".earshot-catalog.earcat", "upload-\(UUID())"].map {
                data.appendingPathComponent($0)
            }
            for leftover in leftovers { try Data("x".utf8).write(to: leftover) }
            let second = try await RunningService(data: data)
            #expect(second.admin == nil)
            for leftover in leftovers { #expect(!FileManager.default.fileExists(atPath: leftover.path)) }
            #expect(try await admin(["token"], data).output.hasPrefix("earshot-admin-"))
            #expect(!FileManager.default.fileExists(atPath: file.path), "it is worth nothing any more")
            #expect(await second.stop() == 0)
        }
    }

    @Test(
        "the client finds what the service knows: files in five formats, covers, texts and history",
        .requirements("R-MC-065")
    )
    func client() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            try await fill(data)
            let music = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            let created = try await Workshop.earshot.run([
                "catalog", "create", music.path, "-o", data.appendingPathComponent("catalog.earstore").path,
            ])
            #expect(created.status == 0, "\(created.errors)")
            let service = try await RunningService(data: data)
            let made = try await admin(["client", "add", "Tests", "--without", "links"], data)
            #expect(made.status == 0, "\(made.errors)")
            var configuration = try ClientConfiguration(clientIdentifier: identifier(made))
            configuration.preferences.coverArt = true
            let http = HTTPRecognitionService(service.base, configuration: configuration)
            let client = RecognitionClient(service: http, files: { try await AssetReader.recording($0) })

            let formats = [
                ("wav", ["-c:a", "pcm_s16le"]), ("mp3", ["-c:a", "libmp3lame"]), ("aac", ["-c:a", "aac"]),
                ("caf", ["-c:a", "pcm_s16be"]), ("aiff", ["-c:a", "pcm_s16be"]),
            ]
            for (suffix, codec) in formats {
                let file = folder.appendingPathComponent("track.\(suffix)")
                try await convert(music, file, codec)
                let result = try await client.result(of: .file(file), configuration)
                #expect(result.best?.track.id == "warm", "\(suffix)")
                #expect(result.best?.track.links == nil)
            }
            let match = try #require(try await client.result(of: .track("warm"), configuration).best)
            let loader = ContentLoader(service: http, configuration: configuration)
            let cover = try #require(try await loader.coverArt(of: match))
            #expect(cover.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(
                try await client.result(of: .text(MusicQuery(track: "warm ink")), configuration).best?.track.id
                    == "warm"
            )

            let identified = try await Workshop.earshot.run([
                "identify", folder.appendingPathComponent("track.mp3").path, "--server", service.base.absoluteString,
                "--client", identifier(made),
            ])
            #expect(identified.status == 0, "\(identified.errors)")
            #expect(identified.output.contains("Warm Ink"))
            #expect(await service.stop() == 0)
            #expect(!service.log.contains(String(identifier(made).dropFirst(9))), "the tag is in the log")
        }
    }

    private func convert(_ input: URL, _ output: URL, _ codec: [String]) async throws {
        let paths = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"]
        let path = try #require(paths.first { FileManager.default.isExecutableFile(atPath: $0) })
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments =
            ["-nostdin", "-v", "error", "-i", input.path, "-t", "22", "-ac", "1"] + codec + [output.path]
        try ProcessLaunch.run(process)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume()
            }
        }
        #expect(process.terminationStatus == 0)
    }

    @Test("clients are made, changed, given another tag and forgotten while the service runs")
    func clients() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            let service = try await RunningService(data: data)
            defer { withExtendedLifetime(service) {} }
            let made = try await admin(["client", "add", "My app", "--references"], data)
            let id = String(identifier(made).prefix(8))
            #expect(made.output.contains("with the rights bundles, channels, exports, media, references"))
            let fewer = ["client", "change", id, "--no-right", "media", "--no-right", "exports"]
            #expect(try await admin(fewer, data).output.contains("with the rights bundles, channels, references"))
            let one = ["client", "change", id, "--no-references", "--right", "channels"]
            #expect(try await admin(one, data).output.contains("with the right channels"))
            #expect(try await admin(["client", "change", id, "--right", "nothing"], data).status == 2)
            let listed = try await admin(["client", "list", "--json"], data)
            #expect(listed.output.contains(id) && !listed.output.contains("identifier"))
            #expect(try await admin(["quota", id, "--client", "10", "--user", "2"], data).output.contains("10 a day"))
            #expect(
                try await admin(["client", "change", id, "--without", "mood", "--no-enabled"], data).output.contains(
                    "not served"
                )
            )
            let renewed = try await admin(["client", "renew", id], data)
            #expect(identifier(renewed).hasPrefix(id) && identifier(renewed) != identifier(made))
            #expect(try await admin(["user", "list", id], data).status == 0)
            #expect(try await admin(["client", "remove", id], data).status == 2)
            #expect(try await admin(["client", "remove", id, "--yes"], data).status == 0)
            #expect(try await admin(["client", "change", id], data).status == 1)
            #expect(try await admin(["client", "change", id, "--with", "nothing"], data).status == 2)
            #expect(try await admin(["token"], data).output.hasPrefix("earshot-admin-"))
            await service.stop()
        }
    }

    @Test("a copy is made while the service runs, and put back when it does not")
    func backup() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            let copy = folder.appendingPathComponent("copy")
            let service = try await RunningService(data: data)
            _ = try await admin(["client", "add", "Kept"], data)
            #expect(try await admin(["backup", copy.path], data).status == 0)
            #expect(try await admin(["backup", copy.path], data).status == 4)
            _ = try await admin(["client", "add", "Lost"], data)
            let refused = try await admin(["restore", copy.path, "--yes"], data)
            #expect(refused.status == 1, "the service runs")
            #expect(await service.stop() == 0)
            #expect(try await admin(["restore", copy.path], data).status == 2)
            #expect(try await admin(["restore", copy.path, "--yes"], data).status == 0)
            let listed = try await admin(["client", "list"], data).output
            #expect(listed.contains("Kept") && !listed.contains("Lost"))
            let checked = try await admin(["check"], data)
            #expect(checked.status == 0 && checked.output.contains("Nothing is wrong"))
        }
    }

    @Test("what cannot be served is said in one sentence")
    func mistakes() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data").path
            let settings = folder.appendingPathComponent("settings.json")
            try Data(#"{"prot": 80}"#.utf8).write(to: settings)
            let (lone, blind) = (
                folder.appendingPathComponent("lone.json"), folder.appendingPathComponent("blind.json")
            )
            try Data(#"{"operationsHost": "0.0.0.0"}"#.utf8).write(to: lone)
            try Data(#"{"proxyHeader": "proxy"}"#.utf8).write(to: blind)
            let roomless = folder.appendingPathComponent("roomless.json")
            try Data(#"{"clusterAddress": "10.0.0.3:7100"}"#.utf8).write(to: roomless)
            let anywhere = folder.appendingPathComponent("anywhere.json")
            try Data(#"{"clusterAddress": "0.0.0.0:7100", "cacheBytes": 1}"#.utf8).write(to: anywhere)
            let alone = folder.appendingPathComponent("alone.json")
            try Data(#"{"clusterAddress": "10.0.0.3:7100", "cacheBytes": 1}"#.utf8).write(to: alone)
            let cases: [([String], String)] = [
                (["--config", settings.path], "prot"), (["--config", lone.path], "operationsPort"),
                (["--config", blind.path], "trustedProxies"), (["--config", roomless.path], "cacheBytes"),
                (["--config", anywhere.path], "clusterAddress"), (["--config", alone.path], "bucket"),
                (["--config", folder.appendingPathComponent("none").path], "no file"),
                (["--certificate", "a.pem"], "private key"),
                (["--certificate", "a.pem", "--private-key", "b.pem"], "PEM"),
                (["--public-url", "music"], "publicURL"), (["--log-level", "loud"], "logLevel"),
                (["--port", "70000"], "port"),
                (["--catalog", folder.appendingPathComponent("none.earcat").path], "none.earcat"),
            ]
            for (options, told) in cases {
                let outcome = try await Workshop.earshot.run(["serve", "--data", data] + options)
                #expect(outcome.status == 1, "\(options)")
                #expect(outcome.errors.contains(told), "\(options): \(outcome.errors)")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            }
            let service = try await RunningService(data: folder.appendingPathComponent("one"))
            let port = try #require(service.base.port)
            let taken = try await Workshop.earshot.run([
                "serve", "--data", folder.appendingPathComponent("two").path, "--port", "\(port)",
            ])
            #expect(taken.status == 1)
            #expect(taken.errors.contains("is taken"))
            let state = try await Workshop.earshot.run(
                ["serve", "--data", folder.appendingPathComponent("two").path, "--port", "0"],
                environment: ["EARSHOT_OPERATIONS_PORT": "\(port)"]
            )
            #expect(state.status == 1)
            #expect(state.errors.contains("is taken") && state.errors.contains("operationsPort"), "\(state.errors)")
            let held = try await Workshop.earshot.run([
                "serve", "--data", folder.appendingPathComponent("one").path, "--port", "0",
            ])
            #expect(held.status == 1, "its catalog is held by the first")
            await service.stop()
            #expect(try await admin(["client", "list"], folder.appendingPathComponent("nowhere")).status == 1)
        }
    }

    @Test("settings of the command line count before those of the environment, and these before the file's")
    func precedence() async throws {
        try await withFolder { folder in
            let settings = folder.appendingPathComponent("settings.json")
            try Data(#"{"publicURL": "http://file.example", "logLevel": "warning", "workers": 1}"#.utf8).write(
                to: settings
            )
            let data = folder.appendingPathComponent("data")
            let variables = ["EARSHOT_PUBLIC_URL": "http://variable.example", "EARSHOT_HISTORY_LIMIT": "5"]
            let cases: [(options: [String], environment: [String: String], shown: String)] = [
                (["--public-url", "http://option.example"], variables, "http://option.example"),
                ([], variables, "http://variable.example"), ([], [:], "http://file.example"),
            ]
            for (options, environment, shown) in cases {
                let service = try await RunningService(
                    data: data,
                    ["--config", settings.path] + options,
                    environment: environment
                )
                #expect(try await page(service.base).contains(shown))
                #expect(service.log.isEmpty, "the file says that only warnings are logged")
                await service.stop()
            }
            let wrong = try await Workshop.earshot.run(
                ["serve", "--data", data.path],
                environment: ["EARSHOT_HISTORY_LIMIT": "many"]
            )
            #expect(wrong.status == 1 && wrong.errors.contains("historyLimit"))
        }
    }

    @Test("an app that only searches carries neither a recorder nor a decoder", .requirements("R-MC-256"))
    func linkage() async throws {
        func holds(_ text: String, _ tool: Tool) throws -> Bool {
            try Data(contentsOf: tool.url, options: .mappedIfSafe).range(of: Data(text.utf8)) != nil
        }
        for symbol in ["avcodec_open2", "libavcodec", "CaptureSource"] {
            #expect(try holds(symbol, Workshop.earshot), "the command has \(symbol), so that this test can fail")
            #expect(try !holds(symbol, Tool("FindMusic")), "\(symbol)")
        }
        #expect(try await Tool("FindMusic").run([]).status == 2)
        #expect(try await Tool("FindMusic").run(["http://127.0.0.1:1", "12345678-A", "moon"]).status == 1)
    }

    @Test("media folders are named by option, by variable or in the file, and their files are served")
    func mediaFolders() async throws {
        try await withFolder { folder in
            let (data, exports) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("exports"))
            try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: false)
            // A path may have a comma.
            let music = folder.appendingPathComponent("music, old")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: false)
            let sample = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            try FileManager.default.copyItem(at: sample, to: music.appendingPathComponent("ink.ogg"))
            let settings = folder.appendingPathComponent("settings.json")
            try JSONEncoder().encode(["mediaRoots": ["c=\(music.path)"]]).write(to: settings)

            let first = try await RunningService(
                data: data,
                [
                    "--media-root", "a=\(music.path)", "--media-root", "b=\(folder.path)", "--export-folder",
                    exports.path,
                ]
            )
            let made = try await admin(["client", "add", "Editing room", "--references"], data)
            let configuration = try ClientConfiguration(clientIdentifier: identifier(made))
            func http(_ service: RunningService) -> HTTPRecognitionService {
                HTTPRecognitionService(service.base, configuration: configuration)
            }
            let record = try await http(first).asset("a/ink.ogg")
            #expect(record.tracks.map(\.codec) == ["vorbis"])
            #expect(try await http(first).asset("b/music, old/ink.ogg").duration == record.duration)
            let export = try await http(first).export(ExportRequest(asset: "a/ink.ogg", type: "flac"))
            for try await _ in http(first).exportUpdates(export.id) {}
            #expect(FileManager.default.fileExists(atPath: exports.appendingPathComponent("ink.flac").path))
            let run = try await http(first).analyze(AnalysisRequest(folder: "a", analyzers: ["loudness"]))
            for try await _ in http(first).analysisUpdates(run.id) {}
            #expect(await first.stop() == 0)

            // What was exported is known after the end of the service.
            let second = try await RunningService(
                data: data,
                ["--export-folder", exports.path],
                environment: ["EARSHOT_MEDIA_ROOTS": "b=\(folder.path),e=\(exports.path)"]
            )
            #expect(try await http(second).exportRecord(export.id).status == .completed)
            #expect(try await http(second).asset("e/ink.flac").tracks.map(\.codec) == ["flac"])
            #expect(try await http(second).asset("b/music, old/ink.ogg").size == record.size)
            #expect(await second.stop() == 0)
            let third = try await RunningService(data: data, ["--config", settings.path])
            #expect(try await http(third).asset("c/ink.ogg").size == record.size)
            #expect(await third.stop() == 0)
            let wrong = try await Workshop.earshot.run(["serve", "--data", data.path, "--media-root", "nothing"])
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("NAME=DIR"))
        }
    }
}
