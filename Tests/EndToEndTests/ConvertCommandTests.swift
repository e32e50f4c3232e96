import Earshot
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import RecognitionCommands

@Suite("earshot convert, waveform and analyse")
struct ConvertCommandTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-convert-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    @Test(
        "one file becomes another, is not overwritten, and is replaced when that is asked for",
        .requirements("R-MR-052")
    )
    func single() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Workshop.shared().clip.path
        let first = try await Workshop.earshot.run(["convert", source, "-o", path("a.flac")])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.contains("a.flac: "))
        let again = try await Workshop.earshot.run(["convert", source, "-o", path("a.flac")])
        #expect(again.status == 4)
        #expect(again.errors.contains("exists already"))
        let replaced = try await Workshop.earshot.run(["convert", source, "-o", path("a.flac"), "--replace", "--json"])
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(try Document(replaced.output)["converted"] as? Int == 1)
        let unknown = try await Workshop.earshot.run(["convert", source, "-o", path("a.xyz")])
        #expect(unknown.status == 1 && unknown.errors.contains("a.xyz"))
        #expect(try names(folder.path) == ["a.flac"])
    }

    @Test("every command that writes a file ends with 4 when it exists, and leaves it", .requirements("R-MR-052"))
    func refusals() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = try await Workshop.shared()
        let (clip, catalog) = (shop.clip.path, shop.catalog.path)
        let commands: [(name: String, arguments: [String])] = [
            ("a.flac", ["convert", clip, "-o"]), ("a.earsig", ["signature", clip, "-o"]),
            ("wave.png", ["waveform", clip, "-o"]), ("plot.png", ["plot", clip, "-o"]),
            ("new.earcat", ["catalog", "create", shop.music.path, "-o"]),
            ("merged.earcat", ["catalog", "merge", catalog, catalog, "-o"]),
            ("copy.earcat", ["catalog", "export", catalog, "-o"]),
            ("list.cue", ["tracklist", clip, "--catalog", catalog, "-o"]),
            ("sync.png", ["sync", clip, clip, "--plot"]),
        ]
        for (name, arguments) in commands {
            try Data("there before".utf8).write(to: folder.appendingPathComponent(name))
            let outcome = try await Workshop.earshot.run(arguments + [path(name)])
            #expect(outcome.status == 4, "\(arguments[0]): \(outcome.errors)")
            #expect(outcome.errors.contains("exists already"), "\(arguments[0]): \(outcome.errors)")
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data("there before".utf8))
        }
        #expect(try names(folder.path) == commands.map(\.name).sorted())
    }

    @Test("a folder is converted, what is bad is told, and a second run has nothing to do")
    func tree() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let music = try await Workshop.shared().music.path
        let plan = try await Workshop.earshot.run(["convert", music, "-o", path("out"), "--to", "mp3", "--dry-run"])
        #expect(plan.status == 1, "\(plan.errors)")
        #expect(plan.output.contains("mp3 leaves out what is hard to hear"))
        #expect(!FileManager.default.fileExists(atPath: path("out")))
        let run = try await Workshop.earshot.run(["convert", music, "-o", path("out"), "--to", "mp3", "--json"])
        #expect(run.status == 1)
        let report = try Document(run.output)
        #expect(report["converted"] as? Int == 2 && report["failures"] as? Int == 1)
        #expect(try names(path("out")) == ["inner folder", "inner folder/warm ink 日本.mp3", "win.mp3"])
        let again = try await Workshop.earshot.run(["convert", music, "-o", path("out"), "--to", "mp3", "--json"])
        #expect(try Document(again.output)["kept"] as? Int == 2)
    }

    @Test("files of a folder that would have one name get numbers, the same in every run, and all of them are told")
    func namesakes() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = try await Workshop.shared().clip
        let sources = folder.appendingPathComponent("sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let names = ["Song.aif", "song.wav", "song.aiff", "song (2).wav", "other.wav", "other.aif"]
        for name in names {
            try FileManager.default.copyItem(at: clip, to: sources.appendingPathComponent(name))
        }
        let arguments = ["convert", sources.path, "-o", path("out"), "--to", "flac"]
        let plan = try await Workshop.earshot.run(arguments + ["--dry-run"])
        #expect(plan.status == 0, "\(plan.errors)")
        let run = try await Workshop.earshot.run(arguments + ["--json"])
        #expect(run.status == 0, "\(run.errors)")
        let expected = ["Song.flac", "other (2).flac", "other.flac", "song (2).flac", "song (3).flac", "song (4).flac"]
        #expect(try self.names(path("out")) == expected)
        for errors in [plan.errors, run.errors] {
            #expect(errors.components(separatedBy: " would have one name").count == 4, "\(errors)")
        }
        #expect(run.errors.contains("Song.aif and ") && run.errors.contains("song (4).flac"))
        let files = try Document(run.output)["files"] as? [[String: Any]] ?? []
        #expect(files.count { $0["namesake"] != nil } == 3)
        let again = try await Workshop.earshot.run(arguments + ["--json"])
        #expect(try Document(again.output)["kept"] as? Int == 6 && self.names(path("out")) == expected)
    }

    @Test("two folders of one name are converted into one, file by file")
    func foldersOfOneName() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let clip = try await Workshop.shared().clip
        for name in ["a/Music", "b/Music"] {
            let sources = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: clip, to: sources.appendingPathComponent("song.wav"))
        }
        let run = try await Workshop.earshot.run([
            "convert", path("a/Music"), path("b/Music"), "-o", path("out"), "--to", "flac",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try names(path("out")) == ["Music", "Music/song (2).flac", "Music/song.flac"])
    }

    @Test("a dry run ends with the status of the run")
    func dryStatus() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = folder.appendingPathComponent("sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let clip = try await Workshop.shared().clip
        try FileManager.default.copyItem(at: clip, to: sources.appendingPathComponent("good.wav"))
        try Data("not music".utf8).write(to: sources.appendingPathComponent("broken.mp3"))
        for arguments in [
            ["convert", sources.path, "-o", path("out"), "--to", "flac"],
            ["convert", sources.path, "-o", path("out"), "--to", "flac", "--json"],
            ["convert", sources.appendingPathComponent("broken.mp3").path, "-o", path("one.flac")],
            ["convert", clip.path, "-o", path("two.flac")], ["convert", clip.path, "-o", path("two.flac")],
        ] {
            let plan = try await Workshop.earshot.run(arguments + ["--dry-run"])
            let run = try await Workshop.earshot.run(arguments)
            #expect(plan.status == run.status, "\(arguments): \(plan.errors)")
        }
        // A failure has the same form as in the answers of other commands.
        let arguments = ["convert", sources.path, "-o", path("again"), "--to", "flac", "--jsonl"]
        for options in [["--dry-run"], []] {
            let lines = try await Workshop.earshot.run(arguments + options).output.split(separator: "\n")
            let broken = try #require(lines.first { $0.contains("broken.mp3") })
            #expect(try Document(String(broken))["error", "code"] is String, "\(broken)")
        }
    }

    @Test("sound that is not as long as its file declares is converted whole, with a warning")
    func declaredDuration() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Chained Ogg: its duration is that of the last part.
        let part = try Data(contentsOf: Recordings.fixtures.appendingPathComponent("long.ogg"))
        try (part + part).write(to: folder.appendingPathComponent("chained.ogg"))
        let run = try await Workshop.earshot.run(["convert", path("chained.ogg"), "-o", path("a.wav"), "--json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("declares a duration of 0:06.000"))
        let file = try Document(run.output)
        #expect(file["files", 0, "durationWarning", "declaredSeconds"] as? Double == 6)
        #expect(abs((file["files", 0, "seconds"] as? Double ?? 0) - 12) < 0.1)
        let probe = try await Workshop.earshot.run(["probe", "--measure", path("chained.ogg"), path("a.wav"), "--json"])
        let probed = try Document(probe.output)
        #expect(abs((probed["files", 0, "measuredSeconds"] as? Double ?? 0) - 12) < 0.1)
        #expect(probed["files", 0, "durationWarning", "file"] as? String == path("chained.ogg"))
        #expect(probed["files", 1, "measuredSeconds"] as? Double == probed["files", 1, "seconds"] as? Double)
        #expect(probed["files", 1, "durationWarning", "file"] == nil)
        let arguments = ["catalog", "create", path("chained.ogg"), "-o", path("a.earcat")]
        let made = try await Workshop.earshot.run(arguments)
        #expect(made.status == 0 && made.errors.contains("declares a duration of 0:06.000"), "\(made.errors)")
    }

    @Test("raw samples go to standard output as they are in a file", .requirements("R-MR-043"))
    func stream() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Workshop.shared().clip.path
        let arguments = ["convert", source, "--to", "raw", "--rate", "8000", "--channels", "1", "--bits", "16"]
        let file = try await Workshop.earshot.run(arguments + ["-o", path("a.raw")])
        #expect(file.status == 0, "\(file.errors)")
        // Eight seconds, 3 % fast.
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path("a.raw"))[.size] as? Int)
        #expect(abs(size - 16_000 * 800 / 103) <= 4)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let command = ([Workshop.earshot.url.path] + arguments + ["-o", "-"]).map { "'\($0)'" }.joined(separator: " ")
        shell.arguments = ["-c", "\(command) > '\(path("b.raw"))'"]
        try ProcessLaunch.run(shell)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        let isSame =
            try Data(contentsOf: URL(fileURLWithPath: path("a.raw")))
            == Data(contentsOf: URL(fileURLWithPath: path("b.raw")))
        #expect(isSame)
    }

    @Test("of two programs that convert one folder each file is made by one, and neither fails")
    func together() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = folder.appendingPathComponent("sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let clip = try await Workshop.shared().clip
        for number in 0..<6 {
            try FileManager.default.copyItem(at: clip, to: sources.appendingPathComponent("\(number).wav"))
        }
        let arguments = ["convert", sources.path, "-o", path("out"), "--to", "flac", "--json"]
        async let first = Workshop.earshot.run(arguments)
        async let second = Workshop.earshot.run(arguments)
        var made = 0
        for run in try await [first, second] {
            #expect(run.status == 0, "\(run.errors)")
            let report = try Document(run.output)
            let (converted, kept) = (report["converted"] as? Int ?? 0, report["kept"] as? Int ?? 0)
            #expect(converted + kept == 6 && report["failures"] as? Int == 0)
            made += converted
        }
        #expect(made == 6)
        #expect(try names(path("out")) == (0..<6).map { "\($0).flac" })
    }

    @Test("a folder with one file that fails is told of like a folder of many")
    func folderOfOne() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        try Data("no music".utf8).write(to: music.appendingPathComponent("a.flac"))
        let run = try await Workshop.earshot.run(["convert", music.path, "-o", path("out"), "--to", "mp3", "--json"])
        #expect(run.status == 1)
        let report = try Document(run.output)
        #expect(report["converted"] as? Int == 0 && report["failures"] as? Int == 1)
        // A file that is named alone is told of by its error.
        let alone = try await Workshop.earshot.run(
            ["convert", music.appendingPathComponent("a.flac").path, "-o", path("a.mp3"), "--json"]
        )
        #expect(alone.status == 1 && alone.output.isEmpty)
    }

    @Test("a folder in which nothing can be converted leaves no folder behind")
    func nothingMade() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let inner = folder.appendingPathComponent("sources/one/two")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data("not music".utf8).write(to: inner.appendingPathComponent("broken.mp3"))
        let run = try await Workshop.earshot.run(["convert", path("sources"), "-o", path("out"), "--to", "flac"])
        #expect(run.status == 1)
        #expect(!FileManager.default.fileExists(atPath: path("out")))
    }

    @Test("a reader of standard output that has enough is no failure")
    func closedReader() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Workshop.shared().music.appendingPathComponent("win.wav").path
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        // 24 s of samples are more than a pipe holds.
        let command =
            "'\(Workshop.earshot.url.path)' convert '\(source)' --to raw -o - | head -c 1000 > '\(path("head"))'"
        shell.arguments = ["-o", "pipefail", "-c", "\(command) 2> '\(path("errors"))'"]
        try ProcessLaunch.run(shell)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(try Data(contentsOf: folder.appendingPathComponent("head")).count == 1_000)
        #expect(try Data(contentsOf: folder.appendingPathComponent("errors")).isEmpty)
    }

    @Test("a waveform is drawn on the terminal, as a picture, and for viewers")
    func waveform() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = try await Workshop.shared().clip.path
        let text = try await Workshop.earshot.run(["waveform", source])
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("█") && text.output.contains("00:07"))
        for name in ["a.svg", "a.json", "a.dat"] {
            let outcome = try await Workshop.earshot.run(["waveform", source, "-o", path(name), "--buckets", "100"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: path("a.svg"), encoding: .utf8).contains("<svg"))
        let json = try Document(try String(contentsOfFile: path("a.json"), encoding: .utf8))
        #expect(json["version"] as? Int == 2)
        #expect((json["length"] as? Int).map { (50...100).contains($0) } == true)
        #expect(try await Workshop.earshot.run(["waveform", source, "-o", path("a.json")]).status == 4)
    }

    @Test("a folder is analyzed once, bad files are told, and results are for programs too")
    func analyze() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let music = try await Workshop.shared().music.path
        let arguments = ["analyze", music, "--database", path("analysis.sqlite")]
        let first = try await Workshop.earshot.run(arguments)
        #expect(first.status == 1)
        #expect(first.output.contains("LUFS") && first.output.contains("bpm") && first.errors.contains("broken.mp3"))
        #expect(first.errors.contains("3 analyzed, 1 failed"))
        let second = try await Workshop.earshot.run(arguments + ["--json"])
        let files = try #require(try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? [[String: Any]])
        #expect(files.count == 3)
        let loudness = files.compactMap { ($0["results"] as? [String: Any])?["loudness"] as? [String: Any] }
        #expect(loudness.count == 2 && loudness.allSatisfy { $0["integrated"] is Double })
        let third = try await Workshop.earshot.run(arguments)
        #expect(third.errors.contains("0 analyzed, 3 known already, 1 failed"))
    }
}
