import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("earshot identify: folders, parts of references and times")
struct IdentifyFolderTests {
    private let earshot = Workshop.earshot

    @Test("a folder is searched to the bottom, and answers come in the order of its paths", arguments: ["1", "3"])
    func folder(jobs: String) async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await earshot.run([
            "identify", workshop.clip.path, workshop.music.path + "/", "-c", workshop.catalog.path, "--jobs", jobs,
            "--jsonl",
        ])
        #expect(outcome.status == 1)
        let lines = try outcome.output.split(separator: "\n").map { try Document(String($0)) }
        let names = ["broken.mp3", "inner folder/warm ink 日本.wav", "win.wav"].map { workshop.music.path + "/" + $0 }
        #expect(lines.map { $0["clip"] as? String } == [workshop.clip.path] + names)
        #expect(lines[1]["error", "code"] as? String == "assetUnreadable")
        #expect(lines[2]["matches", 0, "id"] as? String == Workshop.clipName)
        #expect(lines[3]["matches", 0, "id"] as? String == "music/win.wav")
        #expect(!outcome.output.contains("readme.txt"))
    }

    @Test("a folder without audio is told, and stops nothing else")
    func emptyFolder() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let outcome = try await earshot.run([
                "identify", folder.path, workshop.clip.path, "-c", workshop.catalog.path, "--json",
            ])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("no audio below"))
            let document = try Document(outcome.output)
            #expect(document["clips", 0, "error", "code"] as? String == "assetNotFound")
            #expect(document["clips", 1, "matches", 0, "id"] as? String == Workshop.clipName)
        }
    }

    @Test("results come in the order of the items, whichever is done first")
    func order() async throws {
        var taken: [Int] = []
        let gate = AsyncStream<Void>.makeStream()
        try await OrderedWork.run(Array(0..<40), jobs: 4) { number in
            // The first waits until another one is through.
            if number == 0 { for await _ in gate.stream { break } }
            if number == 3 { gate.continuation.yield() }
            return number
        } take: {
            taken.append($0)
        }
        #expect(taken == Array(0..<40))
    }

    @Test("a clip is named after the media item whose time range is heard")
    func timeRanges() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("lesson.earcat")
            let table = folder.appendingPathComponent("items.csv")
            let text = "id,title,timeRanges\n\(Workshop.clipName),Intro,0-10\n\(Workshop.clipName),Verse,10-30\n"
            try Data(text.utf8).write(to: table)
            let made = try await earshot.run([
                "catalog", "create", workshop.music.path, "-o", catalog.path, "--items", table.path,
            ])
            #expect(made.status == 0, "\(made.errors)")
            // The clip is from 12 s on.
            let found = try await earshot.run(["identify", workshop.clip.path, "-c", catalog.path, "--json"])
            let document = try Document(found.output)
            #expect(document["clips", 0, "matches", 0, "title"] as? String == "Verse")
            #expect((document["clips", 0, "matches", 0, "items"] as? [Any])?.count == 1)
            let words = try await earshot.run(["identify", workshop.clip.path, "-c", catalog.path])
            #expect(words.output.contains("Verse") && !words.output.contains("Intro"))
            let list = try await earshot.run(["tracklist", workshop.clip.path, "-c", catalog.path, "--json"])
            #expect(try Document(list.output)["matches", 0, "title"] as? String == "Verse")
            let heard = try await earshot.run([
                "listen", "-c", catalog.path, "--file", workshop.clip.path, "--fast", "--jsonl",
            ])
            let line = try Document(String(try #require(heard.output.split(separator: "\n").first)))
            #expect(line["matches", 0, "title"] as? String == "Verse")
        }
    }

    @Test("identify, convert and probe show times in one form")
    func times() async throws {
        let workshop = try await Workshop.shared()
        let source = workshop.folder.appendingPathComponent(Workshop.clipName)
        let long = try await earshot.run(["identify", source.path, "-c", workshop.catalog.path])
        #expect(long.output.contains("(0:30.000)") && long.output.contains("of 0:30.000"))
        #expect(long.output.contains(/heard 0:\d\d\.\d{3} to 0:\d\d\.\d{3}, from 0:\d\d\.\d{3} of/))
        let short = try await earshot.run(["identify", workshop.clip.path, "-c", workshop.catalog.path])
        #expect(short.output.contains(/at 0:1\d\.\d{3} of 0:30\.000/))
        try await withTemporaryFolder { folder in
            let target = folder.appendingPathComponent("a.flac").path
            let made = try await earshot.run(["convert", source.path, "-o", target])
            #expect(made.output.contains(": 0:30.000, "), "\(made.output)")
            #expect(try await earshot.run(["probe", target]).output.contains("duration  0:30.000"))
        }
    }
}
