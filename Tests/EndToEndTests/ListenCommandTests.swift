import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import RecognitionCommands

@Suite("earshot listen")
struct ListenCommandTests {
    private static func lines(_ output: String) throws -> [Document] {
        try output.split(separator: "\n").map { try Document(String($0)) }
    }

    @Test("a file is gone through, with its content", .requirements("R-CC-106"))
    func file() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let content = folder.appendingPathComponent("ink.json")
            let timeline = try Timeline(
                [
                    TimedEntry(id: "a", title: "First", start: MediaTime(value: 10, timescale: 1)),
                    TimedEntry(id: "b", title: "Second", start: MediaTime(value: 16, timescale: 1)),
                ],
                reference: ReferenceID(Workshop.clipName)
            )
            try timeline.data(as: .json).write(to: content)
            let outcome = try await Workshop.earshot.run([
                "listen", "-c", shop.catalog.path, "--file", shop.clip.path, "--fast", "--jsonl", "--content",
                content.path,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = try Self.lines(outcome.output)
            #expect(lines.compactMap { $0["event"] as? String } == ["match", "entered", "left", "entered"])
            #expect(lines[0]["matches", 0, "id"] as? String == Workshop.clipName)
            let heard = try #require(lines[0]["time"] as? Double)
            let position = try #require(lines[0]["matches", 0, "position"] as? Double)
            #expect(abs(position - 12 - heard * 1.03) < 0.1)
            // 16 s are reached (16 − 12) / 1.03 s in.
            let second = try #require(lines[3]["time"] as? Double)
            #expect(abs(second - 4 / 1.03) < 0.2)
            #expect(lines[3]["entry", "title"] as? String == "Second")
        }
    }

    @Test("raw samples on standard input are heard, and the first match can end it")
    func samples() async throws {
        let shop = try await Workshop.shared()
        let wave = try Data(contentsOf: shop.clip)
        let outcome = try await Workshop.earshot.run(
            ["listen", "-c", shop.catalog.path, "--pcm", "s16le:16000:1", "--jsonl", "--once"],
            input: wave.dropFirst(44)
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try Self.lines(outcome.output)
        #expect(lines.last?["matches", 0, "id"] as? String == Workshop.clipName)
        #expect(lines.last?["changes", 0] as? String == "appeared")
    }

    @Test("people are told in words, and unknown music ends with status 3")
    func words() async throws {
        let shop = try await Workshop.shared()
        let known = try await Workshop.earshot.run([
            "listen", "-c", shop.catalog.path, "--file", shop.clip.path, "--fast",
        ])
        #expect(known.output.contains("heard"))
        #expect(known.output.contains("3.0 % fast"))
        let foreign = try await Workshop.earshot.run([
            "listen", "-c", shop.catalog.path, "--file", shop.foreign.path, "--fast",
        ])
        #expect(foreign.status == 3)
        #expect(foreign.output.isEmpty)
    }

    @Test(
        "mistakes are named",
        arguments: [
            (["--file", "a.wav", "--url", "http://x"], 2, "Choose one"), (["--fast"], 2, "--fast goes with --file"),
            (["--pcm", "u8:1:1"], 2, "pcm"), (["--device", "no such device"], 1, "earshot devices"),
            (["--url", "nowhere"], 1, "is no address"), (["--file", "/nowhere.wav"], 1, "nowhere.wav"),
            (["--file", "/nowhere.wav", "--content", "/none.json"], 1, "none.json"),
        ] as [([String], Int32, String)]
    )
    func mistakes(arguments: [String], status: Int32, text: String) async throws {
        let shop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(["listen", "-c", shop.catalog.path] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
}
