import EarshotAnalysis
import EarshotCore
import EarshotMedia
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Reading a folder as a library")
struct FolderReadingTests {
    private func write(_ data: Data, _ name: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// Everything about the files of a folder that reading could change: bytes, names, times, rights.
    private func snapshot(_ folder: URL) throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let url = folder.appendingPathComponent(path)
            let facts = try FileManager.default.attributesOfItem(atPath: url.path)
            let time = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
            let bytes = isFolder ? Data() : try Data(contentsOf: url)
            files[path] = ["\(time)", "\(facts[.posixPermissions] ?? "")", bytes.base64EncodedString()]
        }
        return files
    }

    @Test(
        "Scanning, asking, hearing and drawing all of a library leaves every file as it was",
        .requirements("R-MR-002")
    )
    func unchanged() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<8 {
                try write(SmallFiles.song(number, title: "Song \(number)"), "\(number % 2)/\(number).mp3", in: folder)
            }
            try write(Data("no music".utf8), "bad.mp3", in: folder)
            try write(Data("0/0.mp3\n1/1.mp3\n".utf8), "list.m3u", in: folder)
            let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
            for name in ["tagged.m4a", "tagged.mp3", "tagged.ogg", "long.flac", "wav16.wav", "aiff.aiff", "alac.m4a"] {
                try write(try Data(contentsOf: fixtures.appendingPathComponent(name)), name, in: folder)
            }
            let before = try snapshot(folder)
            let library = FolderLibrary(folder)
            for _ in 0..<2 { for try await _ in library.scan() {} }
            _ = try await library.items(of: .podcast)
            _ = await library.index.resolve(try LibraryCommand("play track song 3"))
            let items = try await library.items()
            #expect(items.count == 15)
            for item in items {
                let url = try item.requireAsset()
                #expect(await Asset.canOpen(url))
                for try await _ in try await AssetReader(url) {}
                let decoder = try AudioDecoder(url)
                var maker: WaveformMaker?
                while let buffer = try decoder.next()?.buffer {
                    maker =
                        maker
                        ?? WaveformMaker(
                            sampleRate: buffer.sampleRate,
                            channelCount: buffer.channelCount,
                            framesPerBucket: 1_000
                        )
                    maker?.append(buffer)
                }
                #expect(maker != nil)
            }
            _ = try PlaylistReader().playlist(contentsOf: folder.appendingPathComponent("list.m3u"))
            #expect(try snapshot(folder) == before)
        }
    }

    @Test("A scan that the main thread begins reads no file on it", .requirements("R-MR-104"))
    @MainActor
    func offMain() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<20 { try write(SmallFiles.song(number, title: "\(number)"), "\(number).mp3", in: folder.url) }
        let places = Places()
        let reader = FolderReader(
            read: { (path, encoding) throws(EarshotError) in
                places.note()
                return try await FolderReader.files.read(path, encoding)
            },
            digest: { path throws(EarshotError) in
                places.note()
                return try await FolderReader.files.digest(path)
            }
        )
        let library = FolderLibrary(
            folder.url,
            store: MemoryFolderStore(),
            index: LiveLibraryIndex(),
            options: .init(),
            reader: reader
        )
        #expect(MainQueue.isCurrent)
        for try await _ in library.scan() {}
        #expect(places.seen.count >= 20 && !places.seen.contains(true))
    }

    /// Whether files were opened on the main thread.
    private final class Places: Sendable {
        private let onMain = Mutex<[Bool]>([])
        var seen: [Bool] { onMain.withLock { $0 } }
        func note() { onMain.withLock { $0.append(MainQueue.isCurrent) } }
    }
}
