import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Libraries")
struct MusicLibraryTests {
    private static let kinds = [MediaKind.song, .podcast, .audiobook, .musicVideo, MediaKind(rawValue: "ringtone")]

    @Test(
        "A query for a kind gives just the items of that kind",
        .requirements("R-MR-003", "R-MR-008"),
        arguments: kinds
    )
    func kind(kind: MediaKind) async throws {
        let items = Self.kinds.flatMap { kind in
            ["One", "Two"].map { LibrarySamples.item($0, kind: kind, id: kind.rawValue + $0) }
        }
        let found = try await MemoryMusicLibrary(items).items(of: kind)
        #expect(found.map(\.title) == ["One", "Two"] && found.allSatisfy { $0.kind == kind })
    }

    @Test("An item is found by its identifier, and of several with one identifier the first counts")
    func identifiers() async throws {
        let items = [
            LibrarySamples.item("A", id: "1"), LibrarySamples.item("B", id: "1"), LibrarySamples.item("C", id: "2"),
        ]
        let library = MemoryMusicLibrary(items)
        #expect(try await library.items().map(\.title) == ["A", "C"])
        #expect(try await library.item(items[1].id)?.title == "A")
        #expect(try await library.item(ItemID(rawValue: "none")) == nil)
    }

    @Test("A library that may not be read says so")
    func failure() async {
        let library = MemoryMusicLibrary([], failure: EarshotError(.libraryAccessDenied, "No: allow it."))
        await #expect { try await library.items(of: .song) } throws: { error in
            (error as? EarshotError)?.code == .libraryAccessDenied
        }
    }

    @Test("Reading a library changes no file", .requirements("R-MR-002"))
    func readOnly() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["list.m3u": "a.mp3\n", "a.mp3": "sound", "b.mp3": "more"]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        let library = PlaylistLibrary(
            try PlaylistReader().playlist(contentsOf: folder.appendingPathComponent("list.m3u"))
        )
        let live = LiveLibraryIndex()
        try await live.fill(from: library)
        #expect(await live.snapshot.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(files.keys))
        for (name, text) in files {
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data(text.utf8))
        }
    }

    @Test("The report of missing metadata lists what is missing and nothing else", .requirements("R-MR-120"))
    func missing() {
        let items = LibrarySamples.mixedAlbum + [LibrarySamples.item(nil, artist: "A", album: "B", id: "untitled")]
        let report = MissingMetadata.report(on: items)
        #expect(report.map(\.item) == [items[5].id] && report.first?.fields == [.title])
        #expect(MissingMetadata(items[5], wanted: [.artist]) == nil)
        let all = MissingMetadata(MusicItem(id: ItemID(rawValue: "a")), wanted: Set(MissingMetadata.Field.allCases))
        #expect(all?.fields == MissingMetadata.Field.allCases)
    }
}
