import Earshot
import EarshotAPI
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("earshot piece, without a service")
struct PieceCommandTests {
    @Test(
        "a draft is checked without a network: all that is wrong is told, for programs too",
        .requirements("R-PC-029", "R-PC-106")
    )
    func validation() async throws {
        try await withTemporaryFolder { folder in
            func check(_ text: String, _ options: [String] = []) async throws -> Tool.Outcome {
                let file = folder.appendingPathComponent("draft.json")
                try Data(text.utf8).write(to: file)
                return try await Workshop.earshot.run(["piece", "check", file.path] + options)
            }
            let bad =
                #"{"title": "", "length": 0, "tempo": 1000, "timeSignature": {"upper": 17, "lower": 3}, "more": 1}"#
            let refused = try await check(bad, ["--json"])
            #expect(refused.status == 1)
            let report = try Document(refused.output)
            #expect(report["isValid"] as? Bool == false)
            let codes = (report["violations"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
            #expect(codes == ["titleTooShort", "pieceTooShort", "tempoTooHigh", "invalidTimeSignature"])
            let good = #"{"title": "Loop", "length": 2150000, "tempo": 120, "loop": {"start": 0, "end": 2150000}}"#
            let warned = try await check(good, ["--json"])
            #expect(warned.status == 0)
            #expect(try Document(warned.output)["warnings", 0, "code"] as? String == "loopOffBeat")
            let incomplete = try await check(#"{"title": "Loop"}"#)
            #expect(incomplete.status == 1 && incomplete.errors.contains("it has no length"))
            let broken = try await check("{")
            #expect(broken.status == 1 && broken.errors.contains("it is no JSON"))
            // What a draft says is said in it.
            #expect(try await check(good, ["--tempo", "90", "--key", "A minor"]).status == 2)
        }
    }

    @Test("options without effect, and times that cannot be, are wrong usage")
    func usage() async throws {
        try await withTemporaryFolder { folder in
            let sound = try await Workshop.shared().clip
            let file = folder.appendingPathComponent("clip.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", sound.path, "-o", file.path, "--no-listening"])
            #expect(made.status == 0, "\(made.errors)")
            let id = PieceID().description
            for arguments in [
                ["open", file.path, "-o", folder.path, "--format", "ogg"],
                ["get", id, "--part", "cover", "--format", "ogg", "-o", "cover.png"],
                ["get", id, "--part", "attachment", "--format", "wave", "-o", "song.proj"],
                ["get", id, "-o", "sound.flac"], ["get", id, "--part", "preview", "-o", "sound.mp3"],
                ["get", id, "--format", "wave", "-o", "sound.ogg"],
                ["validate", sound.path, "--loop", "5-1e300"],
            ] {
                let outcome = try await Workshop.earshot.run(["piece"] + arguments)
                #expect(outcome.status == 2, "\(arguments): \(outcome.errors)")
            }
        }
    }

    @Test("a package beside a folder has all of the folder's name, and that of a file without its suffix")
    func defaultName() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("Rain 92.5 BPM")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            for file in [stems.appendingPathComponent("mix.wav"), folder.appendingPathComponent("take 1.5.wav")] {
                try FileManager.default.copyItem(at: clip, to: file)
            }
            for (input, name) in [("Rain 92.5 BPM", "Rain 92.5 BPM"), ("take 1.5.wav", "take 1.5")] {
                let source = folder.appendingPathComponent(input)
                let made = try await Workshop.earshot.run(["piece", "new", source.path, "--no-listening"])
                #expect(made.status == 0, "\(made.errors)")
                let package = folder.appendingPathComponent("\(name).earpiece")
                #expect(FileManager.default.fileExists(atPath: package.path))
            }
        }
    }

    @Test("Ctrl-C leaves nothing of what is half done", arguments: ["new", "validate"])
    func interrupted(command: String) async throws {
        try await withTemporaryFolder { folder in
            let (temporary, place) = (folder.appendingPathComponent("tmp"), folder.appendingPathComponent("out"))
            for url in [temporary, place] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
            // Ten minutes of silence, so that listening has something to do.
            var data = Recordings.wave([])
            let size = 600 * 32_000
            for (field, value) in [(4, 36 + size), (40, size)] {
                for byte in 0..<4 { data[field + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
            }
            data.append(Data(count: size))
            let sound = folder.appendingPathComponent("long.wav")
            try data.write(to: sound)
            func files(_ url: URL) -> [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            }
            // It may be done before it is interrupted, where the machine has much else to do.
            for _ in 0..<20 {
                for url in files(place) { try FileManager.default.removeItem(at: place.appendingPathComponent(url)) }
                let process = Process()
                process.executableURL = Workshop.earshot.url
                let output = command == "new" ? ["-o", place.appendingPathComponent("long.earpiece").path] : []
                process.arguments = ["piece", command, sound.path] + output
                process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary.path]) { $1 }
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try ProcessLaunch.run(process)
                defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
                while process.isRunning, files(temporary).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                process.interrupt()
                let status = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        process.waitUntilExit()
                        continuation.resume(returning: process.terminationStatus)
                    }
                }
                #expect(process.terminationReason == .exit && files(temporary).isEmpty)
                if status == 0 { continue }
                #expect(status == 130 && files(place).isEmpty)
                return
            }
            Issue.record("It was never interrupted in time.")
        }
    }

    /// What is asked of a service that says what a test wants.
    private func ask(_ server: LoopbackServer, _ arguments: String..., home: URL) async throws -> Tool.Outcome {
        let client = [
            "--server", server.url("").absoluteString, "--client", "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345",
        ]
        return try await Workshop.earshot.run(
            ["piece"] + arguments + client,
            environment: ["HOME": home.path, "XDG_DATA_HOME": home.path, "EARSHOT_USER": ""]
        )
    }

    @Test("a tree has as many relatives as a service tells of, and says where there may be more")
    func tree() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let address = try #require(URL(string: "https://pieces.example/1"))
            let piece = Piece(
                id: PieceID(),
                draft: try PieceSamples.draft(),
                createdAt: PieceSamples.evening,
                address: address,
                author: "Ada"
            )
            func relatives(_ count: Int) throws -> Data {
                let entries = (0..<count).map { number in
                    RelativeList.Entry(
                        id: PieceID(),
                        distance: 1,
                        isRemoved: false,
                        title: "Child \(number)",
                        author: "Ben",
                        basedOn: [piece.id]
                    )
                }
                return try ServiceAPI.encoder().encode(RelativeList(entries))
            }
            let path = "/v1/pieces/\(piece.id)"
            server.publish(try ServiceAPI.encoder().encode(piece), at: path)
            server.publish(try relatives(0), at: "\(path)/ancestors?limit=1000")
            server.publish(try relatives(120), at: "\(path)/descendants?limit=1000")
            let all = try await ask(server, "tree", "\(piece.id)", home: folder)
            #expect(all.status == 0, "\(all.errors)")
            #expect(all.output.contains("Child 119") && !all.errors.contains("more"))
            server.publish(try relatives(1_000), at: "\(path)/descendants?limit=1000")
            let most = try await ask(server, "tree", "\(piece.id)", home: folder)
            #expect(most.output.contains("Child 999"))
            #expect(most.errors.contains("The 1000 nearest descendants are shown: there may be more."))
        }
    }

    @Test("a piece with a tempo that cannot be is an error, and no crash", .requirements("R-PC-092"))
    func absurd() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let id = PieceID()
            let text = """
                {"id": "\(id)", "title": "A", "description": "", "createdAt": "2027-01-15T08:00:00Z", "author": "Ada",
                 "address": "https://pieces.example/1", "length": 1000000, "tempo": 1e300, "basedOn": [],
                 "tonality": {"state": "unknown"}, "label": "Unknown", "visibility": "listed", "hasCover": false,
                 "hasPreview": false, "stems": []}
                """
            server.publish(Data(text.utf8), at: "/v1/pieces/\(id)")
            let refused = try await ask(server, "show", "\(id)", home: folder)
            #expect(refused.status == 1 && refused.errors.contains("cannot be understood"))
            let sane = text.replacingOccurrences(of: "1e300", with: "92.5")
            server.publish(Data(sane.utf8), at: "/v1/pieces/\(id)")
            let shown = try await ask(server, "show", "\(id)", home: folder)
            #expect(shown.status == 0 && shown.output.contains("92.5 beats a minute"), "\(shown.errors)")
        }
    }

    @Test("a recording becomes a package that says what was said of it, and opens into the same bytes")
    func package() async throws {
        try await withTemporaryFolder { folder in
            let sound = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            let notes = folder.appendingPathComponent("notes.proj")
            try Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: notes)
            let file = folder.appendingPathComponent("ink.earpiece")
            let parent = UUID().uuidString.lowercased()
            let made = try await Workshop.earshot.run([
                "piece", "new", sound.path, "-o", file.path, "--title", "Ink", "--tempo", "98.5", "--loop", "0-4",
                "--meter", "7/8", "--key", "F# Dorian", "--attach", notes.path, "--based-on", parent, "--no-listening",
            ])
            #expect(made.status == 0, "\(made.errors)")
            let shown = try Document(try await Workshop.earshot.run(["piece", "show", file.path, "--json"]).output)
            #expect(shown["piece", "title"] as? String == "Ink")
            let opened = try await Workshop.earshot.run(["piece", "open", file.path, "-o", folder.path, "--json"])
            #expect(opened.status == 0, "\(opened.errors)")
            let reader = try PiecePackageReader(file)
            #expect(reader.draft.tempo == FixedTempo(98.5))
            #expect(reader.draft.timeSignature == TimeSignature(upper: 7, lower: 8))
            #expect(reader.draft.tonality.label == "F# Dorian")
            #expect(reader.draft.basedOn.map(\.description) == [parent])
            #expect(reader.draft.loop == LoopMarkers(start: 0, end: 4_000_000))
            #expect(try reader.mixStem().bytes == Data(contentsOf: sound))
            #expect(try reader.attachment()?.bytes == Data(contentsOf: notes))
            let saved = folder.appendingPathComponent("Ink/stem.ogg")
            #expect(try Data(contentsOf: saved) == Data(contentsOf: sound))
            let again = try await Workshop.earshot.run(["piece", "new", sound.path, "-o", file.path, "--no-listening"])
            #expect(again.status == 4)
            let twice = try await Workshop.earshot.run(["piece", "open", file.path, "-o", folder.path])
            #expect(twice.status == 4 && twice.errors.contains("another folder with -o"))
        }
    }

    @Test("a folder of stems without a mix is mixed, and sound in other formats is converted")
    func stems() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("Night Loop 92bpm Am")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            for name in ["drums.wav", "bass.wav"] {
                try FileManager.default.copyItem(at: clip, to: stems.appendingPathComponent(name))
            }
            let file = folder.appendingPathComponent("night.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", stems.path, "-o", file.path, "--no-listening"])
            #expect(made.status == 0, "\(made.errors)")
            let package = try PiecePackageReader(file).package()
            #expect(package.draft.title == "Night Loop" && package.draft.tempo == FixedTempo(92))
            #expect(package.draft.tonality == .minor(.a))
            #expect(package.stems.map(\.name) == ["bass", "drums"])
            #expect(abs(package.draft.length.seconds - 8 / 1.03) < 0.01)
            let song = folder.appendingPathComponent("song.flac")
            let converted = try await Workshop.earshot.run(["convert", clip.path, "-o", song.path])
            #expect(converted.status == 0)
            let other = folder.appendingPathComponent("song.earpiece")
            let taken = try await Workshop.earshot.run(["piece", "new", song.path, "-o", other.path, "--no-listening"])
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try PiecePackageReader(other).package().mix.format == .wave)
        }
    }

    @Test(
        "an address of another app, or of none, ends with 3",
        .requirements("R-PC-095"),
        arguments: [
            "piece-other://open?id=0b7c5f52-3a51-4c55-9a39-9f6a35a4c1de", "piece-earshot://close?id=1", "no address",
            "piece-earshot://open?id=1",
        ]
    )
    func foreign(address: String) async throws {
        let outcome = try await Workshop.earshot.run(["piece", "open", address])
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("a key is told with its older label, its notes and the shift to another", .requirements("R-PC-106"))
    func key() async throws {
        let outcome = try await Workshop.earshot.run([
            "piece", "key", "--mask", "2477", "--root", "0", "--to", "B minor", "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = try Document(outcome.output)
        #expect(key["label"] as? String == "C harmonic minor" && key["legacyLabel"] as? String == "Exotic")
        #expect(key["members"] as? [String] == ["C", "D", "D#", "F", "G", "G#", "B"])
        #expect(key["shift"] as? Int == -1)
        let unknown = try await Workshop.earshot.run(["piece", "key", "X minor"])
        #expect(unknown.status == 1 && unknown.errors.contains("X minor"))
    }

    #if os(Linux)
        @Test(
            "the desktop is told who opens addresses of an app, with odd names in quotes, and forgets it again",
            .requirements("R-PC-106")
        )
        func registration() async throws {
            try await withTemporaryFolder { folder in
                let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
                let program = "/opt/My \"App\" 100%/run"
                let arguments = ["piece", "register-scheme", "Sketcher"]
                let made = try await Workshop.earshot.run(
                    arguments + ["--", program, "--open"],
                    environment: environment
                )
                #expect(made.status == 0, "\(made.errors)")
                let entry = folder.appendingPathComponent("applications/earshot-piece-sketcher.desktop")
                let text = try String(contentsOf: entry, encoding: .utf8)
                #expect(text.contains(#"Exec="/opt/My \\"App\\" 100%%/run" --open %u"#))
                #expect(text.contains("MimeType=x-scheme-handler/piece-sketcher;\n"))
                let rights = try FileManager.default.attributesOfItem(atPath: entry.path)[.posixPermissions] as? Int
                #expect(rights == 0o600)
                // As the tool of desktops writes it.
                let list = folder.appendingPathComponent("mimeapps.list")
                let others = "[Default Applications]\ntext/html=browser.desktop\n"
                let own = "x-scheme-handler/piece-sketcher=earshot-piece-sketcher.desktop\n"
                try Data((others + own).utf8).write(to: list)
                let taken = try await Workshop.earshot.run(arguments + ["--remove"], environment: environment)
                #expect(taken.status == 0, "\(taken.errors)")
                #expect(!FileManager.default.fileExists(atPath: entry.path))
                #expect(try String(contentsOf: list, encoding: .utf8) == others)
                let again = try await Workshop.earshot.run(arguments + ["--remove"], environment: environment)
                #expect(again.status == 0 && again.output.contains("was not registered"))
                let missing = try await Workshop.earshot.run(
                    arguments + ["--", "./none/at/all"],
                    environment: environment
                )
                #expect(missing.status == 1 && missing.errors.contains("none/at/all"))
                let refused = try await Workshop.earshot.run(
                    ["piece", "register-scheme", "my app"],
                    environment: environment
                )
                #expect(refused.status == 1 && refused.errors.contains("my app"))
            }
        }
    #endif
}
