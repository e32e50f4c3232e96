@testable import EarshotAlbums
import EarshotCatalogs
import EarshotCore
@testable import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Fingerprints and their tracks")
struct FingerprintLibraryTests {
    private let recording = UUID()

    private func submission(
        _ fingerprint: FileFingerprint,
        by submitter: String = "someone"
    ) -> FingerprintSubmission {
        var submission = FingerprintSubmission(
            fingerprint: fingerprint.text,
            duration: Int(fingerprint.duration.seconds),
            application: "app",
            submitter: submitter,
            date: Date(timeIntervalSince1970: 1_800_000_000)
        )
        submission.recordings = [recording]
        return submission
    }

    @Test("what was submitted is found, and joins what is like it")
    func submitting() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 11)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            let first = try random.fingerprint(count: 900)
            let second = try random.damaged(first, bits: 2)
            let strange = try random.fingerprint(count: 900)
            #expect(try library.matches(for: first).isEmpty)
            let numbers = try await store.submit([
                submission(first), submission(second, by: "other"), submission(strange), submission(first),
            ])
            #expect(try await library.importPending() == 4)
            #expect(try await library.importPending() == 0)
            let states = try await library.states(ofSubmissions: numbers)
            let tracks = numbers.map { number -> UUID? in
                if case .imported(let track) = states[number] { track } else { nil }
            }
            #expect(tracks[0] != nil)
            #expect(tracks[1] == tracks[0])
            #expect(tracks[2] != tracks[0])
            #expect(tracks[3] == tracks[0])
            let results = try await library.results(of: try library.matches(for: second))
            #expect(results.first?.track == tracks[0])
            #expect(results.count == 1)
            let counts = try await store.counts()
            #expect((counts.tracks, counts.fingerprints, counts.pending) == (2, 3, 0))
            let links = try await store.links(of: tracks.compactMap(\.self), limit: 9)
            #expect(links[try #require(tracks[0])]?.map(\.sources) == [2])
        }
    }

    @Test("an index that was lost with the store still there is made again")
    func madeAgain() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 12)
            let store = try SQLiteFingerprintStore.inMemory()
            let fingerprint = try random.fingerprint(count: 900)
            let number = try await store.submit([submission(fingerprint)])
            // As after an end between the two: the store has it and the index does not.
            let track = UUID()
            #expect(try await store.complete(submission: number[0], .begin(track)) != nil)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let library = FingerprintLibrary(index: index, store: store)
            try await library.importPending()
            let results = try await library.results(of: try library.matches(for: fingerprint))
            #expect(results.map(\.track) == [track])
            #expect(try await library.states(ofSubmissions: number) == [number[0]: .imported(track)])
            // A new index gets all of them, and the other stays as it is.
            let other = try FingerprintIndex(at: folder.appendingPathComponent("other"), access: .writing)
            let again = FingerprintLibrary(index: other, store: store)
            #expect(try await again.states(ofSubmissions: number) == [number[0]: .pending])
            try await again.importPending()
            #expect(try again.matches(for: fingerprint).count == 1)
            #expect(try await again.updateIndex() == 1)
            #expect(try await library.updateIndex() == 1)
        }
    }

    @Test("indexes of several nodes follow one store, each from where it is")
    func nodes() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 19)
            let store = try SQLiteFingerprintStore.inMemory()
            func library(_ name: String) throws -> FingerprintLibrary {
                let index = try FingerprintIndex(at: folder.appendingPathComponent(name), access: .writing)
                return FingerprintLibrary(index: index, store: store)
            }
            let (importing, following) = (try library("a"), try library("b"))
            let songs = try (0..<3).map { _ in try random.fingerprint(count: 900) }
            var numbers: [Int] = []
            for song in songs {
                numbers += try await store.submit([submission(song)])
                try await importing.importPending()
                let state = try await importing.states(ofSubmissions: numbers)
                // Found here, and not yet there.
                #expect(state.values.allSatisfy { if case .imported = $0 { true } else { false } })
                #expect(try await following.states(ofSubmissions: numbers)[numbers[numbers.count - 1]] == .pending)
                #expect(try following.matches(for: song).isEmpty)
                #expect(try await following.updateIndex() == numbers.count)
                #expect(try following.matches(for: song).count == 1)
                #expect(try await following.states(ofSubmissions: numbers) == state)
            }
            // Each counted once: nobody adds what was added.
            #expect((importing.index.count, following.index.count) == (3, 3))
            // Imports may move from node to node.
            numbers += try await store.submit([submission(try random.damaged(songs[0], bits: 2))])
            try await following.importPending()
            #expect(try await importing.updateIndex() == 4)
            #expect(try await store.counts().tracks == 3)
        }
    }

    @Test("an index that has more than its store, which was put back by hand, is made again")
    func olderStore() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 20)
            let (first, second) = (try random.fingerprint(count: 900), try random.fingerprint(count: 900))
            let url = folder.appendingPathComponent("store.sqlite")
            let copy = folder.appendingPathComponent("copy.sqlite")
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            do {
                let store = try SQLiteFingerprintStore(url: url)
                try await store.backup(to: copy)
                _ = try await store.submit([submission(first)])
                try await FingerprintLibrary(index: index, store: store).importPending()
            }
            let library = FingerprintLibrary(index: index, store: try SQLiteFingerprintStore(url: copy))
            #expect(try await library.updateIndex() == 0)
            _ = try await library.store.submit([submission(second)])
            try await library.importPending()
            #expect(try library.matches(for: first).isEmpty)
            #expect(try library.matches(for: second).map(\.id) == [1])
        }
    }

    @Test(
        "where a standby that lagged takes over, what it has is found at once, and what it lost no longer",
        arguments: [false, true]
    )
    func laggingStore(givesNumbersAgain: Bool) async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 22)
            let songs = try (0..<5).map { _ in try random.fingerprint(count: 900) }
            let (primary, standby) = (
                folder.appendingPathComponent("a.sqlite"), folder.appendingPathComponent("b.sqlite")
            )
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            do {
                let library = FingerprintLibrary(index: index, store: try SQLiteFingerprintStore(url: primary))
                for (number, song) in songs.prefix(4).enumerated() {
                    if number == 2 { try await SQLiteFingerprintStore(url: primary).backup(to: standby) }
                    _ = try await library.store.submit([submission(song)])
                    try await library.importPending()
                }
                #expect(index.count == 4)
            }
            let segments = index.snapshot.manifest.entries.prefix(2)
            let store = try SQLiteFingerprintStore(url: standby)
            if givesNumbersAgain {
                let other = try FingerprintIndex(at: folder.appendingPathComponent("other"), access: .writing)
                for song in [songs[4], songs[2]] {
                    _ = try await store.submit([submission(song)])
                    try await FingerprintLibrary(index: other, store: store).importPending()
                }
            }
            let library = FingerprintLibrary(index: index, store: store)
            #expect(try await library.updateIndex() == (givesNumbersAgain ? 4 : 2))
            for (number, song) in songs.prefix(2).enumerated() {
                #expect(try library.matches(for: song).map(\.id) == [UInt64(number) + 1])
            }
            #expect(try library.matches(for: songs[2]).map(\.id) == (givesNumbersAgain ? [4] : []))
            #expect(try library.matches(for: songs[3]).isEmpty)
            #expect(try library.matches(for: songs[4]).map(\.id) == (givesNumbersAgain ? [3] : []))
            // It was not made again.
            #expect(Array(index.snapshot.manifest.entries.prefix(2)) == Array(segments))
        }
    }

    @Test("a fingerprint that the index cannot take is passed over once")
    func passedOver() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 21)
            let store = try SQLiteFingerprintStore.inMemory()
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let library = FingerprintLibrary(index: index, store: store)
            var damaged = submission(try random.fingerprint(count: 900))
            damaged.fingerprint = "AQAA"
            let numbers = try await store.submit([damaged])
            let track = UUID()
            _ = try await store.complete(submission: numbers[0], .begin(track))
            #expect(try await library.updateIndex() == 0)
            #expect(try await library.states(ofSubmissions: numbers) == [numbers[0]: .imported(track)])
        }
    }

    @Test("submissions that cannot be read are refused and do not stop the others")
    func refused() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 13)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            var damaged = submission(try random.fingerprint(count: 900))
            damaged.fingerprint = "AQAA"
            let numbers = try await store.submit([damaged, submission(try random.fingerprint(count: 900))])
            try await library.importPending()
            let states = try await library.states(ofSubmissions: numbers)
            #expect(states[numbers[0]] == .refused)
            #expect(try await store.counts().tracks == 1)
        }
    }

    @Test("an index of another store, or of what was there before a backup was put back, is made again")
    func otherStore() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 14)
            let (first, second) = (try random.fingerprint(count: 900), try random.fingerprint(count: 900))
            let url = folder.appendingPathComponent("store.sqlite")
            let copy = folder.appendingPathComponent("copy.sqlite")
            let place = folder.appendingPathComponent("prints")
            func library() throws -> FingerprintLibrary {
                FingerprintLibrary(
                    index: try FingerprintIndex(at: place, access: .writing),
                    store: try SQLiteFingerprintStore(url: url)
                )
            }
            do {
                let library = try library()
                let store = try SQLiteFingerprintStore(url: url)
                try await store.backup(to: copy)
                _ = try await store.submit([submission(first)])
                try await library.importPending()
                #expect(try library.matches(for: first).map(\.id) == [1])
            }
            try await SQLiteFingerprintStore.restore(copy, to: url)
            let library = try library()
            _ = try await library.store.submit([submission(second)])
            try await library.importPending()
            // The number stands for another fingerprint now.
            #expect(try library.matches(for: first).isEmpty)
            #expect(try library.matches(for: second).map(\.id) == [1])
            #expect(library.index.owner == (try await library.store.id()))
            #expect(try await library.remakeIndex() == 1)
            #expect(try library.matches(for: second).map(\.id) == [1])
        }
    }

    @Test("a fingerprint of a track with many joins the one that it is like, however late that came")
    func manyOfOne() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 15)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            let original = try random.fingerprint(count: 900)
            // Each is like the original, and none so like another that it is the same.
            let many = try (0..<40).map { _ in try random.damaged(original, bits: 1.2) }
            _ = try await store.submit(many.enumerated().map { submission($1, by: "user \($0)") })
            try await library.importPending()
            let before = try await store.counts()
            #expect((before.tracks, before.fingerprints) == (1, 40))
            // The last of them once more, by somebody else.
            _ = try await store.submit([submission(many[39], by: "other")])
            try await library.importPending()
            #expect(try await store.counts().fingerprints == 40)
            #expect(try await store.fingerprint(40)?.submissions == 2)
        }
    }

    @Test("what is imported together goes to the index together, and each sees those before it")
    func together() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 16)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store, patience: .seconds(3_600))
            let songs = try (0..<6).map { _ in try random.fingerprint(count: 900) }
            let sent = try songs + songs.map { try random.damaged($0, bits: 2) } + songs
            _ = try await store.submit(sent.enumerated().map { submission($1, by: "user \($0)") })
            try await library.importPending()
            let counts = try await store.counts()
            #expect((counts.tracks, counts.fingerprints) == (6, 12))
            #expect(index.count == 12)
            // A segment each would have become fewer than four only by merging.
            #expect(index.segmentCount < 4)
        }
    }

    @Test("an import ends between two submissions when its task is canceled, and goes on with the next call")
    func cancelling() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 17)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let running = Mutex<Task<EarshotError?, Never>?>(nil)
            let made = Mutex(0)
            let library = FingerprintLibrary(index: index, store: store) {
                let count = made.withLock { made in
                    made += 1
                    return made
                }
                if count == 3 { running.withLock { $0?.cancel() } }
                return UUID()
            }
            _ = try await store.submit(try (0..<12).map { _ in submission(try random.fingerprint(count: 300)) })
            let task = Task<EarshotError?, Never> {
                // It waits until it can be canceled.
                while running.withLock({ $0 == nil }) { await Task.yield() }
                do throws(EarshotError) {
                    try await library.importPending()
                    return nil
                } catch {
                    return error
                }
            }
            running.withLock { $0 = task }
            #expect(await task.value?.code == .cancelled)
            #expect(try await store.counts().pending >= 9)
            try await library.importPending()
            #expect(try await store.counts().pending == 0)
            #expect(index.count == 12)
        }
    }

    @Test("fingerprints of a day cost no more than others", .timeLimit(.minutes(1)))
    func long() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 18)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            let original = try random.fingerprint(count: 200_000)
            let sent = try (0..<4).map { _ in try random.damaged(original, bits: 1) }
            _ = try await store.submit(sent.enumerated().map { submission($1, by: "user \($0)") })
            try await library.importPending()
            let counts = try await store.counts()
            #expect((counts.tracks, counts.fingerprints) == (1, 4))
        }
    }

    @Test("a file of which nothing but its fingerprint is known is found on the albums of its recording")
    func hearing() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 12)
            let music = try await TestLibrary.store()
            var salt = TestLibrary.track(6, on: "rail")
            salt.identifiers = [try #require(MusicIdentifier(.musicBrainzRecording, recording.text))]
            try await music.apply([.track(salt)])
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            let known = try random.fingerprint(count: 900)
            var wrong = submission(known, by: "one")
            wrong.recordings = [UUID()]
            let right = (0..<12).map { submission(known, by: "user \($0)") }
            _ = try await store.submit(right + [wrong])
            try await library.importPending()
            let hearing = library.trackScoring(in: music)

            var file = FileAttributes(id: "track.flac")
            file.duration = known.duration
            file.fingerprint = try random.damaged(known, bits: 2).text
            let heard = try await hearing(file)
            #expect(Array(heard.keys) == ["rail-1-6"])
            #expect((heard["rail-1-6"] ?? 0) > 0.8)

            file.fingerprint = try random.fingerprint(count: 900).text
            #expect(try await hearing(file).isEmpty)
            file.fingerprint = "no fingerprint"
            #expect(try await hearing(file).isEmpty)

            // What a single person said against twelve does not count.
            let said = try #require(wrong.recordings.first).text
            let lone = try #require(MusicIdentifier(.musicBrainzRecording, said))
            var boats = TestLibrary.track(2, on: "rail")
            boats.identifiers = [lone]
            try await music.apply([.track(boats)])
            file.fingerprint = known.text
            #expect(Array(try await hearing(file).keys) == ["rail-1-6"])
        }
    }
}
