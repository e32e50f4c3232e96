import EarshotCore
import EarshotMedia
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("A folder as a library")
struct FolderLibraryTests {
    /// Counts how often files are opened.
    private final class Opens: Sendable {
        private let paths = Mutex<[String]>([])
        var names: [String] { paths.withLock { $0.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted() } }
        func clear() { paths.withLock { $0 = [] } }

        var reader: FolderReader {
            FolderReader(
                read: { (path, encoding) throws(EarshotError) in
                    self.paths.withLock { $0.append(path) }
                    return try await FolderReader.files.read(path, encoding)
                },
                digest: { path throws(EarshotError) in
                    self.paths.withLock { $0.append(path) }
                    return try await FolderReader.files.digest(path)
                }
            )
        }
    }

    private struct Outcome {
        var summary = FolderScanEvent.Summary()
        var changes: [LibraryChange] = []
        var failures: [FolderScanEvent.Failure] = []

        func items(_ kind: LibraryChange.Kind) -> [String] {
            changes.filter { $0.kind == kind }.map(\.url.lastPathComponent).sorted()
        }
    }

    private func scan(_ library: FolderLibrary) async throws -> Outcome {
        var outcome = Outcome()
        for try await event in library.scan() {
            switch event {
            case .changed(let change): outcome.changes.append(change)
            case .failed(let failure): outcome.failures.append(failure)
            case .ended(let summary): outcome.summary = summary
            case .listed, .progressed: break
            }
        }
        return outcome
    }

    private func write(_ data: Data, _ name: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    private func library(
        _ folder: URL,
        _ store: any FolderStore = MemoryFolderStore(),
        _ opens: Opens = Opens(),
        _ options: FolderLibrary.Options = .init()
    ) -> FolderLibrary {
        FolderLibrary(folder, store: store, index: LiveLibraryIndex(), options: options, reader: opens.reader)
    }

    @Test(
        "An item has what its tags say, and an address that opens; reading changes no file",
        .requirements("R-MR-001", "R-MR-002")
    )
    func items() async throws {
        try await withTemporaryFolder { folder in
            let song = SmallFiles.song(1, title: "Élan", artist: "Ä", album: "曲", track: 3)
            try write(song, "a/1.mp3", in: folder)
            try write(Data("no music".utf8), "a/bad.mp3", in: folder)
            try write(SmallFiles.song(2), ".hidden.mp3", in: folder)
            try write(Data("a/1.mp3\n".utf8), "list.m3u", in: folder)
            let library = library(folder)
            let outcome = try await scan(library)
            #expect(outcome.summary.files == 2 && outcome.summary.added == 1)
            #expect(outcome.failures.map(\.code) == ["assetUnreadable"])
            let items = try await library.items()
            let item = try #require(items.first)
            #expect(items.count == 1)
            #expect((item.title, item.artist, item.album, item.trackNumber) == ("Élan", "Ä", "曲", 3))
            #expect(await Asset.canOpen(try item.requireAsset()))
            #expect(try await library.item(item.id) == item)
            #expect(try Data(contentsOf: try item.requireAsset()) == song)
        }
    }

    @Test("A second scan opens no file, and one after changes opens those that are new or changed")
    func incremental() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<40 {
                try write(SmallFiles.song(number, title: "Song \(number)"), "\(number % 4)/\(number).mp3", in: folder)
            }
            try write(Data("no music".utf8), "bad.mp3", in: folder)
            let (opens, store) = (Opens(), MemoryFolderStore())
            let first = try await scan(library(folder, store, opens))
            #expect((first.summary.read, first.summary.added, first.summary.failed) == (41, 40, 1))
            #expect(opens.names.count == 41)
            opens.clear()
            // Another library object, as after a restart.
            let again = library(folder, store, opens)
            let second = try await scan(again)
            #expect(opens.names.isEmpty)
            #expect(second.changes.isEmpty && second.summary.failed == 1 && second.summary.files == 41)
            #expect(await again.index.count == 40)

            try write(SmallFiles.song(3, title: "Other words"), "3/3.mp3", in: folder)
            try write(SmallFiles.song(100, title: "New"), "new.mp3", in: folder)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("0/0.mp3"))
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent("1/1.mp3"),
                to: folder.appendingPathComponent("2/one.mp3")
            )
            let before = try await again.items()
            let third = try await scan(again)
            #expect(opens.names == ["3.mp3", "new.mp3"])
            #expect(third.items(.added) == ["new.mp3"] && third.items(.changed) == ["3.mp3"])
            #expect(third.items(.moved) == ["one.mp3"] && third.items(.removed) == ["0.mp3"])
            let after = try await again.items()
            let ids = Set(before.map(\.id)), now = Set(after.map(\.id))
            #expect(ids.subtracting(now).count == 1 && now.subtracting(ids).count == 1)
            #expect(await again.index.count == 40)
        }
    }

    @Test("Another encoding of tags reads all files anew, and the identifiers stay")
    func encoding() async throws {
        try await withTemporaryFolder { folder in
            let title: [UInt8] = [0xC0, 0xCC, 0xBA, 0xB0]  // "이별" in EUC-KR, "ÀÌº°" in Latin-1
            try write(SmallFiles.wave([("INAM", title)]), "a.wav", in: folder)
            let (opens, store) = (Opens(), MemoryFolderStore())
            var options = FolderLibrary.Options()
            options.legacyEncoding = .latin1
            let western = library(folder, store, opens, options)
            _ = try await scan(western)
            let old = try #require(try await western.items().first)
            options.legacyEncoding = .eucKR
            let korean = library(folder, store, opens, options)
            _ = try await scan(korean)
            let new = try #require(try await korean.items().first)
            #expect((old.title, new.title) == ("ÀÌº°", "이별") && old.id == new.id && opens.names.count == 2)
        }
    }

    @Test(
        "A file keeps its identifier when it is renamed, moved, copied over from another disk and tagged anew",
        .requirements("R-MR-009")
    )
    func identity() async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1, title: "A"), "a.mp3", in: folder)
            try write(SmallFiles.song(2, title: "B"), "b.mp3", in: folder)
            let store = MemoryFolderStore()
            let library = library(folder, store)
            _ = try await scan(library)
            let ids = try await library.items().map(\.id)
            // A copy with other tags, and the old one gone: nothing of the file is as it was but its sound.
            try FileManager.default.removeItem(at: folder.appendingPathComponent("a.mp3"))
            try write(SmallFiles.song(1, title: "A longer title", album: "X"), "inner/c.mp3", in: folder)
            let outcome = try await scan(library)
            #expect(outcome.items(.moved) == ["c.mp3"] && outcome.items(.removed).isEmpty)
            #expect(try await library.items().map(\.id) == [ids[1], ids[0]])
            // Without a store it is the same again.
            let fresh = self.library(folder)
            _ = try await scan(fresh)
            #expect(try await fresh.items().map(\.id) == [ids[1], ids[0]])
        }
    }

    @Test("Names that are passed on from file to file leave every item what it was")
    func chain() async throws {
        try await withTemporaryFolder { folder in
            for number in 1...5 { try write(SmallFiles.song(number, title: "\(number)"), "\(number).mp3", in: folder) }
            let opens = Opens()
            let library = library(folder, MemoryFolderStore(), opens)
            _ = try await scan(library)
            let ids = Dictionary(uniqueKeysWithValues: try await library.items().map { ($0.title, $0.id) })
            for number in (1...5).reversed() {
                try FileManager.default.moveItem(
                    at: folder.appendingPathComponent("\(number).mp3"),
                    to: folder.appendingPathComponent("\(number + 1).mp3")
                )
            }
            opens.clear()
            let outcome = try await scan(library)
            #expect(opens.names.isEmpty && outcome.items(.moved).count == 5 && outcome.changes.count == 5)
            let items = try await library.items()
            #expect(items.map(\.title) == ["1", "2", "3", "4", "5"] && items.allSatisfy { ids[$0.title] == $0.id })
            #expect(items.first?.assetURL?.lastPathComponent == "2.mp3")
        }
    }

    @Test("Files with the same sound are items of their albums, or copies, and songs that only begin alike are two")
    func sameSound() async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1, title: "A", album: "X"), "a.mp3", in: folder)
            try write(SmallFiles.song(1, title: "A", album: "Best of"), "b.mp3", in: folder)
            try write(SmallFiles.song(1, title: "A", album: "X"), "c.mp3", in: folder)
            // More than is read of a file, with one frame that differs where nothing is read.
            let long = SmallFiles.frames(2_000, number: 9)
            try write(Data(long), "long.mp3", in: folder)
            try write(Data(SmallFiles.frames(2_000, number: 9, changed: [600])), "long clean.mp3", in: folder)
            let store = MemoryFolderStore()
            let library = library(folder, store)
            let outcome = try await scan(library)
            #expect(outcome.summary.copies == 1 && outcome.summary.added == 4)
            let items = try await library.items()
            #expect(Set(items.map(\.id)).count == 4)
            #expect(items.map(\.assetURL?.lastPathComponent) == ["a.mp3", "b.mp3", "long clean.mp3", "long.mp3"])
            // The copy takes the place of its original.
            let id = items[0].id
            try FileManager.default.removeItem(at: folder.appendingPathComponent("a.mp3"))
            let second = try await scan(library)
            #expect(second.items(.removed).isEmpty)
            #expect(await library.index.item(id)?.assetURL?.lastPathComponent == "c.mp3")
            #expect(try await library.items().first { $0.id == id }?.assetURL?.lastPathComponent == "c.mp3")
        }
    }

    @Test("Links in a circle end, and a file that two links lead to is one item")
    func links() throws {
        try withTemporaryFolder { folder in
            try write(SmallFiles.song(1), "a/1.mp3", in: folder)
            for (name, target) in [("a/up", ".."), ("b", "a"), ("lost", "nowhere"), ("self", "self")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appendingPathComponent(name).path,
                    withDestinationPath: target
                )
            }
            let walk = try LibraryWalk(folder.path)
            #expect(walk.files.map(\.path) == [folder.path + "/a/1.mp3"])
        }
    }

    @Test("A folder that is moved keeps its items, though it is scanned under another name")
    func movedFolder() async throws {
        try await withTemporaryFolder { folder in
            for (number, name) in [(1, "one"), (2, "two"), (2, "two again")] {
                try write(SmallFiles.song(number), "old/\(name).mp3", in: folder)
            }
            let store = MemoryFolderStore()
            let before = library(folder.appendingPathComponent("old"), store)
            #expect(try await scan(before).summary.copies == 1)
            let ids = try await before.items().map(\.id)
            let place = folder.appendingPathComponent("new")
            try FileManager.default.moveItem(at: folder.appendingPathComponent("old"), to: place)
            let after = library(place, store)
            let outcome = try await scan(after)
            #expect(outcome.failures.isEmpty)
            #expect(
                outcome.items(.moved) == ["one.mp3", "two.mp3"]
                    || outcome.items(.moved) == ["one.mp3", "two again.mp3"]
            )
            #expect(Set(try await after.items().map(\.id)) == Set(ids) && ids.count == 2)
            #expect(await store.known().allSatisfy { $0.path.hasPrefix(place.path) })
            #expect(try await scan(after).summary.read == 0)
        }
    }

    @Test("A file that begins as one that cannot be read is an item of its own")
    func incomparable() async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1), "a.mp3", in: folder)
            try write(SmallFiles.song(1), "b.mp3", in: folder)
            let reader = FolderReader(read: FolderReader.files.read) { path throws(EarshotError) in
                guard !path.hasSuffix("a.mp3") else { throw EarshotError(.readFailed, "It ended early.") }
                return try await FolderReader.files.digest(path)
            }
            let library = FolderLibrary(
                folder,
                store: MemoryFolderStore(),
                index: LiveLibraryIndex(),
                options: .init(),
                reader: reader
            )
            let outcome = try await scan(library)
            #expect(outcome.failures.isEmpty)
            #expect(Set(try await library.items().map(\.id)).count == 2)
        }
    }

    @Test("Links that lead out are passed over where that is wanted, and names stand in for titles")
    func options() async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1), "music/in/1.mp3", in: folder)
            try write(SmallFiles.song(2), "out/2.mp3", in: folder)
            let music = folder.appendingPathComponent("music")
            for (name, target) in [("out", "../out"), ("out.mp3", "../out/2.mp3"), ("again", "in")] {
                try FileManager.default.createSymbolicLink(
                    atPath: music.appendingPathComponent(name).path,
                    withDestinationPath: target
                )
            }
            #expect(try LibraryWalk(music.path).files.count == 3)
            let walk = try LibraryWalk(music.path, within: FolderWalk.real(music.path))
            #expect(walk.files.map(\.path) == [music.path + "/again/1.mp3"])
            var options = FolderLibrary.Options()
            options.staysInside = true
            options.titlesFromNames = true
            let library = library(music, MemoryFolderStore(), Opens(), options)
            #expect(try await scan(library).summary.files == 1)
            // What lacks a title still lacks it, where that is what is looked for.
            #expect(try await library.items().map(\.title) == [nil])
            #expect(await library.index.resolve(.play("1")).candidates.map(\.name) == ["1"])
        }
    }

    @Test("A folder that is not there, or empty though music of it is known, is an error and loses nothing")
    func absent() async throws {
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try write(SmallFiles.song(1), "music/1.mp3", in: folder)
            let library = library(music)
            _ = try await scan(library)
            try FileManager.default.moveItem(at: music, to: folder.appendingPathComponent("away"))
            await #expect { try await scan(library) } throws: { ($0 as? EarshotError)?.code == .assetNotFound }
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            await #expect { try await scan(library) } throws: { ($0 as? EarshotError)?.code == .assetNotFound }
            #expect(try await library.items().count == 1)
        }
    }

    @Test("What may not be read is denied, and what is known below a folder that may not be read stays")
    func denied() throws {
        // Whoever may do everything is not refused: then the decision alone is looked at.
        let known = ["/m/a/1.mp3", "/m/ab/2.mp3", "/m/b/3.mp3"].map {
            KnownFile(
                path: $0,
                stamp: FileStamp(size: 1, seconds: 1, nanoseconds: 0, node: UInt64($0.utf8.count)),
                reading: "1 ",
                audio: AudioKey(high: 1, low: 1)
            )
        }
        let difference = FolderDifference(known: known, found: [], reading: "1 ", hidden: ["/m/a"])
        #expect(difference.gone.map(\.path) == ["/m/ab/2.mp3", "/m/b/3.mp3"])
        guard getuid() != 0 else { return }
        try withTemporaryFolder { folder in
            let closed = folder.appendingPathComponent("closed")
            try write(SmallFiles.song(1), "closed/1.mp3", in: folder)
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed.path) }
            #expect { try LibraryWalk(closed.path) } throws: { ($0 as? EarshotError)?.code == .libraryAccessDenied }
            #expect(try LibraryWalk(folder.path).failures.map(\.error.code) == [.libraryAccessDenied])
        }
    }

    @Test(
        "What was indexed is found before the scan ends, and a scan that was ended goes on",
        .requirements("R-MR-133")
    )
    func partial() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<64 {
                try write(SmallFiles.song(number, title: "Piece \(number)"), "\(100 + number).mp3", in: folder)
            }
            let (opens, store) = (Opens(), MemoryFolderStore())
            var options = FolderLibrary.Options()
            options.width = 1
            let first = library(folder, store, opens, options)
            for try await event in first.scan() {
                guard case .progressed(let done, let total) = event, done < total else { continue }
                let found = try await first.index.resolve(LibraryCommand("play track piece 3"))
                #expect(found.choice?.name == "Piece 3")
                break
            }
            let second = library(folder, store, opens, options)
            let outcome = try await scan(second)
            #expect(await second.index.count == 64)
            #expect(outcome.summary.read < 64 && opens.names.count <= 64 + 16)
        }
    }

    @Test(
        "Titles in any script are scanned, found and put out byte for byte",
        .requirements("R-MR-118"),
        // The first with a hyphen in the place of a long vowel, the last with marks of their own.
        arguments: [LibrarySamples.theme, LibrarySamples.advent, "か\u{3099}くせい Cafe\u{301}"]
    )
    func scripts(title: String) async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1, title: title, artist: "植松伸夫", album: "音楽"), "曲 1.mp3", in: folder)
            let library = library(folder)
            _ = try await scan(library)
            let item = try #require(try await library.items().first)
            #expect(try Array(#require(item.title).utf8) == Array(title.utf8))
            #expect(item.artist == "植松伸夫" && item.album == "音楽")
            let found = try #require(await library.index.resolve(.playTrack(title)).choice)
            #expect(Array(found.name.utf8) == Array(title.utf8) && found.items == [item])
            #expect(try JSONEncoder().encode(item).range(of: Data(title.utf8)) != nil)
        }
    }

    @Test("Kinds follow from genres and suffixes")
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            let genre = { (text: String) in Data(SmallFiles.tag([SmallFiles.text("TCON", 0, Array(text.utf8))])) }
            try write(genre("Podcast") + Data(SmallFiles.frames(12, number: 1)), "a.mp3", in: folder)
            try write(genre("Audiobook") + Data(SmallFiles.frames(12, number: 2)), "b.mp3", in: folder)
            try write(genre("Jazz") + Data(SmallFiles.frames(12, number: 3)), "c.mp3", in: folder)
            let library = library(folder)
            _ = try await scan(library)
            #expect(try await library.items().map(\.kind) == [.podcast, .audiobook, .song])
        }
    }

    @Test(
        "The identifier of a song is the same on every machine: of these bytes it is this one, and of others another",
        .requirements("R-MR-117")
    )
    func pinned() async throws {
        try await withTemporaryFolder { folder in
            try write(SmallFiles.song(1, title: "A"), "a.mp3", in: folder)
            try write(SmallFiles.song(2, title: "A"), "b.mp3", in: folder)
            let library = library(folder)
            _ = try await scan(library)
            let ids = try await library.items().map(\.id.rawValue)
            #expect(ids.first == "audio-133e8939e84a4b9b99db06c64eb05664")
            #expect(Set(ids).count == 2)
        }
    }
}
