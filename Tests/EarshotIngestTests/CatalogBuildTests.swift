import Earshot
import EarshotIngest
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Building a catalog from a folder")
struct CatalogBuildTests {
    private static let samples = packageFolder.appendingPathComponent("Samples/Music")

    /// Copies sample music into a folder `Music`.
    private func copy(_ names: [String], to folder: URL) throws -> URL {
        let music = folder.appendingPathComponent("Music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        for name in names {
            try Data(contentsOf: Self.samples.appendingPathComponent(name)).write(
                to: music.appendingPathComponent(name)
            )
        }
        return music
    }

    /// Counts the events of a build.
    private final class Events: Sendable {
        private let state = Mutex((began: [Int](), skipped: 0, read: [String](), ended: 0))
        var began: [Int] { state.withLock { $0.began } }
        var skipped: Int { state.withLock { $0.skipped } }
        var read: [String] { state.withLock { $0.read.sorted() } }
        var ended: Int { state.withLock { $0.ended } }

        func take(_ event: CatalogBuild.Event) {
            state.withLock { state in
                switch event {
                case .began(let count): state.began.append(count)
                case .skipped(let count): state.skipped += count
                case .read(let file, _): state.read.append(file.lastPathComponent)
                case .ended: state.ended += 1
                }
            }
        }
    }

    @Test("creates a catalog, tells of each file, and reads only new files afterwards")
    func createAndUpdate() async throws {
        try await withTemporaryFolder { folder in
            let music = try copy(["win-game.ogg", "snodom.ogg"], to: folder)
            let destination = folder.appendingPathComponent("music.earcat")
            let events = Events()
            let build = CatalogBuild(destination, observe: events.take)
            let report = try await build.create(from: [music])
            #expect(report.added == 2 && report.references == 2 && report.skipped.isEmpty)
            #expect(report.audioSeconds > 10 && report.bytes > 1_000)
            #expect(events.began == [2] && events.read == ["snodom.ogg", "win-game.ogg"] && events.ended == 1)
            #expect(try Catalog(contentsOf: destination).referenceIDs == ["Music/snodom.ogg", "Music/win-game.ogg"])
            #expect(!FileManager.default.fileExists(atPath: destination.path + ".partial"))

            let again = await #expect(throws: EarshotError.self) { try await build.create(from: [music]) }
            #expect(again?.code == .destinationExists)
            _ = try copy(["warm-ink.ogg"], to: folder)
            try FileManager.default.removeItem(at: music.appendingPathComponent("snodom.ogg"))
            let later = Events()
            let update = try await CatalogBuild(destination, observe: later.take).update(
                from: [music],
                removesMissing: true
            )
            #expect(update.added == 1 && update.removed == 1 && update.unchanged == 1 && update.references == 2)
            #expect(later.read == ["warm-ink.ogg"])
        }
    }

    @Test(
        "a canceled build throws, keeps what is done, and is resumed by the same call",
        arguments: ["earcat", "earstore"]
    )
    func cancelAndResume(_ suffix: String) async throws {
        try await withTemporaryFolder { folder in
            let music = try copy(["win-game.ogg", "snodom.ogg", "warm-ink.ogg"], to: folder)
            let destination = folder.appendingPathComponent("music.\(suffix)")
            var options = CatalogBuild.Options()
            options.jobs = 1
            let cancelled = CatalogBuild(destination, options: options) { event in
                guard case .read = event else { return }
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let error = await #expect(throws: EarshotError.self) { try await cancelled.create(from: [music]) }
            #expect(error?.code == .cancelled && error?.message.contains(destination.path) == true)
            #expect(!FileManager.default.fileExists(atPath: destination.path))
            #expect(FileManager.default.fileExists(atPath: destination.path + ".partial"))

            let events = Events()
            let report = try await CatalogBuild(destination, options: options, observe: events.take).create(from: [
                music
            ])
            #expect(report.added == 3 && report.resumed == 1 && report.references == 3)
            #expect(events.skipped == 1 && events.read.count == 2)
            #expect(!FileManager.default.fileExists(atPath: destination.path + ".partial"))
        }
    }

    @Test("a duplicate is reported, and left out if asked for", arguments: [DuplicatePolicy.keep, .skip])
    func duplicate(_ policy: DuplicatePolicy) async throws {
        try await withTemporaryFolder { folder in
            let music = try copy(["win-game.ogg"], to: folder)
            try FileManager.default.copyItem(
                at: music.appendingPathComponent("win-game.ogg"),
                to: music.appendingPathComponent("z.ogg")
            )
            var options = CatalogBuild.Options()
            options.duplicates = policy
            let build = CatalogBuild(folder.appendingPathComponent("music.earcat"), options: options)
            let report = try await build.create(from: [music])
            let note = try #require(report.duplicates.first)
            #expect(report.duplicates.count == 1 && note.id == "Music/z.ogg" && note.reference == "Music/win-game.ogg")
            #expect(note.relation == Duplicate.Relation.identical.rawValue)
            #expect(note.action == (policy == .keep ? "kept" : "left out"))
            #expect(report.references == (policy == .keep ? 2 : 1))
        }
    }

    @Test("files that a list names are taken with signature files among them, named as the list has them")
    func listed() async throws {
        try await withTemporaryFolder { folder in
            _ = try copy(["win-game.ogg", "snodom.ogg"], to: folder)
            let sign = CatalogBuild(folder.appendingPathComponent("all.earcat"))
            _ = try await sign.create(from: [folder.appendingPathComponent("Music")])
            let all = try Catalog(contentsOf: sign.destination)
            let signature = try #require(try all.reference("Music/snodom.ogg")).signature
            try signature.write(to: folder.appendingPathComponent("snodom.earsig"))
            let list = folder.appendingPathComponent("files.txt")
            let absent = "/nowhere/absent.ogg"
            try Data("./Music/win-game.ogg\r\n\nsnodom.earsig\n\(absent)\n".utf8).write(to: list)
            var options = CatalogBuild.Options()
            options.list = list
            let build = CatalogBuild(folder.appendingPathComponent("music.earstore"), options: options)
            let report = try await build.create(from: [])
            #expect(report.added == 2 && report.skipped.map(\.file) == [absent])
            let catalog = try Catalog(contentsOf: build.destination)
            #expect(catalog.referenceIDs.sorted() == ["Music/win-game.ogg", "snodom.earsig"])
            #expect(try catalog.reference("snodom.earsig")?.signature.landmarks == signature.landmarks)

            options.list = folder.appendingPathComponent("none.txt")
            let none = CatalogBuild(folder.appendingPathComponent("none.earcat"), options: options)
            let error = await #expect(throws: EarshotError.self) { try await none.create(from: []) }
            #expect(error?.code == .assetNotFound)
            try Data("\n..\n".utf8).write(to: list)
            options.list = list
            let nothing = CatalogBuild(folder.appendingPathComponent("nothing.earcat"), options: options)
            let empty = await #expect(throws: EarshotError.self) { try await nothing.create(from: []) }
            #expect(empty?.code == .assetNotFound && empty?.message.contains("names no file") == true)
            try Data("Music/win-game.ogg\n/Music/win-game.ogg\n".utf8).write(to: list)
            options.list = list
            let twice = CatalogBuild(folder.appendingPathComponent("twice.earcat"), options: options)
            let second = await #expect(throws: EarshotError.self) { try await twice.create(from: []) }
            #expect(second?.code == .referenceExists)
            // The same file in three ways of writing, and as a file of a folder.
            let whole = folder.appendingPathComponent("Music/win-game.ogg").standardizedFileURL.path
            try Data("Music/win-game.ogg\n./Music/./win-game.ogg\n\(whole)\n".utf8).write(to: list)
            let once = CatalogBuild(folder.appendingPathComponent("once.earcat"), options: options)
            #expect(try await once.create(from: []).added == 1)
            #expect(try Catalog(contentsOf: once.destination).referenceIDs == ["Music/win-game.ogg"])
        }
    }

    @Test("a damaged file is left out with its error, and does not stop the others")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let music = try copy(["win-game.ogg"], to: folder)
            let noise = music.appendingPathComponent("noise.mp3")
            try Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: noise)
            let build = CatalogBuild(folder.appendingPathComponent("music.earcat"))
            let report = try await build.create(from: [music])
            #expect(report.added == 1 && report.references == 1)
            let failure = try #require(report.skipped.first)
            #expect(report.skipped.count == 1 && failure.file.hasSuffix("/noise.mp3") && !failure.message.isEmpty)
            #expect(EarshotError.Code(rawValue: failure.code) != nil)

            let none = CatalogBuild(folder.appendingPathComponent("none.earcat"))
            let error = await #expect(throws: EarshotError.self) { try await none.create(from: [noise]) }
            #expect(error?.code == .assetUnreadable)
            #expect(!FileManager.default.fileExists(atPath: none.destination.path + ".partial"))
        }
    }

    @Test("an exported folder is a source, and brings its references as they are")
    func exported() async throws {
        try await withTemporaryFolder { folder in
            let music = try copy(["win-game.ogg"], to: folder)
            let first = folder.appendingPathComponent("first.earcat")
            _ = try await CatalogBuild(first).create(from: [music])
            let export = folder.appendingPathComponent("export")
            #expect(try FolderExport(Catalog(contentsOf: first), to: export).write(replacing: false) == 1)
            #expect(ExportedFolder.exists(at: export) && !ExportedFolder.exists(at: music))
            let second = folder.appendingPathComponent("second.earcat")
            let report = try await CatalogBuild(second).create(from: [export])
            #expect(report.added == 1)
            let (old, new) = (try Catalog(contentsOf: first), try Catalog(contentsOf: second))
            #expect(new.referenceIDs == old.referenceIDs)
            for id in old.referenceIDs { #expect(try new.reference(id)?.signature == old.reference(id)?.signature) }
        }
    }
}
