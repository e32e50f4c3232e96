import EarshotCore
import EarshotLibrary
import EarshotSQLite
import Foundation
import Testing

@Suite("Stores of the files of libraries")
struct FolderStoreTests {
    enum Kind: CaseIterable {
        case memory, sqlite

        func make() throws -> any FolderStore {
            switch self {
            case .memory: MemoryFolderStore()
            case .sqlite: try SQLiteFolderStore.inMemory()
            }
        }
    }

    private func file(_ path: String, _ size: Int64 = 3, _ content: FolderFile.Content? = nil) -> FolderFile {
        let stamp = FileStamp(size: size, seconds: -5, nanoseconds: 999_999_999, node: .max)
        let item = MusicItem(
            id: ItemID(rawValue: "id of \(path)"),
            assetURL: URL(fileURLWithPath: path, isDirectory: false),
            kind: .audiobook,
            title: "エアリスのテ-マ",
            trackNumber: 3,
            duration: MediaTime(value: 44_101, timescale: 44_100)
        )
        return FolderFile(
            path: path,
            stamp: stamp,
            reading: "1 ",
            content: content ?? .item(item, audio: AudioKey(high: .max, low: 7), isCopy: path.hasSuffix("copy"))
        )
    }

    @Test("records come back as they were, until they are replaced or forgotten", arguments: Kind.allCases)
    func records(_ kind: Kind) async throws {
        let store = try kind.make()
        let bad = file("/b/曲.mp3", 4, .failure(code: "assetUnreadable", message: "No."))
        let files = [file("/b/z"), bad, file("/a/copy"), file("/a b"), file("/B")]
        try await store.keep(files, forgetting: [])
        #expect(try await store.files(at: ["/b/曲.mp3", "/none", "/a/copy"]) == [bad, files[2]])
        let known = try await store.known()
        #expect(known.map(\.path) == ["/B", "/a b", "/a/copy", "/b/z", "/b/曲.mp3"])
        #expect(known == [files[4], files[3], files[2], files[0], bad].map(KnownFile.init))
        #expect(known[2].isCopy && known[4].audio == nil && known[0].audio == AudioKey(high: .max, low: 7))
        // A record that is forgotten and kept at once is kept.
        try await store.keep([file("/b/z", 9)], forgetting: ["/b/z", "/a b", "/none"])
        #expect(try await store.known().map(\.path) == ["/B", "/a/copy", "/b/z", "/b/曲.mp3"])
        #expect(try await store.files(at: ["/b/z"]).first?.stamp.size == 9)
    }

    @Test("what one program kept another one finds")
    func reopened() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + end) } }
        try await SQLiteFolderStore(url: url).keep([file("/a")], forgetting: [])
        #expect(try await SQLiteFolderStore(url: url).files(at: ["/a"]) == [file("/a")])
    }
}
