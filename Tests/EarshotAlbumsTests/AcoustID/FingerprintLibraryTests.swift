import EarshotAlbums
import EarshotCatalogs
import EarshotCore
import EarshotMetadata
import EarshotSQLite
import Foundation
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
        submission.recording = recording
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
            let states = try await store.states(ofSubmissions: numbers)
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
            let links = try await store.links(of: tracks.compactMap(\.self))
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
            #expect(try await store.unindexedFingerprints(limit: 10).isEmpty)
            // A new index gets all of them, though the store has noted that there was one that had them.
            let other = try FingerprintIndex(at: folder.appendingPathComponent("other"), access: .writing)
            let again = FingerprintLibrary(index: other, store: store)
            try await again.importPending()
            #expect(try again.matches(for: fingerprint).count == 1)
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
            let states = try await store.states(ofSubmissions: numbers)
            #expect(states[numbers[0]] == .refused)
            #expect(try await store.counts().tracks == 1)
        }
    }

    @Test("a file of which nothing but its fingerprint is known is found on the albums of its recording")
    func hearing() async throws {
        try await withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 12)
            let music = try await TestLibrary.store()
            var salt = TestLibrary.track(6, on: "rail")
            salt.identifiers = [try #require(CatalogueIdentifier(.musicBrainzRecording, recording.text))]
            try await music.apply([.track(salt)])
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let store = try SQLiteFingerprintStore.inMemory()
            let library = FingerprintLibrary(index: index, store: store)
            let known = try random.fingerprint(count: 900)
            var wrong = submission(known, by: "one")
            wrong.recording = UUID()
            let right = (0..<12).map { submission(known, by: "user \($0)") }
            _ = try await store.submit(right + [wrong])
            try await library.importPending()
            let hearing = library.hearing(in: music)

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
            let other = try #require(wrong.recording)
            let lone = try #require(CatalogueIdentifier(.musicBrainzRecording, other.text))
            var boats = TestLibrary.track(2, on: "rail")
            boats.identifiers = [lone]
            try await music.apply([.track(boats)])
            file.fingerprint = known.text
            #expect(Array(try await hearing(file).keys) == ["rail-1-6"])
        }
    }
}
