import Earshot
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("earshot: what messages say")
struct CommandMessageTests {
    private let earshot = Workshop.earshot

    /// Raw text and numbers of FFmpeg.
    private static let rawWords = [
        "Invalid data", "'INDA'", "1094995529", "nvalid argument", "Server returned", "Error number", "Errno",
    ]

    @Test("an output that exists names the flag that replaces it, where there is one")
    func replace() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            func path(_ name: String) throws -> String {
                let url = folder.appendingPathComponent(name)
                try Data("x".utf8).write(to: url)
                return url.path
            }
            let (clip, catalog) = (workshop.clip.path, workshop.catalog.path)
            for arguments in [
                ["tracklist", clip, "-c", catalog, "-o", try path("a.txt")],
                ["signature", clip, "-o", try path("a.earsig")], ["convert", clip, "-o", try path("a.flac")],
                ["waveform", clip, "-o", try path("a.svg")], ["catalog", "merge", catalog, "-o", try path("b.earcat")],
                ["plot", clip, "-o", try path("b.svg")],
            ] {
                let outcome = try await earshot.run(arguments)
                #expect(outcome.status == 4, "\(arguments) \(outcome.errors)")
                #expect(outcome.errors.contains("replace it with --replace"), "\(outcome.errors)")
                #expect(!outcome.errors.contains("say that it may be replaced"))
            }
            let key = try await earshot.run(["catalog", "sign", "--generate-key", try path("key")])
            #expect(key.status == 4)
            #expect(!key.errors.contains("--replace"), "\(key.errors)")
        }
    }

    @Test("no message shows FFmpeg's own words and numbers, or names the file twice")
    func plainWords() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let text = folder.appendingPathComponent("text.mp3")
            try Data("This is text, whatever its name says.".utf8).write(to: text)
            for arguments in [
                ["identify", text.path, "-c", workshop.catalog.path], ["probe", text.path], ["signature", text.path],
                ["tracklist", text.path, "-c", workshop.catalog.path],
                ["identify", text.path, workshop.clip.path, "-c", workshop.catalog.path],
                ["identify", "http://127.0.0.1:1/a.mp3", "-c", workshop.catalog.path],
                ["catalog", "create", text.path, workshop.clip.path, "-o", folder.path + "/x.earcat"],
            ] {
                let outcome = try await earshot.run(arguments)
                #expect(!outcome.errors.isEmpty)
                for word in Self.rawWords { #expect(!outcome.errors.contains(word), "\(outcome.errors)") }
                #expect(outcome.errors.components(separatedBy: "text.mp3").count <= 2, "\(outcome.errors)")
                #expect(outcome.errors.components(separatedBy: "a.mp3").count <= 2, "\(outcome.errors)")
            }
        }
    }

    @Test("clicks are not called silent, and silence is")
    func clicks() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("clicks.wav")
            // The edges of a square wave of 2 Hz: four clicks a second.
            let clicks = (0..<5 * 16_000).map { $0 / 4_000 % 2 == 0 ? Float(0.5) : -0.5 }
            try Recordings.wave(clicks).write(to: path)
            let target = folder.appendingPathComponent("c.earcat").path
            let commands = [
                ["identify", path.path, "-c", workshop.catalog.path], ["signature", path.path],
                ["tracklist", path.path, "-c", workshop.catalog.path], ["catalog", "create", path.path, "-o", target],
                ["sync", path.path, workshop.clip.path],
            ]
            for arguments in commands {
                let outcome = try await earshot.run(arguments)
                #expect(outcome.status == 1, "\(arguments)")
                #expect(!outcome.errors.contains("silent"), "\(outcome.errors)")
                #expect(outcome.errors.contains("no tones that stand out"), "\(outcome.errors)")
            }
            try Recordings.wave([Float](repeating: 0, count: 48_000)).write(to: path)
            for arguments in commands {
                let outcome = try await earshot.run(arguments)
                #expect(outcome.errors.contains("silent"), "\(outcome.errors)")
            }
        }
    }

    @Test("a reference that the catalog does not have is named")
    func content() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await earshot.run([
            "listen", "-c", workshop.catalog.path, "--file", workshop.clip.path, "--fast", "--content",
            "nosuch=lesson.json",
        ])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("no reference \"nosuch\"") && outcome.errors.contains("catalog list"))
    }

    @Test(
        "a catalog gets no unknown suffix",
        arguments: [["create", "in"], ["merge", "in"], ["pull", "https://127.0.0.1:1/a.earcat"]]
    )
    func suffix(words: [String]) async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let target = folder.appendingPathComponent("music.xyz").path
            let input =
                words[1] == "in" ? (words[0] == "create" ? workshop.music.path : workshop.catalog.path) : words[1]
            let outcome = try await earshot.run(["catalog", words[0], input, "-o", target])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(".earcat") && outcome.errors.contains("music.xyz"), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test("other outputs with an unknown suffix are refused, with those that are known")
    func otherSuffixes() async throws {
        let workshop = try await Workshop.shared()
        for command in ["signature", "waveform", "convert"] {
            let outcome = try await earshot.run([command, workshop.clip.path, "-o", "/tmp/earshot-music.xyz"])
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("xyz") && outcome.errors.contains(/earsig|svg|flac/), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: "/tmp/earshot-music.xyz"))
        }
    }

    @Test("an address as a catalog is told what to do", arguments: ["identify", "tracklist", "listen", "plot"])
    func address(command: String) async throws {
        let workshop = try await Workshop.shared()
        var arguments = [command, workshop.clip.path, "--catalog", "http://music.example/a.earcat"]
        if command == "listen" { arguments[1...1] = ["--file", workshop.clip.path] }
        if command == "plot" { arguments += ["-o", NSTemporaryDirectory() + "never.svg"] }
        let outcome = try await earshot.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("earshot catalog pull") && outcome.errors.contains("--server"))
    }

    @Test("each command has --json or --jsonl, unless it writes a document of its own or runs until it is ended")
    func json() async throws {
        let documents: Set = ["plot", "epg export", "playlog export", "library report", "admin license"]
        let lasting: Set = ["serve", "monitor feed"]
        let help = try await earshot.run(["--experimental-dump-help"])
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(help.output.utf8)) as? [String: Any])
        let command = try #require(whole["command"] as? [String: Any])
        #expect(Set(Self.commandsWithoutJSON(command, path: [])) == documents.union(lasting))
    }

    /// The commands without subcommands that have neither option, by their words.
    private static func commandsWithoutJSON(_ command: [String: Any], path: [String]) -> [String] {
        func list(_ key: String, of owner: [String: Any]) -> [[String: Any]] { owner[key] as? [[String: Any]] ?? [] }
        let commands = list("subcommands", of: command).filter {
            $0["commandName"] as? String != "help" && $0["shouldDisplay"] as? Bool != false
        }
        if !commands.isEmpty {
            return commands.flatMap { commandsWithoutJSON($0, path: path + [$0["commandName"] as? String ?? ""]) }
        }
        let names = list("arguments", of: command).flatMap { list("names", of: $0) }.map { $0["name"] as? String }
        return names.contains("json") || names.contains("jsonl") ? [] : [path.joined(separator: " ")]
    }

    @Test("merge, verify, export, add and remove print one JSON object")
    func catalogJSON() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let source = workshop.catalog.path
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            func document(_ arguments: [String]) async throws -> Document {
                let outcome = try await earshot.run(["catalog"] + arguments + ["--json"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.isEmpty, "\(outcome.errors)")
                return try Document(outcome.output)
            }
            let merged = try await document(["merge", source, source, "-o", path("m.earcat")])
            #expect(merged["references"] as? Int == 2)
            #expect(merged["sources", 1, "skipped"] as? Int == 2)
            #expect(try await document(["verify", source])["catalogs", 0, "references"] as? Int == 2)
            #expect(try await document(["export", source, "-o", path("out")])["references"] as? Int == 2)
            #expect(try await document(["remove", path("m.earcat"), "music/win.wav"])["references"] as? Int == 1)
            let win = workshop.music.appendingPathComponent("win.wav").path
            #expect(try await document(["add", path("m.earcat"), win])["added", 0] as? String == "win.wav")
        }
    }
}
