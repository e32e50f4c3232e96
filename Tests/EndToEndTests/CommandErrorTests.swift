import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot: mistakes and bad files")
struct CommandErrorTests {
    private let earshot = Workshop.earshot

    @Test(
        "each failure to read is one sentence that names the file, with status 1",
        .requirements("R-MR-101"),
        arguments: [
            ("nowhere.mp3", "no such file"), ("folder", "folder"), ("text.mp3", "unknown format"),
            ("empty.wav", "empty"),
            ("silent.mp4", "no audio"), ("cut.flac", "ended early"), ("protected.mp4", "protected"),
            ("codec.m4a", "decoder"),
        ]
    )
    func readingFails(name: String, sign: String) async throws {
        try await withTemporaryFolder { folder in
            let fixtures = Recordings.fixtures
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("folder"),
                withIntermediateDirectories: false
            )
            try Data("This is text, whatever its name says.".utf8).write(to: folder.appendingPathComponent("text.mp3"))
            try Data().write(to: folder.appendingPathComponent("empty.wav"))
            for file in ["silent.mp4", "protected.mp4"] {
                try FileManager.default.copyItem(
                    at: fixtures.appendingPathComponent(file),
                    to: folder.appendingPathComponent(file)
                )
            }
            let flac = try Data(contentsOf: fixtures.appendingPathComponent("long.flac"))
            try flac.prefix(flac.count / 2).write(to: folder.appendingPathComponent("cut.flac"))
            var movie = try Data(contentsOf: fixtures.appendingPathComponent("alac.m4a"))
            while let range = movie.range(of: Data("alac".utf8)) {
                movie.replaceSubrange(range, with: Data("zzzz".utf8))
            }
            try movie.write(to: folder.appendingPathComponent("codec.m4a"))
            let outcome = try await earshot.run(["signature", folder.appendingPathComponent(name).path])
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(name), "\(outcome.errors)")
            #expect(outcome.errors.lowercased().contains(sign), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    @Test("wrong usage has status 2")
    func usage() async throws {
        for arguments in [
            ["identify"], ["identify", "x.wav", "-c", "a.earcat", "--server", "http://localhost"], ["nonsense"],
            ["catalog", "create"], ["identify", "x.wav", "-c", "a.earcat", "--spectrograms"],
        ] {
            let outcome = try await earshot.run(arguments)
            #expect(outcome.status == 2, "\(arguments)")
            #expect(outcome.output.isEmpty)
            #expect(!outcome.errors.isEmpty)
        }
    }

    @Test("silence is an error that says so")
    func silence() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("silence.wav")
            try Recordings.wave([Float](repeating: 0, count: 48_000)).write(to: path)
            let outcome = try await earshot.run(["identify", path.path, "-c", workshop.catalog.path])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("silent"))
            try Recordings.wave([Float](repeating: 0.1, count: 4_000)).write(to: path)
            let short = try await earshot.run(["identify", path.path, "-c", workshop.catalog.path])
            #expect(short.status == 1)
            #expect(short.errors.contains("0.25 s"))
        }
    }

    @Test("help and completions are there for every command")
    func help() async throws {
        for command in [["identify"], ["catalog", "create"], ["signature"], ["probe"], ["plot"], ["evaluate"]] {
            let outcome = try await earshot.run(command + ["--help"])
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE: earshot \(command.joined(separator: " "))"))
        }
        for shell in ["bash", "zsh", "fish"] {
            let outcome = try await earshot.run(["--generate-completion-script", shell])
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("identify"))
        }
    }

    @Test("evaluate writes the best candidate of each query, accepted or not")
    func evaluate() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let list = folder.appendingPathComponent("queries.csv")
            let rows = "query_id,path,note\nq1,\(workshop.clip.path),\"a, b\"\nq2,\(workshop.foreign.path),\n"
            try Data(rows.utf8).write(to: list)
            let results = folder.appendingPathComponent("results.csv")
            let outcome = try await earshot.run(
                ["evaluate", "--catalog", workshop.catalog.path, "--queries", list.path, "-o", results.path]
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = try String(contentsOf: results, encoding: .utf8).split(separator: "\n")
            #expect(
                lines[0] == "query_id,matched_id,offset_s,score,seconds,speed,pitch,accepted,occurrences"
            )
            let first = lines[1].split(separator: ",", omittingEmptySubsequences: false)
            #expect(first[0] == "q1")
            #expect(first[1] == "warm ink 日本")
            #expect(first[7] == "1")
            let second = lines[2].split(separator: ",", omittingEmptySubsequences: false)
            #expect(second[0] == "q2")
            #expect(second[7] == "0")
            let candidates = folder.appendingPathComponent("candidates.csv")
            let arguments = [
                "evaluate", "--catalog", workshop.catalog.path, "--queries", list.path, "-o", results.path,
                "--candidates",
                candidates.path,
            ]
            #expect(try await earshot.run(arguments).status == 4)
            #expect(try await earshot.run(arguments + ["--replace"]).status == 0)
            let weighed = try String(contentsOf: candidates, encoding: .utf8).split(separator: "\n")
            #expect(weighed[0].hasPrefix("query_id,reference_id,offset_s,speed,pitch,score,landmark_score,evidence"))
            #expect(weighed[1].hasPrefix("q1,warm ink 日本,"))
            #expect(weighed.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 15 })
        }
    }

    @Test("a list whose rows are too short is refused, and a query that cannot be read is unanswered")
    func poorQueryLists() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let list = folder.appendingPathComponent("q.csv")
            try Data("query_id,path\nabc\n".utf8).write(to: list)
            let results = folder.appendingPathComponent("r.csv").path
            let arguments = ["evaluate", "--catalog", workshop.catalog.path, "--queries", list.path, "-o", results]
            let short = try await earshot.run(arguments)
            #expect(short.status == 1)
            #expect(short.errors.contains("not a list of queries"))
            try Data("query_id,path\nabc,nowhere.wav\ndef,\(workshop.clip.path)\n".utf8).write(to: list)
            let partly = try await earshot.run(arguments)
            #expect(partly.status == 0)
            #expect(partly.errors.contains("abc"))
            #expect(try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n").count == 3)
        }
    }

    @Test("probe says what a file is", arguments: ["tagged.mp3", "late.mkv", "multi.mkv"])
    func probe(name: String) async throws {
        let path = Recordings.fixtures.appendingPathComponent(name).path
        let outcome = try await earshot.run(["probe", path, "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try Document(outcome.output)
        #expect((document["files", 0, "streams"] as? [Any])?.isEmpty == false)
        #expect(document["files", 0, "seconds"] as? Double ?? 0 > 0.1)
        let words = try await earshot.run(["probe", path])
        #expect(words.output.contains("audio     stream"))
    }
}
