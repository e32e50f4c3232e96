import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import RecognitionCommands

@Suite("earshot timed")
struct TimedCommandTests {
    private static let table = "start,end,title,colour\n14,,One,red\n21,31,Two,\n"

    @Test("timed content is imported, shown, checked and exported", .requirements("R-CC-106"))
    func forms() async throws {
        try await withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            func earshot(_ arguments: String..., input: Data? = nil) async throws -> Tool.Outcome {
                try await Workshop.earshot.run(["timed"] + arguments, input: input)
            }
            try Data(Self.table.utf8).write(to: URL(fileURLWithPath: path("lesson.csv")))
            let made = try await earshot("import", path("lesson.csv"), "-o", path("lesson.json"), "--reference", "e3")
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.contains("2 entries"))
            let again = try await earshot("import", path("lesson.csv"), "-o", path("lesson.json"))
            #expect(again.status == 4)
            #expect(try await earshot("import", path("lesson.csv"), "-o", path("lesson.json"), "--replace").status == 0)

            let shown = try await earshot("show", path("lesson.json"))
            #expect(shown.output.contains("0:14.000") && shown.output.contains("colour: red"))
            let moment = try Document(try await earshot("show", path("lesson.json"), "--at", "0:25", "--json").output)
            #expect(moment["active", 0, "entry", "title"] as? String == "Two")
            let early = try await earshot("show", path("lesson.json"), "--at", "3s")
            #expect(early.output.contains("nothing is active") && early.output.contains("in 0:11"))

            let checked = try await earshot("check", path("lesson.json"), "--duration", "20", "--json")
            #expect(try Document(checked.output)["warnings", 0, "entry"] as? String == "2")
            for form in ["vtt", "lrc", "chapters", "csv", "json", "ffmetadata"] {
                let outcome = try await earshot("export", path("lesson.json"), "-o", "-", "--format", form)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let timeline = try Timeline(data: Data(outcome.output.utf8))
                #expect(timeline.entries.map(\.title) == ["One", "Two"])
            }
            #expect(try await earshot("export", path("lesson.json"), "-o", path("x.doc")).status == 2)
            let piped = try await earshot("import", "-", "-o", "-", input: Data("[00:01.00]x".utf8))
            #expect(piped.output.contains("\"start\" : 1"))
        }
    }

    @Test("mistakes name the file and the line")
    func mistakes() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("bad.csv")
            try Data("start,title\n1,x\n1:75:00,y\n".utf8).write(to: file)
            let outcome = try await Workshop.earshot.run(["timed", "check", file.path])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("\(file.path), line 3: "))
            let missing = try await Workshop.earshot.run(["timed", "show", folder.appendingPathComponent("none").path])
            #expect(missing.status == 1)
        }
    }

    @Test("times are given in seconds", .requirements("R-CC-085", "R-CC-086", "R-CC-106"))
    func seconds() async throws {
        let outcome = try await Workshop.earshot.run(["timed", "seconds", "3:14", "1:02:03", "3m14s", "250ms"])
        #expect(outcome.output == "194\n3723\n194\n0.25\n")
        #expect(try await Workshop.earshot.run(["timed", "seconds", "1:75:00"]).status == 1)
    }

    @Test("chapters of a media file are timed content")
    func chapters() async throws {
        let film = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/late.mkv")
        let timeline = try Timeline(chaptersOf: try await Asset.load(film))
        #expect(timeline.entries.map(\.title) == ["序章", "Second"])
        #expect(timeline.entries.map(\.start.seconds) == [0, 0.6])
        let outcome = try await Workshop.earshot.run(["timed", "import", film.path, "-o", "-"])
        #expect(try Timeline(data: Data(outcome.output.utf8)) == timeline)
        let song = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/wav16.wav")
        #expect(try await Workshop.earshot.run(["timed", "show", song.path]).errors.contains("has no chapters"))
    }
}
