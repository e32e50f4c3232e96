import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation
import TestSupport
import Testing

@Suite("earshot library")
struct LibraryCommandTests {
    /// The five samples as an album of six tracks, of which the files have other names, and one is there twice.
    private static let table = """
        track_id,title,artist,album,album_id,album_artist,track_number,track_count,duration,year
        t1,Cold Day,Paul Shuler,Sketches & Inks,sketches,Various Artists,1,6,1:20,2012
        t2,Main Screen,Sindre Froyn,Sketches & Inks,sketches,Various Artists,2,6,1:15,2012
        t3,Snodom,Jordan Trudgett,Sketches & Inks,sketches,Various Artists,3,6,1:09,2012
        t4,Warm Ink,_ghost,Sketches & Inks,sketches,Various Artists,4,6,1:20,2012
        t5,Win Game,Christian Hoffmann,Sketches & Inks,sketches,Various Artists,5,6,1:09,2012
        t6,Kettle Drum Parade,Nobody,Sketches & Inks,sketches,Various Artists,6,6,3:00,2012

        """
    private static let samples = ["cold-day", "main-screen", "snodom", "warm-ink", "win-game"]

    private struct Collection {
        let folder: URL
        var music: String { folder.appendingPathComponent("music").path }
        var environment: [String: String] { userEnvironment(home: folder.appendingPathComponent("home")) }

        func earshot(_ arguments: String...) async throws -> Tool.Outcome {
            try await Workshop.earshot.run(
                ["library"] + arguments + ["--database", folder.appendingPathComponent("music.sqlite").path],
                environment: environment
            )
        }

        func undo(_ arguments: String...) async throws -> Tool.Outcome {
            try await Workshop.earshot.run(
                ["library", "undo"] + arguments,
                environment: environment
            )
        }

        /// The bytes of all files by their paths.
        func contents() throws -> [String: Data] {
            var contents: [String: Data] = [:]
            let found = FileManager.default.enumerator(atPath: music)
            while let path = found?.nextObject() as? String {
                let url = URL(fileURLWithPath: music).appendingPathComponent(path)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue {
                    contents[path] = try Data(contentsOf: url)
                }
            }
            return contents
        }
    }

    private func withCollection(_ body: (Collection) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let collection = Collection(folder: folder)
            let music = URL(fileURLWithPath: collection.music).appendingPathComponent("new <things>")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            for (number, sample) in Self.samples.enumerated() {
                let url = packageFolder.appendingPathComponent("Samples/Music/\(sample).ogg")
                try FileManager.default.copyItem(at: url, to: music.appendingPathComponent("audio \(number).ogg"))
            }
            try FileManager.default.copyItem(
                at: packageFolder.appendingPathComponent("Samples/Music/snodom.ogg"),
                to: music.appendingPathComponent("zz copy.ogg")
            )
            try Data(Self.table.utf8).write(to: folder.appendingPathComponent("table.csv"))
            let imported = try await Workshop.earshot.run([
                "import", "table", folder.appendingPathComponent("table.csv").path, "--database",
                folder.appendingPathComponent("music.sqlite").path,
            ])
            #expect(imported.status == 0, "\(imported.errors)")
            try await body(collection)
        }
    }

    @Test("files are named with their album, and why, copies and holes are told")
    func identify() async throws {
        try await withCollection { collection in
            let shown = try await collection.earshot("identify", collection.music, "--why")
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("Various Artists – Sketches & Inks (2012)  5 of 6 tracks"), "\(shown.output)")
            #expect(shown.output.contains("the title is the same") && shown.output.contains("a copy of"))
            let json = try await collection.earshot("identify", collection.music, "--json")
            #expect(json.output.contains("\"trackID\" : \"t4\"") && json.output.contains("\"queries\" : 0"))
            let copies = try await collection.earshot("duplicates", collection.music)
            #expect(copies.status == 0 && copies.output.contains("Jordan Trudgett – Snodom"), "\(copies.output)")
            let holes = try await collection.earshot("missing", collection.music)
            #expect(holes.output.contains("Kettle Drum Parade") && !holes.output.contains("Snodom"), "\(holes.output)")
            let wrong = try await collection.earshot("identify", collection.music, "--without", "smell")
            #expect(wrong.status == 2 && wrong.errors.contains("sound"))
        }
    }

    @Test(
        "a file with the tags of another is no copy of it, and is not renamed over it, where its sound says otherwise"
    )
    func stranger() async throws {
        try await withCollection { collection in
            let samples = packageFolder.appendingPathComponent("Samples/Music")
            let masters = collection.folder.appendingPathComponent("masters")
            try FileManager.default.createDirectory(at: masters, withIntermediateDirectories: true)
            for sample in ["cold-day", "main-screen", "snodom", "win-game"] {
                try FileManager.default.copyItem(
                    at: samples.appendingPathComponent("\(sample).ogg"),
                    to: masters.appendingPathComponent("\(sample).ogg")
                )
            }
            let catalog = collection.folder.appendingPathComponent("music.earcat").path
            let created = try await Workshop.earshot.run(["catalog", "create", masters.path, "-o", catalog])
            #expect(created.status == 0, "\(created.errors)")
            // The sound of one piece under the tags of another, which is in the catalog.
            let music = URL(fileURLWithPath: collection.music).appendingPathComponent("copied")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            let stranger = music.appendingPathComponent("stranger.ogg")
            try FileManager.default.copyItem(at: samples.appendingPathComponent("warm-ink.ogg"), to: stranger)
            var edit = TagEdit()
            for (name, value) in [
                ("TITLE", "Main Screen"), ("ARTIST", "Sindre Froyn"), ("ALBUM", "Sketches & Inks"),
                ("TRACKNUMBER", "2"),
                ("ALBUMARTIST", "Various Artists"), ("DATE", "2012"),
            ] {
                try edit.set(name, to: value)
            }
            try await TagFile.write(edit, to: stranger)
            let before = try collection.contents()

            let unheard = try await collection.earshot("identify", stranger.path)
            #expect(unheard.status == 0 && unheard.output.contains("Main Screen"), "\(unheard.output)")
            let heard = try await collection.earshot("identify", collection.music, "--catalog", catalog, "--json")
            let albums = try Document(heard.output)["albums"] as? [[String: Any]] ?? []
            let files = albums.flatMap { $0["files"] as? [[String: Any]] ?? [] }
            let decided = try #require(
                files.first { $0["file"] as? String == "copied/stranger.ogg" },
                "\(heard.output)"
            )
            #expect(try #require(decided["confidence"] as? Double) < 0.8, "\(decided)")
            #expect(decided["isContradictedBySound"] as? Bool == true && decided["duplicateOf"] == nil)
            let others = files.filter { $0["file"] as? String != "copied/stranger.ogg" }
            #expect(others.count == 6 && others.allSatisfy { $0["isContradictedBySound"] as? Bool == false })
            let shown = try await collection.earshot("identify", collection.music, "--catalog", catalog)
            #expect(
                shown.output.contains("tags say Main Screen by Sindre Froyn; the sound matches nothing in the catalog"),
                "\(shown.output)"
            )
            let copies = try await collection.earshot("duplicates", collection.music, "--catalog", catalog)
            #expect(copies.output.contains("Snodom") && !copies.output.contains("stranger"), "\(copies.output)")
            let written = try await collection.earshot(
                "identify",
                collection.music,
                "--catalog",
                catalog,
                "--write",
                "--rename",
                "{title}"
            )
            #expect(written.status == 0, "\(written.errors)")
            let name = "copied/stranger.ogg"
            let (old, new) = (before[name], try collection.contents()[name])
            #expect(old != nil && old == new)
        }
    }

    @Test("a page shows all of it, and names of files are text in it")
    func report() async throws {
        try await withCollection { collection in
            let page = collection.folder.appendingPathComponent("music.html")
            let new = URL(fileURLWithPath: collection.music).appendingPathComponent("new <things>")
            // Swift takes the sign for a part of the bracket behind it, a browser does not.
            try FileManager.default.moveItem(
                at: new.appendingPathComponent("audio 1.ogg"),
                to: new.appendingPathComponent("\u{600}<img src=x>.ogg")
            )
            let made = try await collection.earshot("report", collection.music, "-o", page.path)
            #expect(made.status == 0, "\(made.errors)")
            let html = try String(contentsOf: page, encoding: .utf8)
            #expect(html.contains("Sketches &amp; Inks") && html.contains("new &lt;things&gt;/audio 0.ogg"))
            #expect(html.contains("class=\"missing\"") && !html.contains("<things>"))
            #expect(html.utf8.split(separator: UInt8(ascii: "<")).allSatisfy { !$0.starts(with: "img src=x".utf8) })
            #expect(html.contains("Content-Security-Policy") && html.contains("default-src 'none'; img-src data:;"))
            let again = try await collection.earshot("report", collection.music, "-o", page.path)
            #expect(again.status == 4)
        }
    }

    @Test("tags and names are written when that is said, and taken back to the byte")
    func write() async throws {
        try await withCollection { collection in
            let before = try collection.contents()
            let template = "{albumartist}/{album}{ (year)}/{track:02} {title}"
            let diff = try await collection.earshot("identify", collection.music, "--diff", "--rename", template)
            #expect(diff.output.contains("+ ALBUM: Sketches & Inks"), "\(diff.output)\(diff.errors)")
            #expect(diff.output.contains("→ Various Artists/Sketches & Inks (2012)/04 Warm Ink.ogg"), "\(diff.output)")
            #expect(try collection.contents() == before)
            let written = try await collection.earshot("identify", collection.music, "--write", "--rename", template)
            #expect(written.status == 0, "\(written.errors)")
            #expect(written.output.contains("6 files were changed"), "\(written.output)")
            let after = Set(try collection.contents().keys)
            #expect(after.contains("Various Artists/Sketches & Inks (2012)/01 Cold Day.ogg"), "\(after)")
            #expect(after.contains("Various Artists/Sketches & Inks (2012)/03 Snodom (2).ogg"), "\(after)")
            #expect(try await collection.undo("--list").output.contains("6 files, 0 taken back"))
            let undone = try await collection.undo()
            #expect(
                undone.status == 0 && undone.output.contains("6 files are as they were"),
                "\(undone.output)\(undone.errors)"
            )
            #expect(try collection.contents() == before)
            #expect(try await collection.undo().status == 3)
        }
    }

    @Test("programs are told what was written, also where nothing had to be")
    func writeForPrograms() async throws {
        try await withCollection { collection in
            let first = try await collection.earshot("identify", collection.music, "--write", "--diff", "--json")
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains("\"changed\" : 6") && first.output.contains("\"name\" : \"ALBUM\""))
            #expect(first.output.contains("\"failed\" : ["))
            let second = try await collection.earshot("identify", collection.music, "--write", "--json")
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.output.hasPrefix("{") && second.output.contains("\"changed\" : 0"), "\(second.output)")
        }
    }

    @Test("the diff is shown before it is written, and text of files cannot steer the terminal")
    func diffFirst() async throws {
        try await withCollection { collection in
            let new = URL(fileURLWithPath: collection.music).appendingPathComponent("new <things>")
            try FileManager.default.moveItem(
                at: new.appendingPathComponent("audio 0.ogg"),
                to: new.appendingPathComponent("audio \u{1B}[2J0.ogg")
            )
            let shown = try await collection.earshot("identify", collection.music, "--write", "--diff")
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("+ ALBUM: Sketches & Inks") && shown.output.contains("6 files were changed"))
            #expect(shown.output.contains("\\u{1B}[2J0.ogg") && !shown.output.contains("\u{1B}"))
        }
    }

    @Test("a bad journal and a file that was changed since hold nothing up, and what cannot be taken back is given up")
    func givingUp() async throws {
        try await withCollection { collection in
            let before = try collection.contents()
            #expect(try await collection.earshot("identify", collection.music, "--write").status == 0)
            let name = "new <things>/audio 3.ogg"
            let file = URL(fileURLWithPath: collection.music).appendingPathComponent(name)
            let changed = try Data(contentsOf: file) + [0]
            try changed.write(to: file)
            // Of a later run, by its name.
            let undo = UserFolders(environment: collection.environment).own("undo", .state)
                .appendingPathComponent("9999.earjournal")
            try Data("no journal".utf8).write(to: undo)
            let list = try await collection.undo("--list")
            #expect(list.status == 1 && list.output.contains("6 files, 0 taken back"), "\(list.output)\(list.errors)")
            #expect(list.errors.contains("9999.earjournal is no journal"), "\(list.errors)")
            let first = try await collection.undo()
            #expect(first.status == 1 && first.output.contains("5 files are as they were"), "\(first.output)")
            #expect(first.errors.contains("--give-up"))
            #expect(try await collection.undo("--give-up").status == 1)
            #expect(try await collection.undo().status == 3)
            #expect(try await collection.undo("--list").output.contains("6 files, 5 taken back, 1 given up"))
            #expect(try collection.contents() == before.merging([name: changed]) { $1 })
        }
    }

    @Test("a plan is shown, written and taken back; what it may not name is left alone")
    func plan() async throws {
        try await withCollection { collection in
            let before = try collection.contents()
            let size = try #require(before["new <things>/audio 3.ogg"]).count
            let entries = """
                {"file": "new <things>/audio 3.ogg", "size": \(size), "title": "Warm Ink", "artist": "_ghost", "album": "Mine",
                 "albumArtist": "Various Artists", "year": "2012", "trackNumber": 4, "trackCount": 6},
                {"file": "new <things>/audio 1.ogg", "size": 1, "title": "Changed since"},
                {"file": "../music.sqlite", "title": "Outside"}, {"file": "nothing.ogg", "title": "Not there"}
                """
            let plan = collection.folder.appendingPathComponent("plan.json")
            func write(_ version: Int) throws {
                let text = #"{"format": "earshot-library-plan", "version": \#(version), "files": [\#(entries)]}"#
                try Data(text.utf8).write(to: plan)
                let schema = try JSONSchema(
                    contentsOf: packageFolder.appendingPathComponent("Docs/schemas/library-plan.schema.json")
                )
                if version == 1 { #expect(try schema.faults(in: text, as: "plan") == []) }
            }
            func apply(_ arguments: String...) async throws -> Tool.Outcome {
                try await Workshop.earshot.run(
                    ["library", "apply", plan.path, collection.music] + arguments,
                    environment: collection.environment
                )
            }
            try write(1)
            let shown = try await apply()
            #expect(shown.status == 1 && shown.output.contains("+ ALBUM: Mine"), "\(shown.output)\(shown.errors)")
            for words in ["another size", "outside of the folder", "no such file"] {
                #expect(shown.errors.contains(words))
            }
            #expect(try collection.contents() == before)
            let written = try await apply("--write", "--rename", "{album}/{track:02} {title}")
            #expect(written.status == 1 && written.output.contains("1 file was changed"), "\(written.output)")
            #expect(try collection.contents()["Mine/04 Warm Ink.ogg"] != nil)
            #expect(try await collection.undo().status == 0)
            #expect(try collection.contents() == before)
            try write(2)
            #expect(try await apply().errors.contains("version 2"))
            try Data("{}".utf8).write(to: plan)
            #expect(try await apply().errors.contains("is no plan"))
        }
    }

    @Test("files by themselves are named as they were given, and written; a place needs a folder to go from")
    func files() async throws {
        try await withCollection { collection in
            let file = collection.music + "/new <things>/audio 3.ogg"
            let shown = try await collection.earshot("identify", file)
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("  4  Warm Ink  \(file)"), "\(shown.output)")
            #expect(shown.output.contains("1 of 6 tracks"))
            let moved = try await collection.earshot("identify", file, "--write", "--rename", "{title}")
            #expect(moved.status == 2 && moved.errors.contains("--rename goes with one folder"), "\(moved.errors)")
            let written = try await collection.earshot("identify", file, "--write")
            #expect(written.output.contains("1 file was changed"), "\(written.output)\(written.errors)")
        }
    }

    @Test("a folder without music, and a file that cannot be read, are told")
    func unreadable() async throws {
        try await withCollection { collection in
            let empty = collection.folder.appendingPathComponent("empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
            let nothing = try await collection.earshot("identify", empty.path)
            #expect(nothing.status == 1 && nothing.errors.contains("There is no music below"), "\(nothing)")
            try Data("no music".utf8).write(to: URL(fileURLWithPath: collection.music + "/broken.mp3"))
            let shown = try await collection.earshot("identify", collection.music)
            #expect(shown.status == 1 && shown.errors.contains("broken.mp3"), "\(shown)")
            #expect(shown.output.contains("Sketches & Inks"))
        }
    }
}
