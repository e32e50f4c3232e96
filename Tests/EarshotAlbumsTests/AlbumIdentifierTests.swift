import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Identifying collections")
struct AlbumIdentifierTests {
    /// Answers with whatever its rule says, and notes what it was asked.
    private final class Stub: AlbumRecognitionService {
        let albumQueryLimit: Int
        private let asked = Mutex<[AlbumQuery]>([])
        private let rule: @Sendable (FileAttributes) -> Bool
        private let failure: @Sendable (AlbumQuery) -> EarshotError?

        init(
            limit: Int = 100,
            _ rule: @escaping @Sendable (FileAttributes) -> Bool = { _ in true },
            failing failure: @escaping @Sendable (AlbumQuery) -> EarshotError? = { _ in nil }
        ) {
            albumQueryLimit = limit
            self.rule = rule
            self.failure = failure
        }

        var queries: [AlbumQuery] { asked.withLock { $0 } }

        func identify(
            _ query: AlbumQuery,
            _ preferences: ContentPreferences
        ) async throws(EarshotError) -> [FileDecision] {
            asked.withLock { $0.append(query) }
            if let failure = failure(query) { throw failure }
            return query.files.map { file in
                var decision = FileDecision(file: file.id)
                if rule(file) {
                    var match = MusicMatch()
                    match.track.id = EntityID(file.id)
                    decision.match = match
                }
                return decision
            }
        }
    }

    /// Copies samples to where a test wants them, and makes other files.
    private func fill(_ folder: URL, _ files: [String: String?]) throws {
        let music = packageFolder.appendingPathComponent("Samples/Music")
        for (path, sample) in files {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            if let sample {
                try FileManager.default.copyItem(at: music.appendingPathComponent(sample), to: url)
            } else {
                try Data("No music.".utf8).write(to: url)
            }
        }
    }

    private let tree = [
        "One/First/1.ogg": "cold-day.ogg", "One/First/2.ogg": "warm-ink.ogg", "Two/Second/1.ogg": "snodom.ogg",
    ]

    @Test(
        "a folder is walked with what is below it, and what is no music is passed over",
        .requirements("R-MC-086", "R-MC-087", "R-MC-102", "R-MC-103", "R-MC-104", "R-MC-105", "R-MC-106")
    )
    func folder() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, tree.mapValues { $0 as String? })
            try fill(folder, ["notes.txt": nil, "One/broken.mp3": nil, ".hidden.ogg": "snodom.ogg"])
            let service = Stub { $0.title != "Snodom" }
            let result = try await AlbumIdentifier(service).identify(folder: folder).value
            #expect(Set(result.matched.map(\.file)) == ["One/First/1.ogg", "One/First/2.ogg"])
            #expect(result.unmatched.map(\.file) == ["Two/Second/1.ogg"])
            #expect(result.failed.map(\.file) == ["One/broken.mp3"])
            #expect(result.failed.first?.code == "assetUnreadable")
            #expect(result.fileCount == 4)
        }
    }

    @Test(
        "what is asked of a file holds its sound, its tags, its names and its length",
        .requirements("R-MC-093", "R-MC-098")
    )
    func evidence() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["One/First/1.ogg": "cold-day.ogg"])
            let service = Stub()
            _ = try await AlbumIdentifier(service).identify(folder: folder).value
            let file = try #require(service.queries.first?.files.first)
            #expect(file.path == ["One", "First", "1.ogg"])
            #expect((file.title, file.artist) == ("Cold Day", "Paul Shuler (Macroform)"))
            #expect(file.duration.map { abs($0.seconds - 80) < 0.1 } == true)
            let signature = try #require(file.signature)
            #expect((19.9...21.5).contains(signature.duration.seconds) && !signature.isEmpty)
            // The same of an MP3, which is as short as two seconds.
            let tagged = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/tagged.mp3")
            let copy = folder.appendingPathComponent("Two/Second/3.mp3")
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(at: tagged, to: copy)
            _ = try await AlbumIdentifier(service).identify(files: [copy]).value
            let other = try #require(service.queries.last?.files.first)
            #expect(other.path == ["Two", "Second", "3.mp3"])
            #expect((other.title, other.artist) == ("夜の音 “Earshot”", "音楽家"))
            #expect(other.album == "テストの歌" && other.signature?.isEmpty == false)
        }
    }

    @Test("a file below a folder that cannot be decoded is asked for by its tags", .requirements("R-MC-087"))
    func undecodable() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["notes.txt": nil])
            let locked = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/protected.mp4")
            try FileManager.default.copyItem(at: locked, to: folder.appendingPathComponent("locked.mp4"))
            let service = Stub()
            let result = try await AlbumIdentifier(service).identify(folder: folder).value
            #expect(result.matched.map(\.file) == ["locked.mp4"] && result.fileCount == 1)
            let file = try #require(service.queries.first?.files.first)
            #expect(file.title == "夜の音 “Earshot”" && file.signature == nil)
        }
    }

    @Test(
        "each kind of evidence can be left out, and without sound nothing is decoded",
        .requirements("R-MC-095", "R-MC-097"),
        arguments: [AlbumEvidence.sound, .tags, .names]
    )
    func switches(kind: AlbumEvidence) async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["One/First/1.ogg": "cold-day.ogg"])
            let service = Stub()
            var options = AlbumIdentifier.Options()
            options.evidence.remove(kind)
            _ = try await AlbumIdentifier(service, options: options).identify(folder: folder).value
            let file = try #require(service.queries.first?.files.first)
            #expect((file.signature == nil) == (kind == .sound))
            for text in [file.title, file.artist] { #expect((text == nil) == (kind == .tags)) }
            #expect(file.path.isEmpty == (kind == .names))
        }
    }

    @Test("two albums in two folders are two questions", .requirements("R-MC-100"))
    func questions() async throws {
        let service = Stub()
        let files = ["One", "Two"].flatMap { (artist: String) in
            (1...6).map { (number: Int) in
                var file = FileAttributes(id: "\(artist)/\(artist)'s/\(number).mp3")
                file.path = [artist, "\(artist)'s", "\(number).mp3"]
                (file.artist, file.album, file.title, file.trackNumber) = (artist, "\(artist)'s", "T\(number)", number)
                return file
            }
        }
        let result = try await AlbumIdentifier(service).identify(files).value
        #expect(service.queries.count == 2)
        #expect(result.queryCount == 2)
        #expect(result.matched.count == 12)
    }

    @Test("lists of one and of fifty files are done", .requirements("R-MC-089"), arguments: [1, 50])
    func lists(count: Int) async throws {
        try await withTemporaryFolder { folder in
            let names = (1...count).map { "\($0).ogg" }
            try fill(folder, Dictionary(uniqueKeysWithValues: names.map { ($0, "win-game.ogg" as String?) }))
            var options = AlbumIdentifier.Options()
            options.evidence.remove(.sound)
            let identifier = AlbumIdentifier(Stub(), options: options)
            let result = try await identifier.identify(files: names.map { folder.appendingPathComponent($0) }).value
            #expect(result.matched.count == count)
        }
    }

    @Test("all fields of a list of attributes are asked for as they are", .requirements("R-MC-091"))
    func attributes() async throws {
        var file = TestLibrary.file(3)
        (file.fingerprint, file.trackID, file.albumID) = ("AQAA", "t", "a")
        file.identifiers = Set([MusicIdentifier(.isrc, "GBAYE0601498")].compactMap(\.self))
        let service = Stub()
        let result = try await AlbumIdentifier(service).identify([file]).value
        #expect(service.queries == [AlbumQuery([file])])
        #expect(result.matched.map(\.file) == [file.id])
    }

    /// A piece of a device's library.
    private struct Item: LibraryItem {
        let attributes: FileAttributes
        let sound: Result<AudioBuffer?, EarshotError>
        /// Called when somebody wants to listen.
        var onOpen: @Sendable () -> Void = {}

        struct Sound: AudioSource {
            typealias Element = AudioBlock
            let buffer: AudioBuffer

            func makeAsyncIterator() -> Iterator { Iterator(rest: [AudioBlock(buffer, at: .zero)]) }

            struct Iterator: AsyncIteratorProtocol {
                var rest: [AudioBlock]

                mutating func next() async throws -> AudioBlock? { rest.popLast() }
            }
        }

        func audio() async throws(EarshotError) -> (any AudioSource)? {
            onOpen()
            return try sound.get().map { Sound(buffer: $0) }
        }
    }

    @Test("without fingerprints no item of a library is opened", .requirements("R-MC-097"))
    func silence() async throws {
        let samples = SyntheticMusic(seed: 8, duration: 5).samples(sampleRate: 44_100)
        let buffer = AudioBuffer(samples, sampleRate: 44_100, channelCount: 1)
        for evidence in [AlbumEvidence.all, .all.subtracting([.sound, .fingerprints])] {
            let opened = Mutex(0)
            var attributes = FileAttributes(id: "item")
            attributes.title = "Title"
            let item = Item(attributes: attributes, sound: .success(buffer)) { opened.withLock { $0 += 1 } }
            var options = AlbumIdentifier.Options()
            options.evidence = evidence
            let service = Stub()
            _ = try await AlbumIdentifier(service, options: options).identify(items: [item]).value
            let count = opened.withLock { $0 }
            #expect(count == (evidence == .all ? 1 : 0))
            #expect((service.queries.first?.files.first?.signature == nil) == (evidence != .all))
        }
    }

    @Test("pieces of a library each have an answer, whether they can be listened to or not", .requirements("R-MC-090"))
    func items() async throws {
        let samples = SyntheticMusic(seed: 8, duration: 5).samples(sampleRate: 44_100)
        let buffer = AudioBuffer(samples, sampleRate: 44_100, channelCount: 1)
        let sounds: [Result<AudioBuffer?, EarshotError>] = [
            .success(buffer), .success(nil), .failure(EarshotError(.fileAccessDenied, "A call is coming in.")),
        ]
        let items = sounds.enumerated().map { number, sound in
            var attributes = FileAttributes(id: "item \(number)")
            attributes.title = "Title \(number)"
            return Item(attributes: attributes, sound: sound)
        }
        let service = Stub { $0.title != "Title 1" }
        let result = try await AlbumIdentifier(service).identify(items: items).value
        #expect(result.matched.map(\.file) == ["item 0", "item 2"])
        #expect(result.unmatched.map(\.file) == ["item 1"])
        let asked = try #require(service.queries.first?.files)
        #expect(asked.map { $0.signature != nil } == [true, false, false])
    }

    @Test(
        "reading is told file by file, then each question, then the end, and the result once behind it",
        .requirements("R-MC-043", "R-MC-102")
    )
    func events() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, tree.mapValues { $0 as String? })
            let operation = AlbumIdentifier(Stub()).identify(folder: folder)
            var events: [AlbumEvent] = []
            for await event in operation.events { events.append(event) }
            #expect(
                events == [
                    .reading(1, of: 3), .reading(2, of: 3), .reading(3, of: 3), .querying(1, of: 2),
                    .querying(2, of: 2),
                    .done,
                ]
            )
            // One result holds what both questions were answered.
            let result = try await operation.value
            #expect(result.queryCount == 2 && result.matched.count == 3)
        }
    }

    /// Takes its time, and notes how many questions are under way at once.
    private final class Slow: AlbumRecognitionService {
        let albumQueryLimit = 10
        private let running = Mutex((now: 0, most: 0))

        var most: Int { running.withLock { $0.most } }

        func identify(
            _ query: AlbumQuery,
            _ preferences: ContentPreferences
        ) async throws(EarshotError) -> [FileDecision] {
            running.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            for _ in 0..<50 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return query.files.map { FileDecision(file: $0.id) }
        }
    }

    @Test("one identification waits for another", .requirements("R-MC-113", "R-MC-114"))
    func turns() async throws {
        let service = Slow()
        let identifier = AlbumIdentifier(service)
        let operations = (0..<5).map { identifier.identify([FileAttributes(id: "\($0)")]) }
        operations[3].cancel()
        for (number, operation) in operations.enumerated() where number != 3 {
            let result = try await operation.value
            #expect(result.unmatched.map(\.file) == ["\(number)"])
        }
        let error = await #expect(throws: EarshotError.self) { try await operations[3].value }
        #expect(error?.code == .cancelled)
        #expect(service.most == 1)
    }

    /// Searches a part of its catalog, until it is told that all of it is there.
    private final class Partial: AlbumRecognitionService {
        let albumQueryLimit = 100
        let isWhole = Mutex(false)

        func identify(
            _ query: AlbumQuery,
            _ preferences: ContentPreferences
        ) async throws(EarshotError) -> [FileDecision] {
            query.files.map { FileDecision(file: $0.id) }
        }

        func answer(to query: AlbumQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> AlbumAnswer {
            let searched = isWhole.withLock(\.self) ? nil : SearchedPart(references: 3, of: 4)
            return AlbumAnswer(try await identify(query, preferences), searched: searched)
        }
    }

    @Test("what a part of the catalog decided is asked again")
    func partial() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["1.ogg": "warm-ink.ogg"])
            let service = Partial()
            let identifier = AlbumIdentifier(service, cache: try SQLiteLibraryCache.inMemory())
            for _ in 0..<2 { #expect(try await identifier.identify(folder: folder).value.queryCount == 1) }
            service.isWhole.withLock { $0 = true }
            #expect(try await identifier.identify(folder: folder).value.queryCount == 1)
            #expect(try await identifier.identify(folder: folder).value.queryCount == 0)
        }
    }

    @Test("a second run reads and asks for what is new only")
    func again() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, tree.mapValues { $0 as String? })
            let cache = try SQLiteLibraryCache.inMemory()
            let service = Stub()
            let identifier = AlbumIdentifier(service, cache: cache)
            let first = try await identifier.identify(folder: folder).value
            #expect(first.queryCount == 2)
            let operation = identifier.identify(folder: folder)
            var events: [AlbumEvent] = []
            for await event in operation.events { events.append(event) }
            let second = try await operation.value
            #expect(second.queryCount == 0)
            #expect(second.matched == first.matched)
            #expect(events.first == .reading(3, of: 3))
            try fill(folder, ["Two/Second/2.ogg": "win-game.ogg"])
            #expect(try await identifier.identify(folder: folder).value.queryCount == 1)
            // Whoever is asked next may know something else.
            var options = AlbumIdentifier.Options()
            options.scope = "another"
            let other = AlbumIdentifier(service, options: options, cache: cache)
            #expect(try await other.identify(folder: folder).value.queryCount == 2)
        }
    }

    @Test("a fresh run reads and asks for everything, and keeps what came of it")
    func fresh() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, tree.mapValues { $0 as String? })
            let cache = try SQLiteLibraryCache.inMemory()
            let service = Stub()
            _ = try await AlbumIdentifier(service, cache: cache).identify(folder: folder).value
            var options = AlbumIdentifier.Options()
            options.isFresh = true
            let operation = AlbumIdentifier(service, options: options, cache: cache).identify(folder: folder)
            var events: [AlbumEvent] = []
            for await event in operation.events { events.append(event) }
            #expect(try await operation.value.queryCount == 2)
            #expect(events.first == .reading(1, of: 3))
            #expect(try await AlbumIdentifier(service, cache: cache).identify(folder: folder).value.queryCount == 0)
        }
    }

    @Test("a question without an answer takes its files with it and no others; a service that is gone is told")
    func failing() async throws {
        func files(_ count: Int) -> [FileAttributes] {
            (1...count).map { number in
                var file = FileAttributes(id: "\(number)")
                file.path = ["folder \(number)", "\(number).mp3"]
                return file
            }
        }
        let flaky = Stub(failing: { $0.files.first?.id == "3" ? EarshotError(.timedOut, "Too late.") : nil })
        let result = try await AlbumIdentifier(flaky).identify(files(9)).value
        #expect(result.failed.map(\.file) == ["3"] && result.failed.first?.code == "timedOut")
        #expect(result.matched.count + result.unmatched.count == 8)
        let gone = Stub(failing: { _ in EarshotError(.networkUnavailable, "There is no network.") })
        let error = await #expect(throws: EarshotError.self) {
            try await AlbumIdentifier(gone).identify(files(9)).value
        }
        #expect(error?.code == .networkUnavailable && gone.queries.count == 3)
        let going = Stub(failing: {
            Int($0.files.first?.id ?? "") ?? 0 > 2 ? EarshotError(.serviceBusy, "Later.") : nil
        })
        let rest = try await AlbumIdentifier(going).identify(files(9)).value
        #expect(rest.failed.count == 7 && rest.fileCount == 9 && going.queries.count == 5)
    }

    @Test("two collections with files of equal names are told apart, and one is known by another way to it")
    func collections() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["a/Album/1.ogg": "cold-day.ogg", "b/Album/1.ogg": "snodom.ogg"])
            let written = Date(timeIntervalSince1970: 1_700_000_000)
            for name in ["a", "b"] {
                let path = folder.appendingPathComponent("\(name)/Album/1.ogg").path
                // Equal lengths as well: what stands behind the last page is not looked at.
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.truncate(atOffset: 640_000)
                try handle.close()
                try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: path)
            }
            let service = Stub()
            let identifier = AlbumIdentifier(service, cache: try SQLiteLibraryCache.inMemory())
            let first = try await identifier.identify(folder: folder.appendingPathComponent("a")).value
            let second = try await identifier.identify(folder: folder.appendingPathComponent("b")).value
            #expect(second.queryCount == 1)
            #expect(first.attributes["Album/1.ogg"]?.title != second.attributes["Album/1.ogg"]?.title)
            let operation = identifier.identify(folder: folder)
            var events: [AlbumEvent] = []
            for await event in operation.events { events.append(event) }
            #expect(events.first == .reading(2, of: 2))
            #expect(Set(try await operation.value.matched.map(\.file)) == ["a/Album/1.ogg", "b/Album/1.ogg"])
        }
    }

    @Test("files that are given by themselves are named as they were given, with the folders of artist and album")
    func named() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, tree.mapValues { $0 as String? })
            let url = folder.appendingPathComponent("One/First/1.ogg")
            let service = Stub()
            let result = try await AlbumIdentifier(service).identify(files: [url]).value
            #expect(result.matched.map(\.file) == [url.path])
            #expect(result.urls == [url.path: url])
            #expect(service.queries.first?.files.first?.path == ["One", "First", "1.ogg"])
        }
    }

    @Test("a folder without music is named")
    func empty() async throws {
        try await withTemporaryFolder { folder in
            try fill(folder, ["notes.txt": nil])
            let error = await #expect(throws: EarshotError.self) {
                try await AlbumIdentifier(Stub()).identify(folder: folder).value
            }
            #expect(error?.code == .assetNotFound && error?.message.contains(folder.lastPathComponent) == true)
        }
    }

    @Test("a folder that is not there, and two files of one name, are refused")
    func refused() async throws {
        let identifier = AlbumIdentifier(Stub())
        let missing = await #expect(throws: EarshotError.self) {
            try await identifier.identify(folder: URL(fileURLWithPath: "/no/such/folder")).value
        }
        #expect(missing?.code == .assetNotFound)
        let doubled = await #expect(throws: EarshotError.self) {
            try await identifier.identify([FileAttributes(id: "1"), FileAttributes(id: "1")]).value
        }
        #expect(doubled?.code == .requestInvalid)
    }
}
