import EarshotCore
import EarshotMedia
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotTags

@Suite("Writing many files")
struct TagWriterTests {
    private func writer(_ folder: URL, root: URL? = nil) throws -> TagWriter {
        TagWriter(journal: try TagJournal(opening: folder.appendingPathComponent("j")), root: root)
    }

    @Test("A file that fails is left as it was, and the others are written")
    func failures() async throws {
        try await withTemporaryFolder { folder in
            let files = try MusicFixtures.copy(["tagged.mp3", "chirp.flac", "tagged.ogg"], to: folder)
            try Data("no music".utf8).write(to: files[1])
            let missing = folder.appendingPathComponent("missing.mp3")
            let seen = Mutex<[TagWriter.Progress]>([])
            let changes = try ([files[0], files[1], missing, files[2]]).map {
                TagWriter.Change(file: $0, edit: try MusicFixtures.edit())
            }
            let outcomes = try await writer(folder).write(changes) { progress in seen.withLock { $0.append(progress) } }
            #expect(outcomes.map { $0.error?.code } == [nil, .mediaTypeUnsupported, .assetNotFound, nil])
            #expect(outcomes.map(\.isChanged) == [true, false, false, true])
            #expect(seen.withLock { $0.map(\.done) } == [0, 1, 2, 3, 4])
            #expect(try Data(contentsOf: files[1]) == Data("no music".utf8))
            // A second time there is nothing to do.
            let again = TagWriter(journal: try TagJournal(opening: folder.appendingPathComponent("other")))
            #expect(await again.write([changes[0], changes[3]]).allSatisfy { $0.error == nil && !$0.isChanged })
        }
    }

    @Test("Canceled, the files behind are not begun")
    func cancellation() throws {
        try withTemporaryFolder { folder in
            let files = try MusicFixtures.copy(["tagged.mp3", "chirp.flac", "tagged.ogg"], to: folder)
            let before = try Data(contentsOf: files[2])
            let cancellation = Cancellation()
            let changes = try files.map { TagWriter.Change(file: $0, edit: try MusicFixtures.edit()) }
            let outcomes = try writer(folder).writeBlocking(changes, cancellation: cancellation) {
                if $0.done == 1 { cancellation.cancel() }
            }
            #expect(outcomes.map { $0.error?.code } == [nil, .cancelled, .cancelled])
            #expect(try Data(contentsOf: files[2]) == before)
        }
    }

    @Test("A name in use is never taken: a number goes behind it")
    func collisions() throws {
        try withTemporaryFolder { folder in
            let files = try MusicFixtures.copy(["tagged.mp3", "half1.mp3", "half2.mp3"], to: folder)
            let bytes = try files.map { try Data(contentsOf: $0) }
            let target = folder.appendingPathComponent("new/Song.mp3")
            let outcomes = try writer(folder).writeBlocking(
                files.map { TagWriter.Change(file: $0, destination: target) }
            )
            #expect(outcomes.map(\.url.lastPathComponent) == ["Song.mp3", "Song (2).mp3", "Song (3).mp3"])
            #expect(try outcomes.map { try Data(contentsOf: $0.url) } == bytes)
            // Who already has the best name that is free keeps it.
            let again = TagWriter(journal: try TagJournal(opening: folder.appendingPathComponent("other")))
                .writeBlocking(outcomes.map { TagWriter.Change(file: $0.url, destination: target) })
            #expect(again.allSatisfy { !$0.isChanged && $0.error == nil })
        }
    }

    @Test("Folders that became empty go, others and the root stay; undoing brings them back")
    func folders() throws {
        try withTemporaryFolder { outer in
            let root = try URL(fileURLWithPath: StagedTags.resolved(outer)).appendingPathComponent("music")
            let (deep, full) = (root.appendingPathComponent("a/b"), root.appendingPathComponent("c"))
            for folder in [deep, full] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            let files = [
                try MusicFixtures.copy(["tagged.mp3"], to: deep)[0],
                try MusicFixtures.copy(["chirp.flac"], to: full)[0],
            ]
            try Data().write(to: full.appendingPathComponent("notes.txt"))
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent("was empty"),
                withIntermediateDirectories: false
            )
            let before = try MusicFixtures.contents(root)
            let journal = try TagJournal(opening: outer.appendingPathComponent("j"))
            let changes = files.enumerated().map {
                TagWriter.Change(file: $1, destination: root.appendingPathComponent("new/\($0)/x.\($1.pathExtension)"))
            }
            #expect(TagWriter(journal: journal, root: root).writeBlocking(changes).allSatisfy { $0.error == nil })
            #expect(
                try MusicFixtures.contents(root).keys.sorted() == [
                    "c", "c/notes.txt", "new", "new/0", "new/0/x.mp3", "new/1", "new/1/x.flac", "was empty",
                ]
            )
            #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try MusicFixtures.contents(root) == before)
        }
    }

    @Test("A link is written through, and not renamed")
    func links() throws {
        try withTemporaryFolder { folder in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            let before = try Data(contentsOf: file)
            let link = folder.appendingPathComponent("link.mp3")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let writer = try writer(folder)
            let outcomes = writer.writeBlocking([
                TagWriter.Change(file: link, edit: try MusicFixtures.edit()),
                TagWriter.Change(file: link, destination: folder.appendingPathComponent("other.mp3")),
            ])
            #expect(outcomes.map { $0.error?.code } == [nil, .writeFailed])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
            #expect(writer.journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("What somebody else writes at the last moment stays, and the journal knows that nothing was done")
    func lastMoment() throws {
        try withTemporaryFolder { folder in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            let other = try Data(contentsOf: file) + [0]
            var writer = try writer(folder)
            writer.observe = { if $0 == .recorded { try? other.write(to: file) } }
            let outcomes = writer.writeBlocking([TagWriter.Change(file: file, edit: try MusicFixtures.edit())])
            #expect(outcomes.map { $0.error?.code } == [.fileChanged])
            #expect(try Data(contentsOf: file) == other)
            #expect(writer.journal.contents.entries.map(\.isUndone) == [true])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["j", "tagged.mp3"])
        }
    }

    @Test("What cannot be finished is taken back, and says why")
    func takenBack() throws {
        try withTemporaryFolder { folder in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            let before = try Data(contentsOf: file)
            // A file where a folder is to be, made between planning and moving.
            let target = folder.appendingPathComponent("new/Song.mp3")
            var writer = try writer(folder)
            writer.observe = { step in
                if step == .replaced { try? Data().write(to: folder.appendingPathComponent("new")) }
            }
            let outcomes = writer.writeBlocking([
                TagWriter.Change(file: file, edit: try MusicFixtures.edit(), destination: target)
            ])
            #expect(outcomes.map { $0.error?.code } == [.writeFailed])
            #expect(try Data(contentsOf: file) == before)
            #expect(writer.journal.contents.entries.map(\.isUndone) == [true])
        }
    }

    @Test(
        "A file that is to have one name and no other stays where that is in use, and where its tags are others by now"
    )
    func fixedNames() throws {
        try withTemporaryFolder { folder in
            let files = try MusicFixtures.copy(["tagged.mp3", "half1.mp3"], to: folder)
            let before = try MusicFixtures.contents(folder)
            var taken = TagWriter.Change(file: files[0], destination: files[1])
            taken.isDestinationFixed = true
            let other = try TagFile.loadBlocking(files[1]).state
            let stale = TagWriter.Change(
                file: files[0],
                edit: try MusicFixtures.edit(),
                destination: folder.appendingPathComponent("new.mp3"),
                state: other
            )
            let writer = try writer(folder)
            #expect(writer.writeBlocking([taken, stale]).map { $0.error?.code } == [.destinationExists, .fileChanged])
            #expect(try MusicFixtures.contents(folder).filter { $0.key != "j" } == before)
            let current = try TagFile.loadBlocking(files[0]).state
            let good = TagWriter.Change(file: files[0], edit: try MusicFixtures.edit(), state: current)
            #expect(writer.writeBlocking([good]).allSatisfy { $0.error == nil && $0.isChanged })
        }
    }

    @Test("What cannot be taken back either says where the file is")
    func notTakenBack() throws {
        try withTemporaryFolder { folder in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            var writer = try writer(folder)
            writer.observe = { step in
                guard step == .replaced else { return }
                // The folder cannot be made, and the file is another one by then.
                try? Data().write(to: folder.appendingPathComponent("new"))
                try? Data("else".utf8).write(to: file)
            }
            let change = TagWriter.Change(
                file: file,
                edit: try MusicFixtures.edit(),
                destination: folder.appendingPathComponent("new/Song.mp3")
            )
            let error = try #require(writer.writeBlocking([change])[0].error)
            #expect(error.code == .writeFailed)
            #expect(error.message.contains("Taking that back failed too") && error.message.contains("is now at "))
            #expect(error.message.contains("tagged.mp3"))
            #expect(try Data(contentsOf: file) == Data("else".utf8))
            #expect(writer.journal.contents.entries.map(\.isOpen) == [true])
        }
    }

    @Test("What a killed move left in the folder of the new name is removed")
    func leftovers() throws {
        try withTemporaryFolder { folder in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            let new = folder.appendingPathComponent("new")
            try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
            let half = new.appendingPathComponent(".earshot-\(UUID().uuidString).tags.partial")
            try Data(count: 10).write(to: half)
            let journal = try TagJournal(opening: folder.appendingPathComponent("j"))
            let change = TagWriter.Change(file: file, destination: new.appendingPathComponent("a.mp3"))
            #expect(TagWriter(journal: journal).writeBlocking([change]).allSatisfy { $0.error == nil })
            #expect(try FileManager.default.contentsOfDirectory(atPath: new.path) == ["a.mp3"])
            try Data(count: 10).write(to: half)
            #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try FileManager.default.contentsOfDirectory(atPath: new.path).isEmpty)
        }
    }
}
