import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums

/// Files whose sound is not what their tags say.
@Suite("Sound against tags")
struct ContradictionTests {
    private static func sound(_ seed: UInt64, seconds: Int = 20) -> Signature { .random(seed: seed, seconds: seconds) }

    /// A decider whose catalog has references of some tracks of *Morning Rail*, by number, each with the sound of that seed.
    private func decider(
        _ references: [(track: Int, seconds: Int)] = (1...10).map { ($0, 300) },
        named properties: (Int) throws -> MediaItem = { _ in MediaItem() }
    ) async throws -> AlbumDecider {
        var catalog = Catalog()
        for (number, seconds) in references {
            // What a file's beginning is cut from.
            let whole = Self.sound(UInt64(number), seconds: seconds)
            let id = try properties(number) == MediaItem() ? "rail-1-\(number)" : "reference \(number)"
            try catalog.add(whole, representing: [try properties(number)], id: ReferenceID(id))
        }
        var service = LocalRecognitionService(music: try await TestLibrary.store()) {
            [catalog] signature throws(EarshotError) in
            try catalog.match(signature)
        }
        service.references = { [catalog] track, artist throws(EarshotError) in
            try catalog.references(ofTrack: track, artist: artist)
        }
        return AlbumDecider(service)
    }

    /// The beginning of a reference of 300 s.
    private func beginning(_ number: Int) -> Signature {
        Self.sound(UInt64(number), seconds: 300).slice(from: .zero, duration: AttributeReader.listened).signature
    }

    private func files(stranger: Int, hearing: Signature?) -> [FileAttributes] {
        (1...10).map { number in
            var file = TestLibrary.file(number)
            file.signature = number == stranger ? hearing : beginning(number)
            return file
        }
    }

    @Test(
        "a file whose track is in the catalog, and that sounds like nothing there, is not sure, however good its tags are"
    )
    func unknown() async throws {
        let decisions = try await decider().identify(
            AlbumQuery(files(stranger: 3, hearing: Self.sound(99))),
            ContentPreferences()
        )
        let stranger = decisions[2]
        #expect(stranger.match?.track.id == "rail-1-3" && stranger.confidence < 0.6 && stranger.isContradictedBySound)
        #expect(
            stranger.reasons.first?.text
                == "tags say A Winter Abroad by The Tin Foxes; the sound matches nothing in the catalog"
        )
        #expect(try #require(stranger.reasons.first).weight < 0)
        for decision in decisions where decision.file != stranger.file {
            #expect(decision.confidence > 0.9 && !decision.isContradictedBySound)
        }
    }

    @Test("a second file with the tags of another is no copy of it, unless it sounds like it")
    func copies() async throws {
        for isCopy in [true, false] {
            var query = files(stranger: 0, hearing: nil)
            var second = query[4]
            second.id = "second"
            second.signature = isCopy ? beginning(5) : Self.sound(99)
            query.append(second)
            let last = try #require(
                try await decider().identify(AlbumQuery(query), ContentPreferences()).last
            )
            #expect((last.duplicateOf == query[4].id) == isCopy && last.isContradictedBySound == !isCopy)
            #expect((last.confidence >= 0.8) == isCopy)
        }
    }

    @Test("a file that sounds like another track than its tags say is told which")
    func another() async throws {
        // Of a track that is alone, for in company the sound itself decides.
        var file = TestLibrary.file(3)
        file.signature = beginning(7)
        file.identifiers = [try #require(MusicIdentifier(.isrc, "GBXYZ9900003"))]
        file.trackID = "rail-1-3"
        let decision = try #require(
            try await decider().identify(AlbumQuery([file]), ContentPreferences()).first
        )
        #expect(decision.match?.track.id == "rail-1-3")
        #expect(decision.confidence < 0.6 && decision.isContradictedBySound)
        #expect(decision.reasons.first?.text.hasSuffix("the sound matches No Return Ticket by The Tin Foxes") == true)
    }

    @Test("silence of the catalog says nothing where it has no recording of the whole track, or too little was heard")
    func silence() async throws {
        func confidence(_ decider: AlbumDecider, _ hearing: Signature?) async throws -> Double {
            let query = AlbumQuery(files(stranger: 3, hearing: hearing))
            let decision = try await decider.identify(query, ContentPreferences())[2]
            #expect(!decision.isContradictedBySound)
            return decision.confidence
        }
        let others = [1, 2, 4, 5, 6, 7, 8, 9, 10].map { ($0, 300) }
        #expect(try await confidence(try await decider(others), Self.sound(99)) > 0.9)
        // An excerpt of thirty seconds, of which the file's beginning need not be a part.
        #expect(try await confidence(try await decider(others + [(3, 30)]), Self.sound(99)) > 0.9)
        #expect(try await confidence(try await decider(), nil) > 0.9)
        #expect(try await confidence(try await decider(), Self.sound(99, seconds: 5)) > 0.9)
        let sparse = Signature.random(seed: 99, seconds: 20, density: 2)
        #expect(try await confidence(try await decider(), sparse) > 0.9)
    }

    @Test("of a reference that has artist and title alone in common with a track, only one as long is the track's")
    func names() async throws {
        // The album has the track of 244 s.
        for (seconds, isContradicted) in [(244, true), (300, false)] {
            let decider = try await decider([(3, seconds)]) { _ in
                try MediaItem(properties: [.title: "A Winter Abroad", .artist: "The Tin Foxes"])
            }
            let query = AlbumQuery(files(stranger: 3, hearing: Self.sound(99)))
            let decision = try await decider.identify(query, ContentPreferences())[2]
            #expect(decision.isContradictedBySound == isContradicted, "\(seconds) s")
        }
    }

    @Test("a decision of a service that says nothing of contradictions is read")
    func decoding() throws {
        let text = #"{"file":"1","confidence":1,"albumConfidence":1,"editionConfidence":1,"reasons":[]}"#
        let decision = try JSONDecoder().decode(FileDecision.self, from: Data(text.utf8))
        #expect(decision == FileDecision(file: "1", confidence: 1, albumConfidence: 1, editionConfidence: 1))
    }
}
