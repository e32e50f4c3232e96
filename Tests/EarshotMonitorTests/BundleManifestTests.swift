import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Lists for bundles")
struct BundleManifestTests {
    private static let folder = URL(fileURLWithPath: "/music", isDirectory: true)

    private func entries(_ text: String) throws -> [BundleManifest.Entry] {
        try BundleManifest(Data(text.utf8), folder: Self.folder).entries
    }

    @Test("JSON Lines, a JSON array and a table say the same")
    func forms() throws {
        let lines = """
            {"file": "a.mp3", "id": "A", "title": "T, \\"1\\"", "subtitle": "S", "work": {"id": "w", "title": "W", "kind": "film"}}

            {"file": "/b/ü.wav", "work": "w", "data": "x=1",
             "dataID": "quiz"}
            {"file": "c.wav", "title": "C", "work": "other", "dataFile": "d/c.bin"}
            """
        let table = #"""
            file,id,title,subtitle,work,data,dataFile,DATAID
            a.mp3,A,"T, ""1""",S,"{""id"": ""w"", ""title"": ""W"", ""kind"": ""film""}",,,

            /b/ü.wav,,,,w,x=1,,quiz
            c.wav,,C,,other,,d/c.bin,
            """#
        let array = "[" + lines.replacing("}\n\n{", with: "},\n\n{").replacing("}\n{", with: "},\n{") + "]\n"
        let expected = try entries(lines)
        #expect(expected.map(\.line) == [1, 3, 5])
        #expect(expected.map(\.id) == ["A", "/b/ü.wav", "c.wav"])
        #expect(expected.map(\.file.path) == ["/music/a.mp3", "/b/ü.wav", "/music/c.wav"])
        #expect(expected[0].title == "T, \"1\"" && expected[0].subtitle == "S")
        #expect(expected[0].work == VideoWork(id: "w", title: Name("W"), kind: .film))
        #expect(expected[1].work == expected[0].work)
        #expect(expected[2].work == VideoWork(id: "other", title: Name("C"), isPartial: true))
        #expect(try expected[1].customData() == CustomData(identifier: "quiz", bytes: Data("x=1".utf8)))
        #expect(expected[2].data == .file(URL(fileURLWithPath: "/music/d/c.bin")))
        #expect(code { _ = try expected[2].customData() } == .assetUnreadable)
        #expect(try entries(array) == expected)
        var tabled = try entries("\u{FEFF}" + table.replacing("\n", with: "\r\n"))
        #expect(tabled.map(\.line) == [2, 4, 5])
        for index in tabled.indices { tabled[index].line = expected[index].line }
        #expect(tabled == expected)
    }

    @Test("A whole work and custom data of no bytes can be given")
    func whole() throws {
        let text = """
            [ {"file": "a", "data": "", "work": {"id": "w", "title": {"text": "W", "translations": {"deu": "V"}},
              "synopsis": "About.", "date": "1999-05", "credits": [{"role": "director", "name": "N"}],
              "genres": ["drama"], "duration": 60000}} ]
            """
        let entry = try #require(try entries(text).first)
        #expect(try entry.customData() == CustomData(identifier: "", bytes: Data()))
        #expect(entry.work?.title == Name("W", translations: ["deu": "V"]))
        #expect(entry.work?.synopsis == Name("About."))
        #expect(entry.work?.date == PartialDate("1999-05"))
        #expect(entry.work?.credits == [VideoCredit(.director, "N")])
    }

    @Test(
        "What cannot be used is named with its line",
        arguments: [
            ("", "no entries"), ("file\n", "no entries"), ("path\na", "Line 1 of The list has the column \"path\""),
            ("file,file\na,b", "Line 1"), ("file,id\na,b\nc,d,e", "Line 3"),
            ("file,id\n,b", "Line 2 of The list names no file"),
            ("file,id\na,b\nc,\"d", "Line 3"), ("file,work\na,{\"id\"}", "Line 2 of The list is not JSON"),
            ("file\na\na", "Line 3 of The list has the name a of line 2"),
            ("{\"file\": \"a\"}\n{\"fil\": \"b\"}", "Line 2 of The list has \"fil\""),
            ("{\"file\": \"a\"}\n5", "Line 2"), ("{\"file\": \"a\"", "Line 1"), ("[{\"file\": \"a\"}", "Line 1"),
            ("[{\"file\": \"a\"} {\"file\": \"b\"}]", "Line 1"),
            ("{\"file\": 5}", "Line 1 of The list has a file that is no text"),
            ("\n{\"file\": \"a\", \"dataID\": \"x\"}", "Line 2 of The list has a dataID"),
            ("{\"file\": \"a\", \"data\": \"x\", \"dataFile\": \"y\"}", "both"),
            ("{\"file\": \"a\", \"work\": {\"id\": \"w\"}}", "without a title"),
            ("{\"file\": \"a\", \"work\": {\"title\": \"w\"}}", "without an id"),
            ("{\"file\": \"a\", \"work\": {\"id\": \"w\", \"title\": \"t\", \"kind\": \"x\"}}", "cannot be read"),
            (
                "{\"file\":\"a\",\"work\":{\"id\":\"w\",\"title\":\"t\"}}\n{\"file\":\"b\",\"work\":{\"id\":\"w\",\"title\":\"u\"}}",
                "Line 2"
            ),
        ]
    )
    func errors(text: String, message: String) {
        do {
            _ = try entries(text)
            Issue.record("\(text) was read")
        } catch {
            let error = error as? EarshotError
            #expect(error?.code == .metadataInvalid && error?.message.contains(message) == true, "\(error as Any)")
        }
    }

    @Test("Changed lists never end the program")
    func mutations() {
        let text = Array(
            "[{\"file\": \"a\", \"work\": {\"id\": \"w\", \"title\": \"t\"}},\n{\"file\": \"b\", \"data\": \"\\u00e9\"}]"
                .utf8
        )
        property("damaged lists", rounds: 500) { generator in
            let failure = code { _ = try BundleManifest(Data(generator.mutated(text)), folder: Self.folder) }
            return failure == nil || failure == .metadataInvalid
        }
    }
}
