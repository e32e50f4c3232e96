import Foundation
import TestSupport
import Testing

@Suite("earshot library scan, list, find, untagged and watch; earshot time")
struct FolderCommandTests {
    /// A small MP3 with tags: silent frames with a number in what no decoder reads.
    private static func song(_ number: UInt8, _ tags: [(String, String)]) -> Data {
        func size(_ count: Int, _ bits: Int) -> [UInt8] {
            (0..<4).map { UInt8(count >> (bits * (3 - $0)) & (1 << bits - 1)) }
        }
        var body: [UInt8] = []
        for (id, text) in tags {
            var bytes: [UInt8] = [0xFF, 0xFE]
            for unit in text.utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
            body += Array(id.utf8) + size(bytes.count + 1, 8) + [0, 0, 1] + bytes
        }
        var bytes = Array("ID3".utf8) + [3, 0, 0] + size(body.count, 7) + body
        for frame in 0..<12 {
            var piece: [UInt8] = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)
            (piece[400], piece[410]) = (number, UInt8(frame))
            bytes += piece
        }
        return Data(bytes)
    }

    private static let albums = ["More Friends: Music from Final Fantasy", "More Friends: Small World Big Band Vol. 2"]

    /// A folder of four songs and a bad file, and a place for what is read.
    private func withMusic(_ body: (URL, [String: String]) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            let songs: [[(String, String)]] = [
                [("TIT2", "エアリスのテ-マ"), ("TPE1", "植松伸夫"), ("TALB", Self.albums[0]), ("TRCK", "2")],
                [("TIT2", "The Moon"), ("TPE1", "A"), ("TALB", Self.albums[0]), ("TRCK", "3")],
                [("TIT2", "Weather"), ("TPE1", "B"), ("TALB", Self.albums[1]), ("TRCK", "1")],
                [("TPE1", "Somebody")],
            ]
            for (number, tags) in songs.enumerated() {
                try Self.song(UInt8(number), tags).write(to: music.appendingPathComponent("\(number).mp3"))
            }
            try await body(music, ["EARSHOT_FOLDERS": folder.appendingPathComponent("folders.sqlite").path])
        }
    }

    private func library(_ arguments: [String], _ environment: [String: String]) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["library"] + arguments, environment: environment)
    }

    @Test("a scan reads each file once, says what came of it, and goes on past a bad file")
    func scan() async throws {
        try await withMusic { music, environment in
            let first = try await library(["scan", music.path, "--jsonl", "--verbose"], environment)
            #expect(first.status == 0, "\(first.errors)")
            let events = try first.output.split(separator: "\n").map { try Document(String($0)) }
            #expect(
                events.compactMap { $0["event"] as? String } == ["listed", "added", "added", "added", "added", "ended"]
            )
            #expect(first.errors.split(separator: "\n").count == 4 && first.errors.contains("4 items"))
            try Data("no music".utf8).write(to: music.appendingPathComponent("bad.mp3"))
            let second = try await library(["scan", music.path, "--json"], environment)
            #expect(second.status == 1)
            let report = try #require((try Document(second.output)["folders"] as? [[String: Any]])?.first)
            #expect(report["read"] as? Int == 1 && report["failed"] as? Int == 1 && report["files"] as? Int == 5)
            let text = try await library(["scan", music.path], environment)
            #expect(text.output.hasPrefix("5 files, 1 failed") && text.errors.contains("bad.mp3"))
            let nowhere = try await library(["scan", "/nowhere"], environment)
            #expect(nowhere.status == 1 && nowhere.errors.contains("/nowhere"))
            #expect(try await library(["scan", music.path, "--encoding", "ebcdic"], environment).status == 2)
        }
    }

    @Test("what was scanned is listed, by kind and title, and what it lacks")
    func list() async throws {
        try await withMusic { music, environment in
            #expect(try await library(["list"], environment).errors.contains("earshot library scan"))
            #expect(try await library(["scan", music.path], environment).status == 0)
            let all = try await library(["list", "--jsonl"], environment)
            #expect(all.output.split(separator: "\n").count == 4)
            #expect(all.output.contains("エアリスのテ-マ"))
            #expect(try await library(["list", "--title", "the", "--count"], environment).output == "2\n")
            let whole = try await library(["list", "--title", "the", "--whole-words"], environment)
            #expect(whole.output.contains("A – The Moon  [\(Self.albums[0]) 3]") && !whole.output.contains("Weather"))
            #expect(try await library(["list", "--kind", "podcast"], environment).status == 3)
            #expect(try await library(["list", "--in", "/nowhere"], environment).status == 3)
            let untagged = try await library(["untagged", "--json"], environment)
            let items = try #require(try Document(untagged.output)["items"] as? [[String: Any]])
            #expect(items.count == 1 && items[0]["missing"] as? [String] == ["title", "album"])
            #expect(try await library(["untagged", "--field", "artist"], environment).status == 3)
        }
    }

    @Test("what a command may mean is printed with all candidates, also as JSON", .requirements("R-MR-134"))
    func find() async throws {
        try await withMusic { music, environment in
            #expect(try await library(["scan", music.path], environment).status == 0)
            let both = try await library(["find", "play album more friends", "--json"], environment)
            #expect(both.status == 0, "\(both.errors)")
            let answer = try Document(both.output)
            let candidates = try #require(answer["candidates"] as? [[String: Any]])
            #expect(Set(candidates.compactMap { $0["name"] as? String }) == Set(Self.albums))
            #expect(
                answer["isAmbiguous"] as? Bool == true && candidates.allSatisfy { $0["isChoice"] as? Bool == false }
            )
            let one = try await library(
                ["find", "play", "album", "more friends music from final fantasy"],
                environment
            )
            #expect(one.output.hasPrefix("> 100 %  album  ") && one.output.contains("2 tracks"))
            let theme = try await library(["find", "play track エアリスのテーマ", "--jsonl"], environment)
            #expect(theme.output.contains("\"name\":\"エアリスのテ-マ\""))
            #expect(try await library(["find", "play album nothing at all"], environment).status == 3)
            #expect(try await library(["find", "sing a song"], environment).status == 3)
        }
    }

    @Test("what is not clear is not played, and an output that is not there is named")
    func play() async throws {
        try await withMusic { music, environment in
            #expect(try await library(["scan", music.path], environment).status == 0)
            let both = try await library(["play", "play album more friends"], environment)
            #expect(both.status == 3 && both.errors.contains("not clear"))
            #expect(both.output.split(separator: "\n").count == 2, "\(both.output)")
            #expect(try await library(["play", "nothing at all"], environment).status == 3)
            #expect(try await library(["play", "next track"], environment).status == 2)
            let system = try await library(["play", "more friends", "--device", "gramophone"], environment)
            #expect(system.status == 2 && system.errors.contains("gramophone"))
            let silent = environment.merging(["PULSE_SERVER": "unix:/nonexistent/native"]) { $1 }
            let name = "play album more friends music from final fantasy"
            let outcome = try await library(["play", name, "--device", "pulse"], silent)
            #expect(outcome.status == 1 && outcome.errors.contains("pulse"), "\(outcome.errors)")
        }
    }

    @Test("watching says what becomes of files until it is ended")
    func watch() async throws {
        try await withMusic { music, environment in
            let process = Process()
            process.executableURL = Workshop.earshot.url
            process.arguments = ["library", "watch", music.path, "--jsonl", "--settle", "0.05"]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let output = music.deletingLastPathComponent().appendingPathComponent("lines")
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
            try process.run()
            func lines(with word: String) throws -> Int {
                try String(contentsOf: output, encoding: .utf8).split(separator: "\n").count { $0.contains(word) }
            }
            func wait(for word: String, _ count: Int) async throws -> Bool {
                for _ in 0..<1_200 {
                    if try lines(with: word) >= count { return true }
                    try await Task.sleep(for: .milliseconds(50))
                }
                return false
            }
            #expect(try await wait(for: "\"ended\"", 1))
            try FileManager.default.moveItem(
                at: music.appendingPathComponent("0.mp3"),
                to: music.appendingPathComponent("zero.mp3")
            )
            #expect(try await wait(for: "\"moved\",", 1))
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test(
        "a time is converted exactly, in every way of rounding",
        arguments: [
            (["147@44100", "600"], "2@600\n"), (["37@44100", "600"], "1@600  rounded\n"),
            (["1024@48000", "44100", "--round", "zero"], "940@44100  rounded\n"),
            (["1@44100", "600", "--round", "up"], "1@600  rounded\n"),
            (["--round", "legacy", "--", "-1@44100", "600"], "-1@600  rounded\n"),
        ]
    )
    func time(arguments: [String], expected: String) async throws {
        let outcome = try await Workshop.earshot.run(["time", "convert"] + arguments)
        #expect(outcome.output == expected && outcome.status == 0, "\(outcome.errors)")
    }

    @Test("what is no time is wrong usage, and what is too large is refused")
    func badTimes() async throws {
        for arguments in [
            ["5", "600"], ["5@0", "600"], ["x@5", "600"], ["5@5", "0"], ["1@5", "6", "--round", "up-ish"],
        ] {
            #expect(try await Workshop.earshot.run(["time", "convert"] + arguments).status == 2)
        }
        let large = try await Workshop.earshot.run(["time", "convert", "9223372036854775807@1", "44100"])
        #expect(large.status == 1 && large.errors.contains("too large"))
        let json = try await Workshop.earshot.run(["time", "convert", "1001@30000", "600", "--json"])
        let document = try Document(json.output)
        #expect(document["value"] as? Int == 20 && document["rounded"] as? Bool == true)
    }
}
