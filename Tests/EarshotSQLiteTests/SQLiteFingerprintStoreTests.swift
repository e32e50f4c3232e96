import EarshotCore
import EarshotFingerprints
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("Fingerprints in SQLite")
struct SQLiteFingerprintStoreTests {
    private let one = UUID()
    private let two = UUID()
    private let three = UUID()
    private let song = UUID()
    private let cover = UUID()

    private func submission(_ text: String, _ submitter: String, _ recording: UUID?) -> FingerprintSubmission {
        var submission = FingerprintSubmission(
            fingerprint: text,
            duration: 200,
            application: "app",
            submitter: submitter,
            date: Date(timeIntervalSince1970: 1_800_000_000)
        )
        submission.recordings = [recording].compactMap(\.self)
        return submission
    }

    /// Three tracks with a fingerprint each.
    private func fill(_ store: SQLiteFingerprintStore) async throws -> [Int] {
        var second = submission("b", "ann", song)
        second.metadata = SubmittedMetadata()
        second.metadata?.track = "Song"
        second.foreignID = "vendor:7"
        second.puid = UUID(uuidString: "00000000-0000-4000-8000-000000000001")
        let numbers = try await store.submit([submission("a", "ann", song), second, submission("c", "bob", cover)])
        for (number, track) in zip(numbers, [one, two, three]) {
            #expect(try await store.complete(submission: number, .begin(track))?.track == track)
        }
        return numbers
    }

    @Test("submissions wait in order, are imported once, and tell their track")
    func submissions() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        let numbers = try await store.submit([submission("a", "ann", song), submission("b", "ann", nil)])
        #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20).map(\.number) == numbers)
        #expect(try await store.pendingSubmissions(limit: 1, byteLimit: 1 << 20).map(\.submission.fingerprint) == ["a"])
        #expect(try await store.states(ofSubmissions: numbers + [99]) == [numbers[0]: .pending, numbers[1]: .pending])
        let added = try #require(try await store.complete(submission: numbers[0], .begin(one)))
        #expect((added.text, added.duration, added.submitter, added.submissions) == ("a", 200, "ann", 1))
        // A second time nothing happens.
        #expect(try await store.complete(submission: numbers[0], .begin(two)) == nil)
        #expect(try await store.complete(submission: numbers[1], .refuse) == nil)
        // It is told only when it can be found.
        #expect(
            try await store.states(ofSubmissions: numbers) == [numbers[0]: .pending, numbers[1]: .refused]
        )
        try await store.markIndexed([added.number])
        #expect(
            try await store.states(ofSubmissions: numbers) == [numbers[0]: .imported(one), numbers[1]: .refused]
        )
        #expect(try await store.counts().tracks == 1)
        #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20).isEmpty)
    }

    @Test("a source counts once, however often it says something")
    func sources() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        _ = try await fill(store)
        let more = try await store.submit([
            submission("a", "ann", song), submission("a", "bob", song), submission("a", "bob", cover),
        ])
        let number = try #require(try await store.fingerprints(of: [one], limit: 9).first?.number)
        for submission in more {
            let decision = FingerprintDecision.join(one, same: number, absorbing: [])
            #expect(try await store.complete(submission: submission, decision) == nil)
        }
        let links = try await store.links(of: [one, three, UUID()], limit: 9)
        #expect(
            links[one] == [RecordingLink(recording: song, sources: 2), RecordingLink(recording: cover, sources: 1)]
        )
        #expect(links[three] == [RecordingLink(recording: cover, sources: 1)])
        #expect(links.count == 2)
        #expect(try await store.fingerprint(number)?.submissions == 4)
        #expect(try await store.counts().fingerprints == 3)
    }

    @Test("a merged track leads to the other, over any number of steps, with all that was said of it")
    func merging() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        let numbers = try await fill(store)
        try await store.markIndexed([1, 2, 3])
        let more = try await store.submit([submission("d", "bob", song), submission("e", "eve", nil)])
        _ = try await store.complete(submission: more[0], .join(one, same: nil, absorbing: [two]))
        #expect(try await store.track(two) == one)
        _ = try await store.complete(submission: more[1], .join(three, same: nil, absorbing: [one]))
        for id in [one, two, three] { #expect(try await store.track(id) == three) }
        #expect(try await store.track(UUID()) == nil)
        #expect(try await store.fingerprints(of: [two, three], limit: 9).map(\.text) == ["a", "b", "c", "d", "e"])
        #expect(try await store.fingerprints(of: [three], limit: 2).map(\.text) == ["a", "b"])
        #expect(try await store.states(ofSubmissions: [numbers[1]]) == [numbers[1]: .imported(three)])
        let links = try #require(try await store.links(of: [two], limit: 9)[two])
        #expect(links.map(\.recording) == [song, cover])
        #expect(links.map(\.sources) == [2, 1])
        #expect(try await store.metadata(of: [one], limit: 9)[one]?.map(\.track) == ["Song"])
        #expect(
            try await store.foreignIDs(of: three) == ["puid:00000000-0000-4000-8000-000000000001", "vendor:7"]
        )
        #expect(try await store.tracks(linkedTo: [song], limit: 9)[song]?.map(\.track) == [three])
        #expect(try await store.counts().tracks == 1)
        let all = try await store.fingerprints(of: [three], limit: 9).map(\.number)
        #expect(Set(try await store.tracks(ofFingerprints: all + [99]).values) == [three])
    }

    @Test("a link that is wrong is told as such")
    func disabled() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        _ = try await fill(store)
        #expect(try await store.setDisabled(true, recording: song, of: two))
        #expect(try await !store.setDisabled(true, recording: cover, of: two))
        #expect(try await store.links(of: [two], limit: 9)[two]?.map(\.isDisabled) == [true])
        let tracks = try #require(try await store.tracks(linkedTo: [song, UUID()], limit: 9)[song])
        #expect(tracks.filter(\.isDisabled).map(\.track) == [two])
        #expect(tracks.count == 2)
    }

    @Test("fingerprints that the index lacks are known until they are in it")
    func indexing() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        _ = try await fill(store)
        let missing = try await store.unindexedFingerprints(limit: 2, byteLimit: 1 << 20).map(\.number)
        #expect(missing == [1, 2])
        try await store.markIndexed(missing)
        #expect(try await store.unindexedFingerprints(limit: 2, byteLimit: 1 << 20).map(\.number) == [3])
    }

    @Test("another database is not taken for a store of fingerprints, and what was kept is there again")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            _ = try await fill(try SQLiteFingerprintStore(url: url))
            let store = try SQLiteFingerprintStore(url: url)
            #expect(try await store.counts().fingerprints == 3)
            #expect(try await store.check().isEmpty)
            try await store.backup(to: folder.appendingPathComponent("copy.sqlite"))
            #expect(
                try await SQLiteFingerprintStore(url: folder.appendingPathComponent("copy.sqlite")).counts().links == 3
            )
            let other = folder.appendingPathComponent("guide.sqlite")
            _ = try SQLiteGuideStore(url: other)
            let error = #expect(throws: EarshotError.self) { try SQLiteFingerprintStore(url: other) }
            #expect(error?.code == .storeDamaged)
        }
    }

    @Test("a fingerprint stands once, whatever it was said to be, and not with its submission when that is done")
    func size() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            let store = try SQLiteFingerprintStore(url: url)
            let text = String(repeating: "A", count: 1 << 20)
            for round in 0..<8 {
                var sent = submission(text, "ann", nil)
                sent.recordings = (0..<20).map { _ in UUID() } + [song, song]
                let number = try #require(try await store.submit([sent]).first)
                // What is refused leaves its room to the next one.
                let decision = round == 0 ? FingerprintDecision.begin(one) : .refuse
                _ = try await store.complete(submission: number, decision)
            }
            #expect(try await store.counts().links == 21)
            let copy = folder.appendingPathComponent("copy.sqlite")
            try await store.backup(to: copy)
            let bytes = try #require(try FileManager.default.attributesOfItem(atPath: copy.path)[.size] as? Int)
            #expect(bytes < 3 << 20)
        }
    }

    @Test("what is read at once is limited by its bytes, and something is read in any case")
    func bytes() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        let text = String(repeating: "A", count: 1_000)
        let numbers = try await store.submit((0..<5).map { _ in submission(text, "ann", song) })
        #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 2_500).count == 3)
        #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 0).count == 1)
        for number in numbers { _ = try await store.complete(submission: number, .begin(UUID())) }
        #expect(try await store.unindexedFingerprints(limit: 10, byteLimit: 2_500).count == 3)
        #expect(try await store.unindexedFingerprints(limit: 10, byteLimit: 0).count == 1)
        #expect(try await store.unindexedFingerprints(limit: 2, byteLimit: 1 << 20).count == 2)
    }

    @Test("of many links those are told that most people made, and disabled ones behind all others")
    func manyLinks() async throws {
        let store = try SQLiteFingerprintStore.inMemory()
        _ = try await fill(store)
        let more = try await store.submit((0..<30).map { submission("a", "user \($0)", $0 < 20 ? UUID() : cover) })
        for number in more {
            _ = try await store.complete(submission: number, .join(one, same: 1, absorbing: []))
        }
        #expect(try await store.links(of: [one], limit: 100)[one]?.count == 22)
        let links = try #require(try await store.links(of: [one], limit: 5)[one])
        #expect(links.count == 5)
        #expect(links.first == RecordingLink(recording: cover, sources: 10))
        #expect(try await store.setDisabled(true, recording: cover, of: one))
        #expect(try await store.links(of: [one], limit: 5)[one]?.contains { $0.recording == cover } == false)
        #expect(try await store.links(of: [one], limit: 100)[one]?.last?.recording == cover)
        #expect(try await store.tracks(linkedTo: [cover], limit: 1)[cover]?.count == 1)
        #expect(try await store.fingerprints([3, 1, 1, 99]).map(\.number) == [1, 3])
    }

    @Test("a store keeps its id until it is put back from a backup")
    func id() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            let id = try await SQLiteFingerprintStore(url: url).id()
            #expect(try await SQLiteFingerprintStore(url: url).id() == id)
            #expect(try await SQLiteFingerprintStore.inMemory().id() != id)
            let copy = folder.appendingPathComponent("copy.sqlite")
            try await SQLiteFingerprintStore(url: url).backup(to: copy)
            try await SQLiteFingerprintStore.restore(copy, to: url)
            #expect(try await SQLiteFingerprintStore(url: url).id() != id)
        }
    }
}
