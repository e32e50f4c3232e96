import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums
@testable import EarshotTags

@Suite("Names of a whole run")
struct SettledNamesTests {
    /// Files with the titles that they are to be named by, planned and settled.
    private func plans(_ titles: [(name: String, title: String)], in folder: URL) throws -> [TagPlan] {
        var options = TagPlan.Options()
        options.template = try RenameTemplate("{title}")
        options.root = folder
        let sound = try Data(contentsOf: MusicFixtures.copy(["half1.mp3"], to: folder)[0])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("half1.mp3"))
        return try titles.map { name, title in
            let url = folder.appendingPathComponent(name)
            try sound.write(to: url)
            var match = MusicMatch()
            match.track.title = title
            // So that a file can be told by its tags.
            match.artist.name = name
            let decision = FileDecision(
                file: name,
                match: match,
                confidence: 1,
                albumConfidence: 1,
                editionConfidence: 1
            )
            return try #require(try TagPlan(decision, tags: try TagFile.loadBlocking(url), options: options))
        }
    }

    /// Settles, writes, and holds what was shown against what is there; gives the new names by the old ones.
    private func carryOut(_ titles: [(name: String, title: String)], taken: [String] = []) throws -> [String: String] {
        try withTemporaryFolder { outer in
            let folder = try URL(fileURLWithPath: StagedTags.resolved(outer)).appendingPathComponent("music")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            for name in taken { try Data("else".utf8).write(to: folder.appendingPathComponent(name)) }
            let planned = try plans(titles, in: folder)
            let before = try MusicFixtures.contents(folder)
            let settled = TagPlan.settled(planned)
            let journal = try TagJournal(opening: outer.appendingPathComponent("j"), root: folder)
            let outcomes = TagWriter(journal: journal, root: folder).writeBlocking(settled.map(\.change))
            #expect(outcomes.map { $0.error?.message } == settled.map { _ in nil })
            var names: [String: String] = [:]
            for plan in settled {
                let name = plan.path ?? plan.id
                names[plan.id] = name
                #expect(try TagFile.loadBlocking(folder.appendingPathComponent(name))["ARTIST"] == [plan.id])
            }
            for name in taken {
                #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data("else".utf8))
            }
            #expect(journal.undoBlocking().map { $0.error?.message } == settled.map { _ in nil })
            #expect(try MusicFixtures.contents(folder) == before)
            return names
        }
    }

    @Test("Files that want one name get numbers, and a name of somebody else is left")
    func collisions() throws {
        let names = try carryOut([("a.mp3", "X"), ("b.mp3", "X"), ("c.mp3", "x (2)")], taken: ["X.mp3"])
        #expect(names == ["a.mp3": "X (2).mp3", "b.mp3": "X (3).mp3", "c.mp3": "x (2) (2).mp3"])
    }

    @Test("A name that another file gives up is free")
    func chains() throws {
        #expect(
            try carryOut([("1.mp3", "2"), ("2.mp3", "3"), ("3.mp3", "4")])
                == ["1.mp3": "2.mp3", "2.mp3": "3.mp3", "3.mp3": "4.mp3"]
        )
        // But not of a file that stays.
        #expect(try carryOut([("1.mp3", "2"), ("2.mp3", "2")]) == ["1.mp3": "2 (2).mp3", "2.mp3": "2.mp3"])
    }

    @Test("Of a circle one file gets a number, and nothing is lost")
    func circles() throws {
        let names = try carryOut([("1.mp3", "2"), ("2.mp3", "1")])
        #expect(Set(names.values) == ["1.mp3", "2 (2).mp3"] || Set(names.values) == ["2.mp3", "1 (2).mp3"])
        #expect(try Set(carryOut([("1.mp3", "2"), ("2.mp3", "3"), ("3.mp3", "1")]).values).count == 3)
    }
}
