import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import EarshotTags

@Suite("Undoing what was written")
struct UndoTests {
    /// A library with one file of every kind, and a journal beside it.
    private struct Library {
        let folder: URL
        let journal: URL
        let files: [URL]

        init(_ outer: URL, _ names: [String] = MusicFixtures.all) throws {
            folder = try URL(fileURLWithPath: StagedTags.resolved(outer)).appendingPathComponent("music")
            journal = outer.appendingPathComponent("changes.earjournal")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            files = try MusicFixtures.copy(names, to: folder)
        }

        /// Changes that write tags, and rename every second file.
        func changes(_ title: String = "Titel") throws -> [TagWriter.Change] {
            try files.enumerated().map { index, file in
                let name = "One & Two/Album \(index / 4)/\(title) \(index).\(file.pathExtension)"
                return TagWriter.Change(
                    file: file,
                    edit: try MusicFixtures.edit("\(title) \(index)"),
                    destination: index % 2 == 1 ? folder.appendingPathComponent(name) : nil
                )
            }
        }
    }

    @Test("Every file gets its old bytes, name, rights and time again, of every kind")
    func everything() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer)
            for (index, file) in library.files.enumerated() {
                chmod(file.path, index % 3 == 0 ? 0o600 : 0o644)
                let time = timespec(tv_sec: 1_200_000_000 + index, tv_nsec: 123_000_000)
                utimensat(AT_FDCWD, file.path, [time, time], 0)
            }
            func facts() -> [[Int64]] {
                library.files.map { file in
                    var status = stat()
                    guard stat(file.path, &status) == 0 else { return [] }
                    let time = FileTime(status)
                    return [Int64(status.st_mode), time.seconds, Int64(time.nanoseconds)]
                }
            }
            let (before, factsBefore) = (try MusicFixtures.contents(library.folder), facts())
            let journal = try TagJournal(opening: library.journal)
            let outcomes = TagWriter(journal: journal).writeBlocking(try library.changes())
            #expect(outcomes.allSatisfy { $0.error == nil && $0.isChanged })
            #expect(try MusicFixtures.contents(library.folder).count == MusicFixtures.all.count + 4)
            for outcome in outcomes {
                #expect(try TagFile.loadBlocking(outcome.url)["TITLE"].first?.hasPrefix("Titel") == true)
            }
            // What is kept is far less than the files.
            let sizes = before.values.compactMap { $0?.count }.reduce(0, +)
            let deltas = journal.contents.entries.map { Int($0.change.deltaSize) }
            #expect(deltas.reduce(0, +) < sizes / 3, "\(deltas)")
            let undone = journal.undoBlocking()
            #expect(undone.allSatisfy { $0.error == nil } && undone.count == MusicFixtures.all.count)
            #expect(try MusicFixtures.contents(library.folder) == before)
            #expect(facts() == factsBefore)
            // Once more changes nothing.
            #expect(journal.undoBlocking().isEmpty)
        }
    }

    @Test(
        "A journal goes on where another process left it, and several changes of a file are undone one after the other"
    )
    func reopening() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer, ["tagged.ogg", "tagged.m4a"])
            let before = try MusicFixtures.contents(library.folder)
            for title in ["First", "Second", "First"] {
                let journal = try TagJournal(opening: library.journal)
                let changes = try library.files.map {
                    TagWriter.Change(file: $0, edit: try MusicFixtures.edit(title, picture: nil))
                }
                #expect(TagWriter(journal: journal).writeBlocking(changes).allSatisfy { $0.error == nil })
            }
            let journal = try TagJournal(opening: library.journal)
            #expect(journal.contents.entries.map(\.change.number) == [1, 2, 3, 4, 5, 6])
            #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try MusicFixtures.contents(library.folder) == before)
        }
    }

    @Test("One process at a time has a journal")
    func lock() throws {
        try withTemporaryFolder { outer in
            let url = outer.appendingPathComponent("j")
            let journal = try TagJournal(opening: url)
            let error = #expect(throws: EarshotError.self) { _ = try TagJournal(opening: url) }
            #expect(error?.code == .storeUnavailable)
            withExtendedLifetime(journal) {}
        }
    }

    @Test("What was changed since, is gone, or has its name taken is left as it is; the others are undone")
    func refusals() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer, ["tagged.mp3", "half1.mp3", "chirp.flac", "tagged.ogg", "chirp.opus"])
            let before = try MusicFixtures.contents(library.folder)
            let journal = try TagJournal(opening: library.journal)
            let outcomes = TagWriter(journal: journal).writeBlocking(try library.changes())
            let places = outcomes.map(\.url)
            // One played with since, one gone, one whose old name is in use, and two as they were left.
            let changed = try Data(contentsOf: places[0]) + [0]
            try changed.write(to: places[0])
            try FileManager.default.removeItem(at: places[2])
            try Data("else".utf8).write(to: library.files[3])
            let undone = journal.undoBlocking()
            #expect(undone.map { $0.error?.code } == [nil, .destinationExists, .assetNotFound, nil, .fileChanged])
            #expect(try Data(contentsOf: places[0]) == changed)
            #expect(try Data(contentsOf: library.files[3]) == Data("else".utf8))
            for index in [1, 4] {
                #expect(try Data(contentsOf: library.files[index]) == before[library.files[index].lastPathComponent])
            }
            // Once the reason is gone, it goes on.
            try FileManager.default.removeItem(at: library.files[3])
            let again = journal.undoBlocking()
            #expect(again.map { $0.error?.code } == [nil, .assetNotFound, .fileChanged])
        }
    }

    @Test("Folders go when undoing empties them, also where a later run does")
    func laterFolders() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer, ["tagged.mp3", "chirp.flac", "tagged.ogg"])
            let before = try MusicFixtures.contents(library.folder)
            let journal = try TagJournal(opening: library.journal)
            let changes = library.files.map { file in
                TagWriter.Change(
                    file: file,
                    destination: library.folder.appendingPathComponent("One/Two/\(file.lastPathComponent)")
                )
            }
            #expect(TagWriter(journal: journal).writeBlocking(changes).allSatisfy { $0.error == nil })
            // The first change made the folders; the last cannot be undone yet.
            let last = library.files[2]
            try Data("else".utf8).write(to: last)
            #expect(journal.undoBlocking().map { $0.error?.code } == [.destinationExists, nil, nil])
            try FileManager.default.removeItem(at: last)
            #expect(journal.undoBlocking().map { $0.error?.code } == [nil])
            #expect(try MusicFixtures.contents(library.folder) == before)
            #expect(!FileManager.default.fileExists(atPath: library.folder.appendingPathComponent("One").path))
        }
    }

    /// A folder of memory on Linux, which is a file system of its own.
    private static let elsewhere = "/dev/shm"

    private static var hasElsewhere: Bool {
        var (here, there) = (stat(), stat())
        return stat(NSTemporaryDirectory(), &here) == 0 && stat(elsewhere, &there) == 0 && here.st_dev != there.st_dev
            && access(elsewhere, W_OK) == 0
    }

    @Test("Files move to another file system and back", .enabled(if: UndoTests.hasElsewhere))
    func otherFileSystem() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer, ["tagged.mp3", "tagged.ogg"])
            let before = try MusicFixtures.contents(library.folder)
            let target = URL(fileURLWithPath: Self.elsewhere).appendingPathComponent(
                "earshot-test-\(UUID().uuidString)"
            )
            defer { try? FileManager.default.removeItem(at: target) }
            let journal = try TagJournal(opening: library.journal)
            let outcomes = TagWriter(journal: journal).writeBlocking([
                TagWriter.Change(file: library.files[0], destination: target.appendingPathComponent("a/1.mp3")),
                TagWriter.Change(
                    file: library.files[1],
                    edit: try MusicFixtures.edit(),
                    destination: target.appendingPathComponent("a/2.ogg")
                ),
            ])
            #expect(outcomes.map { $0.error?.message } == [nil, nil])
            #expect(try MusicFixtures.contents(library.folder).isEmpty)
            #expect(try MusicFixtures.contents(target).keys.sorted() == ["a", "a/1.mp3", "a/2.ogg"])
            #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try MusicFixtures.contents(library.folder) == before)
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    @Test("Lost at any step of writing, the rest is written again or undone, with nothing left over")
    func killsWhileWriting() throws {
        for names in [["tagged.mp3", "half1.mp3"], ["tagged.ogg", "chirp.opus"], ["wav16.wav", "tagged.m4a"]] {
            try withTemporaryFolder { outer in
                let library = try Library(outer, names)
                let before = try MusicFixtures.contents(library.folder)
                let snapshots = Snapshots(outer)
                do {
                    let journal = try TagJournal(opening: library.journal)
                    var writer = TagWriter(journal: journal, root: library.folder)
                    writer.observe = { _ in snapshots.take() }
                    #expect(writer.writeBlocking(try library.changes()).allSatisfy { $0.error == nil })
                }
                let after = try MusicFixtures.contents(library.folder)
                #expect(snapshots.all.count == 11)
                for (index, snapshot) in snapshots.all.enumerated() {
                    // Undone at once.
                    try MusicFixtures.restore(snapshot, to: outer)
                    do {
                        let journal = try TagJournal(opening: library.journal)
                        #expect(journal.undoBlocking().allSatisfy { $0.error == nil }, "step \(index)")
                        // What was not yet written down leaves a file that the next run in its folder removes.
                        StagedFile.removeLeftovers(in: library.folder.path)
                        #expect(try MusicFixtures.contents(library.folder) == before, "step \(index)")
                    }
                    // Written again, then undone.
                    try MusicFixtures.restore(snapshot, to: outer)
                    let journal = try TagJournal(opening: library.journal)
                    let again = TagWriter(journal: journal, root: library.folder)
                        .writeBlocking(
                            try library.changes().filter { FileManager.default.fileExists(atPath: $0.file.path) }
                        )
                    #expect(again.allSatisfy { $0.error == nil }, "step \(index)")
                    StagedFile.removeLeftovers(in: library.folder.path)
                    #expect(try MusicFixtures.contents(library.folder) == after, "step \(index)")
                    #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
                    #expect(try MusicFixtures.contents(library.folder) == before, "step \(index)")
                }
            }
        }
    }

    @Test("Lost at any step of undoing, undoing goes on where it was")
    func killsWhileUndoing() throws {
        try withTemporaryFolder { outer in
            let library = try Library(outer, ["tagged.mp3", "chirp.flac", "tagged.ogg", "tagged.m4a"])
            let before = try MusicFixtures.contents(library.folder)
            let snapshots = Snapshots(outer)
            do {
                let journal = try TagJournal(opening: library.journal)
                #expect(TagWriter(journal: journal).writeBlocking(try library.changes()).allSatisfy { $0.error == nil })
                #expect(journal.undoBlocking(observe: { _ in snapshots.take() }).allSatisfy { $0.error == nil })
            }
            #expect(snapshots.all.count == 14)
            for (index, snapshot) in snapshots.all.enumerated() {
                try MusicFixtures.restore(snapshot, to: outer)
                let journal = try TagJournal(opening: library.journal)
                #expect(journal.undoBlocking().allSatisfy { $0.error == nil }, "step \(index)")
                StagedFile.removeLeftovers(in: library.folder.path)
                #expect(try MusicFixtures.contents(library.folder) == before, "step \(index)")
            }
        }
    }
}

/// What a folder held at several moments. The work that is looked at goes on one thread only; a test reads afterwards.
final class Snapshots: @unchecked Sendable {
    private let folder: URL
    private(set) var all: [[String: Data?]] = []

    init(_ folder: URL) {
        self.folder = folder
    }

    func take() {
        if let contents = try? MusicFixtures.contents(folder) { all.append(contents) }
    }
}
