import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@testable import Recognizer

@Suite("Groups and filters in the example app")
@MainActor
struct RecogniserGroupTests {
    private static let rock = Taxonomies.builtIn.node(.genre, matching: "Rock")?.id
    private static let jazz = Taxonomies.builtIn.node(.genre, matching: "Jazz")?.id

    /// Six songs on three albums; two albums have one name in English, two others one in Japanese.
    private static func service() async throws -> LocalRecognitionService {
        let store = try SQLiteMusicStore.inMemory()
        let titles = [("Live", "夜"), ("Live", "朝"), ("Morning", "朝")]
        for (index, title) in titles.enumerated() {
            var album = Album(id: EntityID("album-\(index)"), title: Name(title.0, translations: ["jpn": title.1]))
            album.genres = [index == 1 ? jazz : rock].compactMap(\.self)
            try await store.apply([.album(album)])
            for number in 1...2 {
                let id = "song-\(index)-\(number)"
                let place = Track.Place(album: album.id, number: number)
                let name = Name("Song \(index)\(number)", translations: ["jpn": "歌\(index)\(number)"])
                try await store.apply([.track(Track(id: EntityID(id), title: name, place: place))])
            }
        }
        return LocalRecognitionService(music: store) { _ throws(EarshotError) in nil }
    }

    private static func app(_ language: String) async throws -> RecognizerApp {
        var configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        try configuration.setValue(language, forKey: "content.lang")
        let app = RecognizerApp(
            service: try await service(),
            configuration: configuration,
            microphone: nil,
            language: String(language.prefix(2))
        ) { _ in }
        await app.find(.text(MusicQuery(track: "song")), as: .text)
        #expect(app.screen.result?.matches.count == 6)
        return app
    }

    /// What of groups is the same in all languages: what stands in which, by identifiers.
    private static func members(_ screen: Recognizer.Screen, _ kind: MatchGroups.Kind, only genre: String? = nil)
        -> Set<[String?]>
    {
        let matches = screen.result?.matches ?? []
        let groups = MatchGroups(matches, by: kind, only: genre).groups
        return Set(
            groups.map { group in [group.id] + group.places.compactMap { matches[$0].track.id?.rawValue }.sorted() }
        )
    }

    @Test("Another language changes the names of groups, and nothing in them", .requirements("R-MC-140"))
    func languages() async throws {
        let (english, japanese) = (try await Self.app("eng"), try await Self.app("jpn"))
        let matches = english.screen.result?.matches ?? []
        let others = japanese.screen.result?.matches ?? []
        #expect(Set(matches.compactMap(\.album.title)) == ["Live", "Morning"])
        #expect(Set(others.compactMap(\.album.title)) == ["夜", "朝"])
        #expect(
            Set(matches.compactMap(\.track.genres.first?.name)) != Set(others.compactMap(\.track.genres.first?.name))
        )
        let albums = Self.members(english.screen, .album)
        #expect(albums.count == 3 && albums == Self.members(japanese.screen, .album))
        let genres = Self.members(english.screen, .genre)
        #expect(genres.count == 2 && genres == Self.members(japanese.screen, .genre))
        let rock = try #require(matches.first { $0.album.id == "album-0" }?.track.genres.first?.id)
        let filtered = Self.members(english.screen, .album, only: rock)
        #expect(filtered.count == 2 && filtered == Self.members(japanese.screen, .album, only: rock))
    }

    @Test("The screen shows groups under their names, and what a filter hides", .requirements("R-MC-140"))
    func lines() async throws {
        let app = try await Self.app("eng")
        let plain = app.screen.lines
        app.press(.group)
        #expect(app.screen.grouping == .album && app.screen.lines.filter { $0 == "  Live:" }.count == 2)
        #expect(app.screen.lines.contains("  Morning:") && app.screen.lines.count == plain.count + 3)
        app.press(.group)
        #expect(app.screen.grouping == .genre && app.screen.lines.count == plain.count + 2)
        let jazz = try #require(
            app.screen.result?.matches.first { $0.album.id == "album-1" }?.track.genres.first?.id
        )
        app.tell(.only(genre: jazz))
        #expect(app.screen.lines.last == "  4 of other genres" && app.screen.lines.count == 5)
        app.tell(.only(genre: nil))
        app.press(.group)
        #expect(app.screen.lines == plain)
    }

    @Test("What has no album stands apart")
    func others() {
        var loose = MusicMatch("c")
        loose.album.title = "A"
        let groups = MatchGroups([MusicMatch("a", album: "A"), loose, MusicMatch("b", album: "A")], by: .album).groups
        #expect(groups.map(\.id) == ["A", nil] && groups.map(\.places) == [[0, 2], [1]])
        #expect(groups.map(\.name) == ["Album A", "Others"])
    }
}
