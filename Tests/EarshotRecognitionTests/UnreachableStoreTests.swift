import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Recognition while the store of music is away")
struct UnreachableStoreTests {
    @Test("a match says what the media item of its reference does")
    func match() async throws {
        var catalog = Catalog()
        let song = Signature.random(seed: 1, seconds: 20)
        let item = try MediaItem(properties: [.title: "Lantern", .artist: "Someone"])
        try catalog.add(song, representing: [item], id: "lantern")
        let query = song.slice(
            from: MediaTime(value: 4, timescale: 1),
            duration: MediaTime(value: 8, timescale: 1)
        ).signature
        let service = LocalRecognitionService(music: UnreachableMusicStore()) {
            [catalog] signature throws(EarshotError) in
            try catalog.match(signature)
        }
        let matches = try await service.recognize(RecognitionQuery(query, kind: .stream), ContentPreferences())
        #expect(matches.map(\.track.title) == ["Lantern"])
        #expect(matches.first?.placement?.reference == "lantern")
    }

    @Test("what only the store knows is refused")
    func search() async throws {
        let service = LocalRecognitionService(music: UnreachableMusicStore()) { _ throws(EarshotError) in nil }
        let error = await #expect(throws: EarshotError.self) {
            try await service.track("a", ContentPreferences())
        }
        #expect(error?.code == .storeUnavailable)
    }
}

/// A store that cannot be reached.
private struct UnreachableMusicStore: MusicStore {
    private func refuse<Value>() throws(EarshotError) -> Value {
        throw EarshotError(.storeUnavailable, "The store is away.")
    }

    func artist(_ id: EntityID<Artist>) async throws(EarshotError) -> Artist? { try refuse() }
    func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album? { try refuse() }
    func track(_ id: EntityID<Track>) async throws(EarshotError) -> Track? { try refuse() }
    func lyrics(_ id: EntityID<Lyrics>) async throws(EarshotError) -> Lyrics? { try refuse() }
    func picture(_ id: EntityID<Picture>) async throws(EarshotError) -> (picture: Picture, bytes: Data)? {
        try refuse()
    }
    func tracks(of album: EntityID<Album>) async throws(EarshotError) -> [Track] { try refuse() }
    func albums(of artist: EntityID<Artist>, offset: Int, limit: Int) async throws(EarshotError) -> [Album] {
        try refuse()
    }
    func lyrics(of track: EntityID<Track>) async throws(EarshotError) -> [Lyrics] { try refuse() }
    func tracks(with identifier: MusicIdentifier) async throws(EarshotError) -> [Track] { try refuse() }
    func albums(with identifier: MusicIdentifier) async throws(EarshotError) -> [Album] { try refuse() }
    func artists(with identifier: MusicIdentifier) async throws(EarshotError) -> [Artist] { try refuse() }
    func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit] { try refuse() }
    func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit] { try refuse() }
    func checkpoint(_ name: String) async throws(EarshotError) -> String? { try refuse() }
    func counts() async throws(EarshotError) -> MusicCounts { try refuse() }
    func generation() async throws(EarshotError) -> Int { try refuse() }
    func apply(_ changes: [MusicChange]) async throws(EarshotError) { let _: Int = try refuse() }
}
