import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Recordings that are there already")
struct DuplicateTests {
    private static let song = Songs.drawn(1, seconds: 40)
    private static let catalog = Result {
        var catalog = Catalog()
        try catalog.add(song, representing: [], id: "song")
        for seed in 2...5 { try catalog.add(Songs.drawn(UInt64(seed), seconds: 30), representing: []) }
        return catalog
    }

    /// What another encoder leaves: some landmarks gone, others new, all a little moved.
    private static func encoded(_ signature: Signature, seed: UInt64 = 1) -> Signature {
        var generator = SeededGenerator(seed: seed)
        var landmarks: [Landmark] = []
        for landmark in signature.landmarks where Int.random(in: 0..<10, using: &generator) > 0 {
            var moved = landmark
            moved.time += UInt32.random(in: 0...2, using: &generator)
            landmarks.append(moved)
        }
        return Signature(
            configuration: .standard,
            duration: signature.duration,
            landmarks: Set(landmarks).sorted()
        )
    }

    @Test("The same signature is identical")
    func identical() throws {
        let found = try Self.catalog.get().duplicates(of: Self.song)
        #expect(found.map(\.id) == ["song"])
        #expect(found.first?.relation == .identical)
        #expect(found.first?.isSameRecording == true)
    }

    @Test("Another encoding, and one a little shorter, are the same recording")
    func sameRecording() throws {
        let catalog = try Self.catalog.get()
        let other = try #require(catalog.duplicates(of: Self.encoded(Self.song)).first)
        #expect(other.id == "song")
        #expect(other.relation == .sameRecording)
        #expect(other.coverage > 0.9 && other.referenceCoverage > 0.9)
        #expect(abs(other.speed - 1) < 0.002)
        let shorter = Songs.part(of: Self.encoded(Self.song), from: 1.5, seconds: 37.5)
        let trimmed = try #require(catalog.duplicates(of: shorter).first)
        #expect(trimmed.relation == .sameRecording)
        #expect(abs(trimmed.offset.seconds - 1.5) < 0.02)
    }

    @Test("A part, more than the whole, and half of it are told apart")
    func parts() throws {
        let catalog = try Self.catalog.get()
        let part = try #require(catalog.duplicates(of: Songs.part(of: Self.song, from: 11, seconds: 15)).first)
        #expect(part.relation == .excerpt)
        #expect(!part.isSameRecording)
        #expect(abs(part.offset.seconds - 11) < 0.02)
        #expect(abs(part.referenceCoverage - 15 / 40.0) < 0.05)
        let more = Songs.joined([Songs.drawn(20, seconds: 20), Self.song, Songs.drawn(21, seconds: 20)])
        let whole = try #require(catalog.duplicates(of: more).first)
        #expect(whole.relation == .extended)
        #expect(abs(whole.coverage - 0.5) < 0.1)
        let half = Songs.joined([Songs.part(of: Self.song, from: 20, seconds: 20), Songs.drawn(22, seconds: 25)])
        let medley = try #require(catalog.duplicates(of: half).first)
        #expect(medley.relation == .overlap)
    }

    @Test("Other audio has nothing in common")
    func foreign() throws {
        let catalog = try Self.catalog.get()
        #expect(try catalog.duplicates(of: Songs.drawn(30, seconds: 30)).isEmpty)
        #expect(try Catalog().duplicates(of: Self.song).isEmpty)
        #expect(try catalog.duplicates(of: Songs.part(of: Self.song, from: 0, seconds: 0)).isEmpty)
    }

    @Test("Each policy does what it says", arguments: DuplicatePolicy.allCases)
    func policies(policy: DuplicatePolicy) throws {
        var catalog = try Self.catalog.get()
        let additions = [
            Catalog.Addition(id: "new", signature: Songs.drawn(40, seconds: 20), items: []),
            Catalog.Addition(id: "copy", signature: Self.encoded(Self.song), items: []),
            Catalog.Addition(id: "part", signature: Songs.part(of: Self.song, from: 3, seconds: 14), items: []),
            Catalog.Addition(id: "new copy", signature: Self.encoded(Songs.drawn(40, seconds: 20)), items: []),
        ]
        let outcomes = try catalog.add(additions, duplicates: policy)
        #expect(outcomes.map(\.id) == additions.map(\.id))
        func contains(_ ids: ReferenceID...) -> [Bool] { ids.map(catalog.contains) }
        // What is only a part is never left out.
        #expect(outcomes[2].isAdded)
        switch policy {
        case .keep, .ignore:
            #expect(contains("song", "new", "copy", "new copy") == [true, true, true, true])
        case .skip:
            #expect(contains("song", "new", "copy", "new copy") == [true, true, false, false])
            #expect(outcomes[1].failure == nil)
        case .replace:
            #expect(contains("song", "new", "copy", "new copy") == [false, false, true, true])
            #expect(outcomes[1].replaced == ["song"])
            #expect(outcomes[3].replaced == ["new"])
        case .fail:
            #expect(contains("song", "new", "copy", "new copy") == [true, true, false, false])
            #expect(outcomes[1].failure?.code == .referenceExists)
            #expect(outcomes[1].failure?.message.contains("song") == true)
        }
        #expect(outcomes[1].duplicates.isEmpty == (policy == .ignore))
        #expect(outcomes[3].duplicates.map(\.id) == (policy == .ignore ? [] : ["new"]))
        // What was compared is laid out as what was not.
        let written = try Catalog(data: catalog.data())
        #expect(written.referenceIDs == catalog.referenceIDs)
        try written.verify()
    }

    @Test("One that cannot be added leaves the others, and what it would have replaced")
    func failures() throws {
        var catalog = try Self.catalog.get()
        let outcomes = try catalog.add(
            [
                Catalog.Addition(id: "", signature: Self.encoded(Self.song), items: []),
                Catalog.Addition(id: "silent", signature: Songs.part(of: Self.song, from: 0, seconds: 0), items: []),
                Catalog.Addition(id: "song", signature: Songs.drawn(50, seconds: 12), items: []),
                Catalog.Addition(id: "good", signature: Songs.drawn(51, seconds: 12), items: []),
            ],
            duplicates: .replace
        )
        let codes = outcomes.map { $0.failure?.code }
        #expect(codes == [.referenceExists, .signatureInvalid, .referenceExists, nil])
        #expect(catalog.contains("song"))
        #expect(catalog.contains("good"))
        #expect(catalog.count == 6)
    }
}
