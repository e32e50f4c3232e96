import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import EarshotIngest

@Suite("Tables of media items")
struct ItemTableTests {
    private static let csv = #"""
        File,Title,ARTIST,genres,explicit_content,Creation Date,timeRanges,frequencySkewRanges,level,gain,live,when,note
        one.wav,"Count, on Me",1984,Rock; Folk,yes,2024-05-01,0-24;1:30-2:00,-0.05-0.05,3,0.5,true,2024-05-01T12:00:00Z,a
        two.wav,Two,,,,,,,,2.0,,,"say ""hi"""
        """#
    private static let json = """
        [
          {"file": "one.wav", "title": "Count, on Me", "artist": "1984", "genres": ["Rock", "Folk"],
           "explicitContent": true, "creationDate": "2024-05-01T00:00:00Z", "timeRanges": [[0, 24], [90, 120]],
           "frequencySkewRanges": [[-0.05, 0.05]], "level": 3, "gain": 0.5, "live": true,
           "when": "2024-05-01T12:00:00Z", "note": "a"},
          {"file": "two.wav", "Title": "Two", "gain": 2.0, "note": "say \\"hi\\"", "artist": null}
        ]
        """

    private static func propertyList(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let day = try Date("2024-05-01T00:00:00Z", strategy: .iso8601)
        let one: [String: Any] = [
            "title": "Count, on Me", "artist": "1984", "genres": ["Rock", "Folk"], "explicitContent": true,
            "creationDate": day, "timeRanges": [[0.0, 24.0], [90.0, 120.0]], "frequencySkewRanges": [[-0.05, 0.05]],
            "level": 3, "gain": 0.5, "live": true, "when": day.addingTimeInterval(43_200), "note": "a",
        ]
        let two: [String: Any] = ["title": "Two", "gain": 2.0, "note": "say \"hi\""]
        return try PropertyListSerialization.data(
            fromPropertyList: ["one.wav": one, "two.wav": two],
            format: format,
            options: 0
        )
    }

    @Test("CSV, JSON and property lists say the same", .requirements("R-CC-043"))
    func forms() throws {
        let tables = [
            try ItemTable(Data(Self.csv.utf8), name: "items.csv"),
            try ItemTable(Data(Self.csv.replacing("\n", with: "\r\n").utf8), name: "items.csv"),
            try ItemTable(Data([0xEF, 0xBB, 0xBF] + Self.csv.utf8), name: "items.csv"),
            try ItemTable(Data(Self.json.utf8), name: "items.json"),
            try ItemTable(Data("{\"items\": \(Self.json)}".utf8), name: "items.json"),
            try ItemTable(Self.propertyList(.xml), name: "items.plist"),
            try ItemTable(Self.propertyList(.binary), name: "items.plist"),
        ]
        for table in tables {
            #expect(table.rows.map(\.file) == ["one.wav", "two.wav"])
            #expect(table.rows.map(\.item) == tables[0].rows.map(\.item))
        }
        let item = tables[0].rows[0].item
        #expect(item.title == "Count, on Me")
        #expect(item.artist == "1984")
        #expect(item[.timeRanges] == [[0.0, 24.0], [90.0, 120.0]])
        #expect(item["level"] == 3)
        #expect(item["gain"] == 0.5)
        #expect(item["live"] == true)
        #expect(item["when"]?.date != nil)
        #expect(tables[0].rows[1].item["gain"] == 2)
    }

    @Test("A path that leads to a file is found, however it is written")
    func paths() throws {
        try withTemporaryFolder { folder in
            let inner = folder.appendingPathComponent("music/A b")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let names = ["one 100%.wav", "Caf\u{E9}.wav", "back\\slash.wav"]
            for name in names { try Data("x".utf8).write(to: inner.appendingPathComponent(name)) }
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inner)
            let up = String(
                repeating: "../",
                count: FileManager.default.currentDirectoryPath.split(separator: "/").count
            )
            let files = try MusicFiles([folder.appendingPathComponent("music").path]).files
            let paths = [
                "music/A b/one 100%.wav", "./music/A b/one 100%.wav", "music/../music/A b/one 100%.wav",
                inner.path + "/one 100%.wav", link.path + "/one 100%.wav", "link/one 100%.wav",
                up + inner.path.dropFirst() + "/one 100%.wav", "file://\(folder.path)/music/A%20b/one%20100%25.wav",
                "music/A%20b/one%20100%25.wav", "link/Cafe\u{301}.wav", "link/back\\slash.wav", "link\\one 100%.wav",
            ]
            let rows = paths.map { ["file": $0, "title": "x"] }
            let table = folder.appendingPathComponent("items.json")
            try JSONSerialization.data(withJSONObject: rows).write(to: table)
            for path in paths {
                try JSONSerialization.data(withJSONObject: [["file": path, "title": "x"]]).write(to: table)
                let assignment = try ItemAssignment(try ItemTable(contentsOf: table), files: files)
                #expect(assignment.ids.count == 1, "\(path)")
                #expect(assignment.unknown.isEmpty, "\(path)")
            }
            try JSONSerialization.data(withJSONObject: rows).write(to: table)
            let all = try ItemAssignment(try ItemTable(contentsOf: table), files: files)
            #expect(all.ids.count == 3)
            #expect(try all.items(for: "music/A b/one 100%.wav", over: []).count == paths.count - 2)
        }
    }

    @Test("Catalogs made with the three forms are equal, to the byte", .requirements("R-CC-043"))
    func catalogs() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let names = ["win.wav", "inner folder/warm ink 日本.wav"]
            let csv = "path,title,level,timeRanges\n\(names[0]),Win,3,0-24;30-40\n\(names[1]),Ink,0.5,\nlost.wav,x,,\n"
            let rows: [[String: Any]] = [
                ["path": names[0], "title": "Win", "level": 3, "timeRanges": [[0, 24], [30, 40]]],
                ["path": names[1], "title": "Ink", "level": 0.5], ["path": "lost.wav", "title": "x"],
            ]
            let plist = try PropertyListSerialization.data(fromPropertyList: rows, format: .xml, options: 0)
            let tables = [
                ("csv", Data(csv.utf8)), ("json", try JSONSerialization.data(withJSONObject: rows)), ("plist", plist),
            ]
            var made: [Data] = []
            for (suffix, data) in tables {
                let table = folder.appendingPathComponent("items.\(suffix)")
                try data.write(to: table)
                let output = folder.appendingPathComponent("\(suffix).earcat")
                let outcome = try await Workshop.earshot.run([
                    "catalog", "create", workshop.music.path, "-o", output.path, "--items", table.path, "--json",
                ])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try Document(outcome.output)["unknownFiles"] as? [String] == ["lost.wav"])
                made.append(try Data(contentsOf: output))
            }
            #expect(made[0] == made[1])
            #expect(made[0] == made[2])
            let catalog = try Catalog(data: made[0])
            let item = try #require(try catalog.reference("music/win.wav")?.items.first)
            #expect(item.title == "Win")
            #expect(item["level"] == 3)
            // An update changes the items of files that are as they were.
            let target = folder.appendingPathComponent("csv.earcat")
            let table = folder.appendingPathComponent("items.csv")
            try Data("id;title;teacher\nmusic/win.wav;Lost;Ada\nmusic/win.wav;Second;\n".utf8).write(to: table)
            for expected in [1, 0] {
                let outcome = try await Workshop.earshot.run([
                    "catalog", "update", workshop.music.path, target.path, "--items", table.path, "--json",
                ])
                #expect(try Document(outcome.output)["changedItems"] as? Int == expected, "\(outcome.errors)")
            }
            let items = try #require(try Catalog(contentsOf: target).reference("music/win.wav")?.items)
            #expect(items.map(\.title) == ["Lost", "Second"])
            #expect(items[0]["teacher"] == "Ada")
            #expect(items[0]["level"] == 3)
        }
    }

    @Test(
        "What cannot be read is named by line and column",
        arguments: [
            ("file,creationDate\na.wav,2024-05-01\nb.wav,soon", "line 3, column creationDate"),
            ("file,timeRanges\na.wav,24", "line 2, column timeRanges"),
            ("file,timeRanges\na.wav,24-20", "line 2: "),
            ("file,explicitContent\na.wav,perhaps", "line 2, column explicitContent"),
            ("file,title\n\"a\nb.wav\",x\n,y", "line 4: it names no file"),
            ("file,title\na.wav,\"x", "line 2: a quotation mark"),
            ("file,title\na.wav,x,y", "line 2: it has 3 fields"),
            ("file,title,Title\na.wav,x,y", "line 1: the column Title"),
            ("name,title\na.wav,x", "line 1: no column"),
            ("file,confidence\na.wav,1", "line 2: The key confidence"),
            ("[{\"file\": \"a\"}, {\"file\": \"b\", \"genres\": 3}]", "entry 2: "),
            ("[{\"file\": \"a\", \"creationDate\": \"x\"}]", "entry 1, key creationDate"),
            ("{\"a.wav\": 3}", "the entry a.wav"), ("[3", "it is not JSON"), ("<?xml", "it is not a property list"),
        ]
    )
    func refused(text: String, place: String) throws {
        let error = try #require(throws: EarshotError.self) {
            _ = try ItemTable(Data(text.utf8), name: "items")
        }
        #expect(error.code == .mediaItemInvalid)
        #expect(error.message.hasPrefix("items, \(place)"), "\(error.message)")
    }

    @Test("A row finds its file by name, path or reference; one that fits several is refused")
    func files() throws {
        let files = ["m/a/1.ogg", "m/b/1.ogg", "m/b/2.ogg"].map {
            MusicFile(url: URL(fileURLWithPath: "/music/\($0)"), id: ReferenceID($0))
        }
        func ids(_ names: String...) throws -> [ReferenceID] {
            let text = "file,title\n" + names.map { "\($0),x" }.joined(separator: "\n")
            return try ItemAssignment(try ItemTable(Data(text.utf8), name: "t"), files: files, ids: ["lone"]).ids
        }
        #expect(try ids("2.ogg", "./a/1.ogg", "lone") == ["lone", "m/a/1.ogg", "m/b/2.ogg"])
        #expect(try ids("/music/m/b/1.ogg", "m\\a\\1.ogg", "none.ogg") == ["m/a/1.ogg", "m/b/1.ogg"])
        #expect(code { _ = try ids("1.ogg") } == .mediaItemInvalid)
    }
}
