import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One app publishes, another opens: both as programs, with a service that was started for them.
@Suite("Pieces between programs")
struct PieceProgramTests {
    /// A service with apps, and the surroundings of their user.
    private struct Studio {
        let service: RunningService
        let folder: URL
        /// What an app asks with.
        let keys: [String: String]

        init(in folder: URL, apps: [String]) async throws {
            self.folder = folder
            let data = folder.appendingPathComponent("data")
            service = try await RunningService(data: data)
            var keys: [String: String] = [:]
            for app in apps {
                let made = try await Workshop.earshot.run(["admin", "app", "add", app, "--data", data.path, "--json"])
                #expect(made.status == 0, "\(made.errors)")
                keys[app] = try Document(made.output)["applications", 0, "clientIdentifier"] as? String
            }
            self.keys = keys
        }

        func environment(_ app: String) -> [String: String] {
            [
                "HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
                "EARSHOT_SERVER": service.base.absoluteString, "EARSHOT_CLIENT": keys[app] ?? "",
                "EARSHOT_APPLICATION": app,
            ]
        }

        /// Sends the form of a page, with its hidden fields, by which the service knows its own form again.
        private static func send(
            _ entered: [(String, String)],
            with page: Data,
            to address: URL
        ) async throws -> (page: Data, status: Int?) {
            let hidden = String(decoding: page, as: UTF8.self)
                .matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
                .map { (String($0.1), String($0.2)) }
            var request = URLRequest(url: address)
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            let form = (hidden + entered).map { field, value in
                "\(field)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }
            request.httpBody = Data(form.joined(separator: "&").utf8)
            let (answer, response) = try await URLSession.shared.data(for: request)
            return (answer, (response as? HTTPURLResponse)?.statusCode)
        }

        /// Somebody logs in to an app, as a person does with a code: by the page of the service.
        func logIn(_ app: String, name: String, action: String = "login") async throws {
            var configuration = PieceClient.Configuration(
                applicationIdentifier: app,
                apiKey: keys[app],
                service: service.base
            )
            configuration.manifest = NoManifest()
            configuration.tokenStore = FileTokenStore(FileTokenStore.usualFolder(environment: environment(app)))
            configuration.login = DeviceCodeLogin { device in
                // One page asks for the code, the next one names the app.
                let (first, _) = try await URLSession.shared.data(from: device.address)
                let (second, _) = try await Self.send(
                    [("code", device.userCode), ("action", "look")],
                    with: first,
                    to: device.address
                )
                let entry = [("name", name), ("password", "correct horse"), ("action", action)]
                let (_, status) = try await Self.send(entry, with: second, to: device.address)
                // Nobody else logs in: waiting on would be in vain.
                guard status == 200 else { throw CancellationError() }
            }
            let account = try await PieceClient(configuration).logIn()
            #expect(account.author == name)
        }
    }

    @Test(
        "a loop that one program makes is opened by another, with everything that belongs to it",
        .requirements("R-PC-083", "R-PC-090", "R-PC-104", "R-PC-106")
    )
    func examples() async throws {
        try await withTemporaryFolder { folder in
            let studio = try await Studio(in: folder, apps: ["drumloop", "vocals", "earshot"])
            try await studio.logIn("drumloop", name: "Ada", action: "create")
            let unregistered = try await Tool("DrumLoop").run(["98"], environment: studio.environment("drumloop"))
            #expect(unregistered.status == 1 && unregistered.errors.contains("piece-drumloop"))
            for app in ["drumloop", "vocals"] {
                let registered = try await Workshop.earshot.run(
                    ["piece", "register-scheme", app, "--", "/usr/bin/true"],
                    environment: studio.environment(app)
                )
                #expect(registered.status == 0, "\(registered.errors)")
            }
            let dropped = try await Tool("DrumLoop").run(["98"], environment: studio.environment("drumloop"))
            #expect(dropped.status == 0, "\(dropped.errors)")
            let page = dropped.output.split(whereSeparator: \.isWhitespace).last.flatMap { URL(string: String($0)) }
            let id = try #require(page.flatMap { PieceID($0.lastPathComponent) })

            let sung = try await Tool("VocalRecorder").run(
                ["piece-vocals://open?id=\(id)", "A minor"],
                environment: studio.environment("vocals")
            )
            #expect(sung.status == 0, "\(sung.errors)")
            #expect(sung.output.contains("Drums at 98 by Ada"))
            // A loop of drums is not shifted, and nothing is tuned to it.
            #expect(sung.output.contains("Key: No key (as its maker says)") && !sung.output.contains("Shifted"))
            #expect(sung.output.contains("The tuner stays off"))
            #expect(sung.output.contains("based on \(id)"))

            let package = folder.appendingPathComponent("loop.earpiece")
            let made = try await Tool("DrumLoop").run(["98", package.path])
            #expect(made.status == 0, "\(made.errors)")
            let reader = try PiecePackageReader(package)
            let opened = try await Workshop.earshot.run(
                ["piece", "open", "piece-earshot://open?id=\(id)", "-o", folder.path, "--json"],
                environment: studio.environment("earshot")
            )
            #expect(opened.status == 0, "\(opened.errors)")
            let place = URL(fileURLWithPath: try #require(try Document(opened.output)["folder"] as? String))
            func bytes(_ name: String) throws -> Data { try Data(contentsOf: place.appendingPathComponent(name)) }
            #expect(try bytes("stem.wav") == reader.mixStem().bytes)
            for name in ["Kick", "Snare", "Hat"] {
                let stem = try #require(try reader.stem(named: name))
                #expect(try bytes("stems/\(name).wav") == stem.bytes)
            }
            #expect(try bytes("preview.wav") == reader.preview()?.bytes)
            #expect(try bytes("cover.png") == reader.cover()?.bytes)
            #expect(try bytes("attachment/pattern.txt") == reader.attachment()?.bytes)
            let piece = try ServiceAPI.decoder().decode(Piece.self, from: bytes("piece.json"))
            let draft = reader.draft
            #expect(piece.title == draft.title && piece.length == draft.length && piece.tempo == draft.tempo)
            #expect(piece.loop == draft.loop && piece.timeSignature == draft.timeSignature)
            #expect(piece.stems == ["Kick", "Snare", "Hat"])
            #expect(piece.tonality == .atonal && piece.basedOn.isEmpty && piece.author == "Ada")
            #expect(await studio.service.stop() == 0)
        }
    }

    @Test(
        "a tempo that none can be is told in words",
        arguments: ["0", "nan", "inf", "-3", "1e300", "1000"]
    )
    func tempo(text: String) async throws {
        let outcome = try await Tool("DrumLoop").run([text])
        #expect(outcome.status == 1 && outcome.errors.contains("1 to 999.999"), "\(outcome.errors)")
    }

    @Test("a piece that is opened again is as the service has it then")
    func again() async throws {
        try await withTemporaryFolder { folder in
            let studio = try await Studio(in: folder, apps: ["earshot"])
            let environment = studio.environment("earshot")
            try await studio.logIn("earshot", name: "Dora", action: "create")
            let id = try await drop(in: folder, environment)
            func open(_ options: String...) async throws -> Set<String> {
                let opened = try await Workshop.earshot.run(
                    ["piece", "open", "piece-earshot://open?id=\(id)", "-o", folder.path, "--json"] + options,
                    environment: environment
                )
                #expect(opened.status == 0, "\(opened.errors)")
                let place = try #require(try Document(opened.output)["folder"] as? String)
                return Set(try FileManager.default.subpathsOfDirectory(atPath: place))
            }
            func names(_ suffix: String) -> Set<String> {
                [
                    "stem.\(suffix)", "stems", "stems/Kick.\(suffix)", "stems/Snare.\(suffix)", "stems/Hat.\(suffix)",
                    "preview.\(suffix)", "attachment", "attachment/pattern.txt", "piece.json",
                ]
            }
            let first = try await open()
            #expect(first == names("wav").union(["cover.png"]))
            let second = try await open("--format", "ogg")
            #expect(second == names("ogg").union(["cover.png"]))
            let edited = try await Workshop.earshot.run(
                ["piece", "edit", "\(id)", "--no-cover"],
                environment: environment
            )
            #expect(edited.status == 0, "\(edited.errors)")
            let third = try await open()
            #expect(third == names("wav"))
            #expect(await studio.service.stop() == 0)
        }
    }

    /// Drops a loop with everything that a piece can have.
    private func drop(in folder: URL, _ environment: [String: String]) async throws -> PieceID {
        let package = folder.appendingPathComponent("loop.earpiece")
        let made = try await Tool("DrumLoop").run(["120", package.path])
        #expect(made.status == 0, "\(made.errors)")
        let dropped = try await Workshop.earshot.run(
            ["piece", "drop", package.path, "--json"],
            environment: environment
        )
        #expect(dropped.status == 0, "\(dropped.errors)")
        return try ServiceAPI.decoder().decode(Piece.self, from: Data(dropped.output.utf8)).id
    }

    @Test("a drop without a log-in and without a terminal fails before any work, and says how to log in")
    func unwatchedDrop() async throws {
        try await withTemporaryFolder { folder in
            let studio = try await Studio(in: folder, apps: ["earshot"])
            var environment = studio.environment("earshot")
            environment["EARSHOT_USER"] = ""
            // It is not even looked at: what is dropped need not be there.
            let sound = folder.appendingPathComponent("none.wav").path
            let refused = try await Workshop.earshot.run(["piece", "drop", sound], environment: environment)
            #expect(refused.status == 1)
            for remedy in ["earshot piece login", "--user", "EARSHOT_USER"] {
                #expect(refused.errors.contains(remedy), "\(refused.errors)")
            }
            #expect(refused.errors.split(separator: "\n").count == 1)
            #expect(!refused.errors.contains("code"), "nobody would see it")
            #expect(await studio.service.stop() == 0)
        }
    }

    #if os(Linux)
        @Test("a desktop opens a piece with what stands in its entry, and without a shell's variables")
        func desktop() async throws {
            try await withTemporaryFolder { folder in
                let studio = try await Studio(in: folder, apps: ["earshot"])
                let environment = studio.environment("earshot")
                try await studio.logIn("earshot", name: "Cara", action: "create")
                let id = try await drop(in: folder, environment)
                // Nothing is in a variable that is empty.
                let session = environment.merging(
                    ["EARSHOT_SERVER": "", "EARSHOT_CLIENT": "", "EARSHOT_APPLICATION": "", "EARSHOT_USER": ""]
                ) { $1 }
                let saved = folder.appendingPathComponent("saved")
                let register = ["piece", "register-scheme", "earshot", "--folder", saved.path]
                let service = ["--server", studio.service.base.absoluteString]
                let nameless = try await Workshop.earshot.run(register, environment: session)
                #expect(nameless.status == 1 && nameless.errors.contains("--server"))
                let keyless = try await Workshop.earshot.run(register + service, environment: session)
                #expect(keyless.status == 1 && keyless.errors.contains("--client"))
                let foreign = try await Workshop.earshot.run(
                    ["piece", "register-scheme", "earshot"] + service + ["--", "/usr/bin/true"],
                    environment: session
                )
                #expect(foreign.status == 2)
                let key = try #require(studio.keys["earshot"])
                let ways: [([String], [String: String])] = [(service + ["--client", key], session), ([], environment)]
                for (options, surroundings) in ways {
                    let made = try await Workshop.earshot.run(register + options, environment: surroundings)
                    #expect(made.status == 0, "\(made.errors)")
                    let entry = folder.appendingPathComponent("applications/earshot-piece-earshot.desktop")
                    let text = try String(contentsOf: entry, encoding: .utf8)
                    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Exec=") })
                    let words = line.split(separator: " ").map(String.init)
                    #expect(words.last == "%u")
                    // Behind the program's own place.
                    let arguments = Array(words.drop { $0 != "piece" }.dropLast())
                    let opened = try await Workshop.earshot.run(
                        arguments + ["piece-earshot://open?id=\(id)"],
                        environment: session
                    )
                    #expect(opened.status == 0, "\(opened.errors)")
                    let files = try FileManager.default.subpathsOfDirectory(atPath: saved.path)
                    #expect(files.contains { $0.hasSuffix("/stem.wav") })
                    try FileManager.default.removeItem(at: saved)
                }
                #expect(await studio.service.stop() == 0)
            }
        }
    #endif

    @Test(
        "the commands drop, show, find, fetch in three formats, edit and remove, and a child keeps its parent's name",
        .requirements("R-PC-087", "R-PC-100", "R-PC-106")
    )
    func commands() async throws {
        try await withTemporaryFolder { folder in
            let studio = try await Studio(in: folder, apps: ["earshot"])
            let environment = studio.environment("earshot")
            func run(_ arguments: String...) async throws -> Tool.Outcome {
                try await Workshop.earshot.run(["piece"] + arguments, environment: environment)
            }
            try await studio.logIn("earshot", name: "Ben", action: "create")
            let sound = folder.appendingPathComponent("sound.wav")
            let audio = try await Recordings.audio(
                Recordings.samples.appendingPathComponent("Music/warm-ink.ogg"),
                seconds: 0..<8
            )
            try Recordings.wave(audio).write(to: sound)
            let dropped = try await run(
                "drop",
                sound.path,
                "--title",
                "First",
                "--tempo",
                "120",
                "--key",
                "A minor",
                "--loop",
                "all",
                "--json"
            )
            #expect(dropped.status == 0, "\(dropped.errors)")
            let first = try ServiceAPI.decoder().decode(Piece.self, from: Data(dropped.output.utf8))
            #expect(first.author == "Ben" && first.label == "A minor" && first.legacyLabel == "C")
            let child = try await run(
                "drop",
                sound.path,
                "--title",
                "Second",
                "--key",
                "C# major",
                "--based-on",
                "\(first.id)",
                "--json"
            )
            #expect(child.status == 0, "\(child.errors)")
            let second = try ServiceAPI.decoder().decode(Piece.self, from: Data(child.output.utf8))
            #expect(second.basedOn == [first.id])
            #expect(second.label == "C# major", "as it was typed")
            #expect(try await run("show", "\(second.id)").output.contains("C# major"))

            let found = try await run("find", "fir", "--key", "C major", "--compatible", "--tempo", "120", "--json")
            #expect(found.status == 0, "\(found.errors)")
            #expect(try Document(found.output)["pieces", 0, "id"] as? String == "\(first.id)")
            #expect(try await run("find", "nothing").status == 3)

            for (format, suffix) in [("wave", "wav"), ("ogg", "ogg"), ("m4a", "m4a")] {
                let target = folder.appendingPathComponent("got.\(suffix)")
                let got = try await run("get", "\(first.id)", "--format", format, "-o", target.path)
                #expect(got.status == 0, "\(got.errors)")
                let length = try await Recordings.audio(target, seconds: 0..<100).count
                #expect(abs(Double(length) / 16_000 - 8) <= 0.05, "\(suffix)")
            }
            let got = try Data(contentsOf: folder.appendingPathComponent("got.wav"))
            #expect(try got == Data(contentsOf: sound))

            // What a mix is made of goes along, under its names.
            let parts = folder.appendingPathComponent("Night Loop 120bpm Am")
            try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: false)
            try FileManager.default.copyItem(at: sound, to: parts.appendingPathComponent("mix.wav"))
            let drums = Recordings.wave(audio.map { $0 * 0.5 })
            try drums.write(to: parts.appendingPathComponent("Drums.wav"))
            let stemmed = try await run("drop", parts.path, "--visibility", "unlisted", "--json")
            #expect(stemmed.status == 0, "\(stemmed.errors)")
            let third = try ServiceAPI.decoder().decode(Piece.self, from: Data(stemmed.output.utf8))
            #expect(third.stems == ["Drums"] && third.tempo == FixedTempo(120) && third.title == "Night Loop")
            let stem = folder.appendingPathComponent("drums.wav")
            #expect(try await run("get", "\(third.id)", "--stem", "Drums", "-o", stem.path).status == 0)
            #expect(try Data(contentsOf: stem) == drums)
            let unknown = try await run("get", "\(third.id)", "--stem", "Bass", "-o", stem.path, "--replace")
            #expect(unknown.status == 1 && unknown.errors.contains("Drums"))
            #expect(try await run("show", "\(third.id)").output.contains("Drums"))

            let edited = try await run(
                "edit",
                "\(second.id)",
                "--title",
                "Second II",
                "--visibility",
                "private",
                "--json"
            )
            #expect(edited.status == 0, "\(edited.errors)")
            #expect(try Document(edited.output)["title"] as? String == "Second II")
            #expect(try await run("remove", first.address.absoluteString).status == 0)
            let gone = try await run("show", "\(first.id)")
            #expect(gone.status == 1 && gone.errors.contains("removed"))
            let tree = try await run("tree", "\(second.id)")
            #expect(tree.status == 0, "\(tree.errors)")
            #expect(tree.output.contains("\(first.id)") && tree.output.contains("removed"))
            #expect(await studio.service.stop() == 0)
        }
    }
}
