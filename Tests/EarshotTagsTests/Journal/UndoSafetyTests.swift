import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import EarshotTags

@Suite("What undoing leaves alone")
struct UndoSafetyTests {
    /// One file that was renamed, and rewritten where that is wanted.
    private struct Renamed {
        let old, new: URL
        let before, after: Data
        let journal: TagJournal

        init(_ outer: URL, rewritten: Bool) throws {
            let folder = try URL(fileURLWithPath: StagedTags.resolved(outer)).appendingPathComponent("music")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            old = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            new = folder.appendingPathComponent("Tagged.mp3")
            before = try Data(contentsOf: old)
            journal = try TagJournal(opening: outer.appendingPathComponent("j"))
            let edit = rewritten ? try MusicFixtures.edit() : TagEdit()
            let outcomes = TagWriter(journal: journal).writeBlocking([
                TagWriter.Change(file: old, edit: edit, destination: new)
            ])
            #expect(outcomes.allSatisfy { $0.error == nil && $0.isChanged })
            after = try Data(contentsOf: new)
        }

        func count(_ url: URL) -> nlink_t {
            var status = stat()
            return lstat(url.path, &status) == 0 ? status.st_nlink : 0
        }
    }

    /// On a file system that folds case both names lead to the file, and to remove the new one is to remove the only one. Two
    /// hard links stand for that here: they too are one file under two names.
    @Test("A name that leads to the same file as the old one is never removed", arguments: [false, true])
    func oneFile(_ rewritten: Bool) throws {
        try withTemporaryFolder { outer in
            let file = try Renamed(outer, rewritten: rewritten)
            #expect(link(file.new.path, file.old.path) == 0)
            #expect(file.journal.undoBlocking().map { $0.error?.message } == [nil])
            #expect(try Data(contentsOf: file.old) == file.before)
            #expect(file.count(file.new) > 0)
            #expect(try Data(contentsOf: file.new) == file.after)
        }
    }

    @Test("Both names lead to a file that is neither: it is left as it is")
    func oneOther() throws {
        try withTemporaryFolder { outer in
            let file = try Renamed(outer, rewritten: true)
            let other = file.after + [0]
            try other.write(to: file.new)
            #expect(link(file.new.path, file.old.path) == 0)
            #expect(file.journal.undoBlocking().map { $0.error?.code } == [.fileChanged])
            #expect(try Data(contentsOf: file.old) == other && file.count(file.new) == 2)
        }
    }

    @Test("What somebody writes while a file is made again stays")
    func meanwhile() throws {
        try withTemporaryFolder { outer in
            let folder = outer.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let file = try MusicFixtures.copy(["tagged.mp3"], to: folder)[0]
            let journal = try TagJournal(opening: outer.appendingPathComponent("j"))
            let change = TagWriter.Change(file: file, edit: try MusicFixtures.edit())
            #expect(TagWriter(journal: journal).writeBlocking([change]).allSatisfy { $0.error == nil })
            let other = try Data(contentsOf: file) + [0]
            let undone = journal.undoBlocking(observe: { if $0 == .staged { try? other.write(to: file) } })
            #expect(undone.map { $0.error?.code } == [.fileChanged])
            #expect(try Data(contentsOf: file) == other)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tagged.mp3"])
        }
    }

    @Test("What somebody writes before the new file is removed stays")
    func beforeRemoval() throws {
        try withTemporaryFolder { outer in
            let file = try Renamed(outer, rewritten: true)
            let other = file.after + [0]
            let undone = file.journal.undoBlocking(observe: { if $0 == .restored { try? other.write(to: file.new) } })
            #expect(undone.map { $0.error?.code } == [.fileChanged])
            #expect(try Data(contentsOf: file.old) == file.before && Data(contentsOf: file.new) == other)
        }
    }

    @Test("A file that cannot be removed is no success", .enabled(if: Stranger.isThere))
    func notRemoved() throws {
        try withTemporaryFolder { outer in
            let root = try URL(fileURLWithPath: StagedTags.resolved(outer))
            let (from, to) = (root.appendingPathComponent("from"), root.appendingPathComponent("to"))
            for folder in [from, to] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                chmod(folder.path, 0o777)
            }
            let file = try MusicFixtures.copy(["tagged.mp3"], to: from)[0]
            let before = try Data(contentsOf: file)
            let journal = try TagJournal(opening: root.appendingPathComponent("j"))
            let change = TagWriter.Change(
                file: file,
                edit: try MusicFixtures.edit(),
                destination: to.appendingPathComponent("a.mp3")
            )
            #expect(TagWriter(journal: journal).writeBlocking([change]).allSatisfy { $0.error == nil })
            chmod(to.path, 0o755)
            chmod(root.path, 0o755)
            chmod(to.appendingPathComponent("a.mp3").path, 0o644)
            let undone = Stranger.run { journal.undoBlocking() }
            #expect(undone.map { $0.error?.code } == [.writeFailed])
            #expect(journal.contents.entries.map(\.isOpen) == [true])
            #expect(try Data(contentsOf: file) == before)
            // Once it can, the rest is done.
            chmod(to.path, 0o777)
            #expect(journal.undoBlocking().map { $0.error?.message } == [nil])
            #expect(try FileManager.default.contentsOfDirectory(atPath: to.path).isEmpty)
        }
    }

    @Test("Owner and group come back", .enabled(if: Stranger.isThere))
    func owner() throws {
        try withTemporaryFolder { outer in
            let file = try MusicFixtures.copy(["tagged.mp3"], to: outer)[0]
            chown(file.path, Stranger.user, 4_321)
            let journal = try TagJournal(opening: outer.appendingPathComponent("j"))
            let change = TagWriter.Change(file: file, edit: try MusicFixtures.edit())
            #expect(TagWriter(journal: journal).writeBlocking([change]).allSatisfy { $0.error == nil })
            chown(file.path, 0, 0)
            #expect(journal.undoBlocking().map { $0.error?.message } == [nil])
            var status = stat()
            #expect(stat(file.path, &status) == 0)
            #expect(status.st_uid == Stranger.user && status.st_gid == 4_321)
        }
    }

    @Test("Files outside of the root of a journal are left alone, unless that is wanted")
    func root() throws {
        try withTemporaryFolder { outer in
            let music = outer.appendingPathComponent("music")
            let elsewhere = outer.appendingPathComponent("elsewhere")
            for folder in [music, elsewhere] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            }
            let files = [
                try MusicFixtures.copy(["tagged.mp3"], to: music)[0],
                try MusicFixtures.copy(["tagged.ogg"], to: elsewhere)[0],
            ]
            let before = try files.map { try Data(contentsOf: $0) }
            let journal = try TagJournal(opening: outer.appendingPathComponent("j"), root: music)
            #expect(try journal.root?.path == StagedTags.resolved(music))
            let changes = try files.map { TagWriter.Change(file: $0, edit: try MusicFixtures.edit()) }
            #expect(TagWriter(journal: journal).writeBlocking(changes).allSatisfy { $0.error == nil })
            #expect(journal.undoBlocking().map { $0.error?.code } == [.fileAccessDenied, nil])
            #expect(try Data(contentsOf: files[0]) == before[0] && Data(contentsOf: files[1]) != before[1])
            #expect(journal.undoBlocking(leavingRoot: true).map { $0.error?.code } == [nil])
            #expect(try Data(contentsOf: files[1]) == before[1])
        }
    }

    @Test("A change that was given up is not tried again, also by another process; the list needs no lock")
    func abandoning() async throws {
        try await withTemporaryFolder { outer in
            let files = try MusicFixtures.copy(["tagged.mp3", "tagged.ogg"], to: outer)
            let url = outer.appendingPathComponent("j")
            do {
                let journal = try await TagJournal.open(url)
                let changes = try files.map { TagWriter.Change(file: $0, edit: try MusicFixtures.edit()) }
                #expect(await TagWriter(journal: journal).write(changes).allSatisfy { $0.error == nil })
                try (Data(contentsOf: files[0]) + [0]).write(to: files[0])
                let failed = await journal.undo().filter { $0.error != nil }
                #expect(failed.map { $0.error?.code } == [.fileChanged])
                #expect(try await TagJournal.changes(at: url).map(\.isOpen) == [true, false])
                try await journal.abandon(failed.map(\.change))
                #expect(await journal.undo().isEmpty)
            }
            #expect(try await TagJournal.changes(at: url).map(\.isAbandoned) == [true, false])
            // The thread of the journal may still be about to let go of it.
            var again: TagJournal?
            for _ in 0..<500 where again == nil {
                again = try? await TagJournal.open(url)
                if again == nil { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(await again?.undo().isEmpty == true)
            let error = await #expect(throws: EarshotError.self) { try await TagJournal.changes(at: files[0]) }
            #expect(error?.code == .storeDamaged)
        }
    }
}
