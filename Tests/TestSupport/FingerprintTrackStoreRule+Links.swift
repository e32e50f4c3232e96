import EarshotCore
import EarshotFingerprints
import Foundation
import Testing

extension FingerprintTrackStoreRule {
    /// Rules of what tracks were said to be.
    static let links: [FingerprintTrackStoreRule] = [
        .init(name: "a source counts once, however often it says something") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
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
            // Counted with a fingerprint that the index has, it can be found at once.
            #expect(
                try await store.states(ofSubmissions: [more[0]], indexedThrough: number) == [more[0]: .imported(one)]
            )
            // One of another track is not the same.
            let other = try #require(try await store.submit([submission("c", "eve", nil)]).first)
            #expect(try await store.complete(submission: other, .join(one, same: 3, absorbing: []))?.number == 4)
        },
        .init(name: "a link that is wrong is told as such") { (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            #expect(try await store.setDisabled(true, recording: song, of: two))
            #expect(try await !store.setDisabled(true, recording: cover, of: two))
            #expect(try await !store.setDisabled(true, recording: cover, of: UUID()))
            #expect(try await store.links(of: [two], limit: 9)[two]?.map(\.isDisabled) == [true])
            let tracks = try #require(try await store.tracks(linkedTo: [song, UUID()], limit: 9)[song])
            #expect(tracks.map(\.track) == [one, two].sorted { $0.text < $1.text })
            #expect(tracks.filter(\.isDisabled).map(\.track) == [two])
            #expect(try await store.setDisabled(false, recording: song, of: two))
            #expect(try await store.links(of: [two], limit: 9)[two]?.map(\.isDisabled) == [false])
        },
        .init(name: "of many links those are told that most people made, and disabled ones behind all others") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let more = try await store.submit((0..<30).map { submission("a", "user \($0)", $0 < 20 ? UUID() : cover) })
            for number in more {
                _ = try await store.complete(submission: number, .join(one, same: 1, absorbing: []))
            }
            let all = try #require(try await store.links(of: [one], limit: 100)[one])
            #expect(all.count == 22)
            #expect(all.dropFirst().map(\.recording.text) == all.dropFirst().map(\.recording.text).sorted())
            let links = try #require(try await store.links(of: [one], limit: 5)[one])
            #expect(links.count == 5)
            #expect(links.first == RecordingLink(recording: cover, sources: 10))
            #expect(try await store.setDisabled(true, recording: cover, of: one))
            #expect(try await store.links(of: [one], limit: 5)[one]?.contains { $0.recording == cover } == false)
            #expect(try await store.links(of: [one], limit: 100)[one]?.last?.recording == cover)
            #expect(try await store.tracks(linkedTo: [cover], limit: 1)[cover]?.count == 1)
        },
        .init(name: "of what was written about a track that is told first that most people wrote") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let titles = ["Lamp", "Lantern", "Lantern", "Lantern", "Light", "Light", "A", "Ä", "a"]
            let sent = titles.enumerated().map { place, title in
                var submission = submission("a", "user \(place)", nil)
                submission.metadata = SubmittedMetadata()
                submission.metadata?.track = title
                return submission
            }
            // What says nothing is not kept.
            var empty = submission("a", "eve", nil)
            empty.metadata = SubmittedMetadata()
            for number in try await store.submit(sent + [empty]) {
                _ = try await store.complete(submission: number, .join(one, same: 1, absorbing: []))
            }
            let told = try await store.metadata(of: [one, three, UUID()], limit: 9)
            // Equal ones in order of bytes.
            #expect(told[one]?.map(\.track) == ["Lantern", "Light", "A", "Lamp", "a", "Ä"])
            #expect(told.count == 1)
            #expect(try await store.metadata(of: [one], limit: 2)[one]?.map(\.track) == ["Lantern", "Light"])
        },
    ]
}
