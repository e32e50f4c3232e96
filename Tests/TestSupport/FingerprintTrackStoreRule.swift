import EarshotCore
package import EarshotFingerprints
package import Foundation
import Testing

/// A rule that every store of fingerprints keeps: the suite of each store runs all of them.
package struct FingerprintTrackStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any FingerprintTrackStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any FingerprintTrackStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any FingerprintTrackStore) async throws { try await body(store) }

    /// All rules.
    package static let all = submissions + tracks + links + following + concurrency

    // MARK: - Samples

    package static let one = UUID()
    package static let two = UUID()
    package static let three = UUID()
    package static let song = UUID()
    package static let cover = UUID()

    /// A submission of a made-up text.
    package static func submission(_ text: String, _ submitter: String, _ recording: UUID?) -> FingerprintSubmission {
        var submission = FingerprintSubmission(
            fingerprint: text,
            duration: 200,
            application: "app",
            submitter: submitter,
            date: Date(timeIntervalSince1970: 1_800_000_000.1234567)
        )
        submission.recordings = [recording].compactMap(\.self)
        return submission
    }

    /// Adds three tracks with a fingerprint each.
    ///
    /// - Returns: The numbers of their submissions.
    @discardableResult
    package static func fill(_ store: any FingerprintTrackStore) async throws -> [Int] {
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

    // MARK: - Submissions

    private static let submissions: [FingerprintTrackStoreRule] = [
        .init(name: "submissions wait in order, are imported once, and tell their track") {
            (store: any FingerprintTrackStore) async throws in
            let sent = [submission("a", "ann", song), submission("b", "ann", nil)]
            let numbers = try await store.submit(sent)
            let pending = try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20)
            #expect(pending.map(\.number) == numbers)
            #expect(pending.map(\.submission) == sent)
            #expect(
                try await store.pendingSubmissions(limit: 1, byteLimit: 1 << 20).map(\.submission.fingerprint) == ["a"]
            )
            #expect(try await store.pendingSubmissions(limit: 0, byteLimit: 1 << 20).isEmpty)
            #expect(
                try await store.states(ofSubmissions: numbers + [99], indexedThrough: 9)
                    == [numbers[0]: .pending, numbers[1]: .pending]
            )
            let added = try #require(try await store.complete(submission: numbers[0], .begin(one)))
            #expect((added.text, added.duration, added.submitter, added.submissions) == ("a", 200, "ann", 1))
            // A date comes back to the bit: it is compared for equality.
            #expect(added.date == sent[0].date)
            #expect(try await store.fingerprint(added.number) == added)
            // A second time nothing happens.
            #expect(try await store.complete(submission: numbers[0], .begin(two)) == nil)
            #expect(try await store.complete(submission: numbers[0], .refuse) == nil)
            #expect(try await store.complete(submission: numbers[1], .refuse) == nil)
            #expect(try await store.complete(submission: 99, .refuse) == nil)
            // It is told only when it can be found.
            #expect(
                try await store.states(ofSubmissions: numbers, indexedThrough: added.number - 1)
                    == [numbers[0]: .pending, numbers[1]: .refused]
            )
            #expect(
                try await store.states(ofSubmissions: numbers, indexedThrough: added.number)
                    == [numbers[0]: .imported(one), numbers[1]: .refused]
            )
            #expect(try await store.counts().tracks == 1)
            #expect(try await store.counts().pending == 0)
            #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20).isEmpty)
            #expect(try await store.submit([]).isEmpty)
        },
        .init(name: "what is read at once is limited by its bytes, and something is read in any case") {
            (store: any FingerprintTrackStore) async throws in
            let text = String(repeating: "A", count: 1_000)
            let numbers = try await store.submit((0..<5).map { _ in submission(text, "ann", song) })
            #expect(
                try await store.pendingSubmissions(limit: 10, byteLimit: 2_500).map(\.number) == Array(numbers[..<3])
            )
            #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 0).count == 1)
            for number in numbers { _ = try await store.complete(submission: number, .begin(UUID())) }
            #expect(try await store.fingerprints(after: 0, limit: 10, byteLimit: 2_500).map(\.number) == [1, 2, 3])
            #expect(try await store.fingerprints(after: 0, limit: 10, byteLimit: 0).count == 1)
            #expect(try await store.fingerprints(after: 0, limit: 2, byteLimit: 1 << 20).count == 2)
        },
        .init(name: "a submission that joins a track that is not there waits on") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let number = try #require(try await store.submit([submission("d", "ann", nil)]).first)
            for decision in [
                FingerprintDecision.join(UUID(), same: nil, absorbing: []),
                .join(one, same: nil, absorbing: [two, UUID()]),
            ] {
                let error = await #expect(throws: EarshotError.self) {
                    try await store.complete(submission: number, decision)
                }
                #expect(error?.code == .entityNotFound)
            }
            #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20).map(\.number) == [number])
            #expect(try await store.track(two) == two)
            #expect(try await store.counts().fingerprints == 3)
        },
        .init(name: "texts may be of any length, and what people write may have any character") {
            (store: any FingerprintTrackStore) async throws in
            // Random, so that no database makes it short.
            var random = SeededGenerator(seed: 7)
            let long = String(
                (0..<20_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random))) }
            )
            var sent = submission("a", "ann \(long)", song)
            sent.foreignID = "vendor:\(long)"
            sent.metadata = SubmittedMetadata()
            sent.metadata?.track = "\u{0}Lantern 朝\(long)"
            let numbers = try await store.submit([sent, sent])
            #expect(try await store.pendingSubmissions(limit: 10, byteLimit: 1 << 20).first?.submission == sent)
            let added = try #require(try await store.complete(submission: numbers[0], .begin(one)))
            #expect(added.submitter == sent.submitter)
            // What was said already is not said again.
            _ = try await store.complete(submission: numbers[1], .join(one, same: added.number, absorbing: []))
            #expect(try await store.foreignIDs(of: one) == [sent.foreignID].compactMap(\.self))
            #expect(try await store.metadata(of: [one], limit: 9)[one] == [sent.metadata].compactMap(\.self))
            #expect(try await store.links(of: [one], limit: 9)[one]?.map(\.sources) == [1])
        },
    ]

    // MARK: - Tracks

    private static let tracks: [FingerprintTrackStoreRule] = [
        .init(name: "a merged track leads to the other, over any number of steps, with all that was said of it") {
            (store: any FingerprintTrackStore) async throws in
            let numbers = try await fill(store)
            let more = try await store.submit([submission("d", "bob", song), submission("e", "eve", nil)])
            _ = try await store.complete(submission: more[0], .join(one, same: nil, absorbing: [two]))
            #expect(try await store.track(two) == one)
            _ = try await store.complete(submission: more[1], .join(three, same: nil, absorbing: [one]))
            for id in [one, two, three] { #expect(try await store.track(id) == three) }
            #expect(try await store.track(UUID()) == nil)
            #expect(try await store.fingerprints(of: [two, three], limit: 9).map(\.text) == ["a", "b", "c", "d", "e"])
            #expect(try await store.fingerprints(of: [three], limit: 2).map(\.text) == ["a", "b"])
            #expect(
                try await store.states(ofSubmissions: [numbers[1]], indexedThrough: 3) == [numbers[1]: .imported(three)]
            )
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
        },
        .init(name: "several tracks are merged in one step, and a track that is merged already stays where it is") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let more = try await store.submit((0..<2).map { submission("d\($0)", "bob", nil) })
            // What one of them says of a link counts where the target says nothing: the first.
            #expect(try await store.setDisabled(true, recording: song, of: two))
            _ = try await store.complete(submission: more[0], .join(three, same: nil, absorbing: [two, one]))
            #expect(try await store.links(of: [three], limit: 9)[three]?.map(\.isDisabled) == [false, true])
            _ = try await store.complete(submission: more[1], .join(two, same: nil, absorbing: [one, three, two]))
            for id in [one, two, three] { #expect(try await store.track(id) == three) }
            #expect(try await store.counts().tracks == 1)
            #expect(try await store.fingerprints(of: [one], limit: 9).map(\.number) == [1, 2, 3, 4, 5])
        },
        .init(name: "fingerprints of several tracks come track by track, in the order that was asked for") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let more = try await store.submit((0..<2).map { submission("d\($0)", "bob", nil) })
            for (number, track) in zip(more, [three, one]) {
                _ = try await store.complete(submission: number, .join(track, same: nil, absorbing: []))
            }
            #expect(
                try await store.fingerprints(of: [three, UUID(), one, three], limit: 9).map(\.number) == [3, 4, 1, 5]
            )
            #expect(try await store.fingerprints(of: [three, one], limit: 1).map(\.number) == [3, 1])
            #expect(try await store.fingerprints(of: [three, one], limit: -1).isEmpty)
            #expect(try await store.fingerprints([3, 1, 1, 99, .max]).map(\.number) == [1, 3])
            #expect(try await store.fingerprint(99) == nil)
            #expect(try await store.fingerprint(.max) == nil)
            #expect(try await store.tracks(ofFingerprints: [1, 4, 99, .max]) == [1: one, 4: three])
        },
    ]

    // MARK: - Indexes

    private static let following: [FingerprintTrackStoreRule] = [
        .init(name: "an index follows by number, and indexes know nothing of each other") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let first = try await store.fingerprints(after: 0, limit: 2, byteLimit: 1 << 20)
            #expect(first.map(\.number) == [1, 2])
            #expect(first.map(\.track) == [one, two])
            #expect(try await store.fingerprints(after: 2, limit: 2, byteLimit: 1 << 20).map(\.text) == ["c"])
            #expect(try await store.fingerprints(after: 3, limit: 2, byteLimit: 1 << 20).isEmpty)
            #expect(try await store.fingerprints(after: .max, limit: 2, byteLimit: 1 << 20).isEmpty)
            #expect(try await store.fingerprints(after: 0, limit: 0, byteLimit: 1 << 20).isEmpty)
            // A new one begins at the first.
            #expect(try await store.fingerprints(after: 0, limit: 9, byteLimit: 1 << 20).map(\.number) == [1, 2, 3])
        },
        .init(name: "a store keeps its id") { (store: any FingerprintTrackStore) async throws in
            let id = try await store.id()
            try await fill(store)
            #expect(try await store.id() == id)
        },
    ]
}
