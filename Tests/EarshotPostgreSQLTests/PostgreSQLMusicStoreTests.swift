import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Music in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLMusicStoreTests {
    private static func song(_ number: Int, popularity: Double = 0) -> MusicChange {
        var track = Track(id: EntityID("t\(number)"), title: Name("Song number \(number)"))
        track.popularity = popularity
        return .track(track)
    }

    @Test("a store keeps every rule of music", arguments: MusicStoreRule.all)
    func rules(rule: MusicStoreRule) async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            try await rule.check(store)
            #expect(try await store.check() == [])
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: MusicStoreRule.all)
    func conflicts(rule: MusicStoreRule) async throws {
        try await TestDatabase.run { options in
            let plain = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            try await rule.check(PostgreSQLMusicStore(opened: pool))
            #expect(try await plain.check() == [])
        }
    }

    @Test("changes are whole or absent when their connection is cut before any of their statements")
    func cuts() async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            var album = Album(id: "al", title: Name("Morning Rail"), credits: [ArtistCredit("Foxes", artist: "ar")])
            try await whole.apply([.artist(Artist(id: "ar", name: Name("Foxes"))), .album(album), Self.song(0)])
            var (statement, isOver) = (0, false)
            while !isOver {
                album.title = Name("Rail number \(statement)")
                let changes: [MusicChange] = [
                    .album(album), Self.song(1000 + statement),
                    .lyrics(Lyrics(id: "w", tracks: ["t0"], lines: [.init("hill")])),
                    .removeTrack(EntityID("t\(statement == 0 ? 0 : 999 + statement)")),
                    .checkpoint("import", value: "\(statement)"),
                ]
                let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
                let store = PostgreSQLMusicStore(opened: pool)
                let result = await Result { try await store.apply(changes) }
                isOver = !isCut()
                if case .failure(let error) = result { #expect((error as? EarshotError)?.code == .storeUnavailable) }
                let isKept = try await whole.checkpoint("import") == "\(statement)"
                #expect((try await whole.track(EntityID("t\(1000 + statement)")) != nil) == isKept)
                let title = try await whole.album("al")?.title.text
                #expect((title == "Rail number \(statement)") == isKept)
                #expect(try await whole.check() == [])
                // The pool has a connection again.
                #expect(try await store.artist("ar") != nil)
                if !isKept { try await whole.apply(changes) }
                statement += 1
            }
            #expect(statement > 20)
        }
    }

    @Test("two nodes write at once, and nothing is lost")
    func nodes() async throws {
        try await TestDatabase.run { options in
            let nodes = [
                try await PostgreSQLMusicStore(PostgreSQLPool(options)),
                PostgreSQLMusicStore(opened: PostgreSQLPool(options)),
            ]
            let artist = Artist(id: "ar", name: Name("Foxes"))
            try await nodes[0].apply([.artist(artist)])
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        var track = Track(
                            id: EntityID("t\(number)"),
                            title: Name("Song"),
                            credits: [ArtistCredit("F", artist: "ar")]
                        )
                        track.popularity = Double(number) / 40
                        try await nodes[number % 2].apply([.track(track)])
                    }
                    group.addTask { _ = try await nodes[number % 2].search(MusicQuery("song", isTyping: true)) }
                }
                var renamed = artist
                renamed.name.alternates = ["Rust Choir"]
                let change = renamed
                group.addTask { try await nodes[1].apply([.artist(change)]) }
                try await group.waitForAll()
            }
            #expect(try await nodes[0].counts().tracks == 40)
            // Those that came before the new name, and those that came after it.
            #expect(try await nodes[0].search(MusicQuery(artist: "rust choir", track: "song", limit: 100)).count == 40)
            #expect(try await nodes[0].generation() == 42)
            #expect(try await nodes[0].check() == [])
        }
    }

    @Test("of many hits the most popular come, whatever the order in which they were added", arguments: 0..<3)
    func popularity(order: Int) async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            let count = 6_000
            var chance = SeededGenerator(seed: 7)
            let numbers: [Int] =
                switch order {
                case 0: Array(0..<count)
                case 1: (0..<count).reversed()
                default: (0..<count).shuffled(using: &chance)
                }
            for start in stride(from: 0, to: count, by: 1_500) {
                // The greater the number, the less it is asked for.
                try await store.apply(
                    numbers[start..<start + 1_500].map { Self.song($0, popularity: 1 - Double($0) / 7_000) }
                )
            }
            #expect(try await store.check() == [])
            let expected = (0..<100).map { MusicHit.Entity.track(EntityID("t\($0)")) }
            let found = try await store.search(MusicQuery(track: "song number", limit: 100)).map(\.entity)
            // The score is of the length of the title too.
            #expect(Set(found.prefix(10)) == Set(expected.prefix(10)))
            #expect(try await store.search(MusicQuery(track: "song number 5999")).first?.entity == .track("t5999"))
            // What was most popular goes; what follows is found, and tiers are filled again.
            try await store.apply((0..<3_000).map { .removeTrack(EntityID("t\($0)")) })
            try await store.apply([Self.song(9_999)])
            #expect(try await store.check() == [])
            let sizes = try await store.pool.read { connection in
                try connection.rows("SELECT count FROM music_tier WHERE keys = 'track' ORDER BY tier").map {
                    try $0.integer("count")
                }
            }
            #expect(sizes.compactMap(\.self).reduce(0, +) == 3_001)
            #expect((sizes.first ?? nil) ?? 0 >= 1_000)
            let next = try await store.search(MusicQuery(track: "song number", limit: 10)).map(\.entity)
            #expect(Set(next) == Set((3_000..<3_010).map { .track(EntityID("t\($0)")) }))
        }
    }

    @Test("a character U+0000 is kept in texts, is not searched for, and is refused in identifiers")
    func zero() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            let track = Track(
                id: "t",
                title: Name("Lan\0tern \0 Light"),
                credits: [ArtistCredit("A\0", artist: "x\0y")]
            )
            try await store.apply([.track(track)])
            #expect(try await store.track("t") == track)
            #expect(try await store.search(MusicQuery(track: "light")).count == 1)
            #expect(try await store.track("x\0y") == nil)
            #expect(try await store.albums(of: "x\0y", offset: 0, limit: 1).isEmpty)
            for change in [MusicChange.artist(Artist(id: "a\0", name: Name("A"))), .checkpoint("c", value: "\0")] {
                let error = await #expect(throws: EarshotError.self) { try await store.apply([change]) }
                #expect(error?.code == .metadataInvalid)
            }
        }
    }

    @Test("words and names of any length are kept and found")
    func lengths() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            let word = String(repeating: "é愛x", count: 3_000)
            let long = (0..<150_000).map { "w\($0 % 70_000)" }.joined(separator: " ")
            try await store.apply([
                .track(Track(id: "t", title: Name("\(word) lantern"))),
                .track(Track(id: "u", title: Name("it's \\ 'quoted' lantern"))),
                .lyrics(Lyrics(id: "l", tracks: [], lines: [.init(long), .init("over the hill")])),
            ])
            #expect(try await store.search(MusicQuery(track: "lantern")).count == 2)
            #expect(try await store.search(MusicQuery(track: word)).map(\.entity) == [.track("t")])
            #expect(try await store.search(MusicQuery(track: "it's \\ 'quoted")).map(\.entity) == [.track("u")])
            #expect(try await store.search(LyricQuery("w5 w6 w7")).map(\.entity) == [.lyrics("l")])
            #expect(try await store.check() == [])
        }
    }

    @Test("identifiers that look alike are different")
    func identifiers() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLMusicStore(PostgreSQLPool(options))
            let ids: [EntityID<Artist>] = ["\u{E9}", "e\u{301}"]
            try await store.apply(ids.map { .artist(Artist(id: $0, name: Name("Zoé \($0.rawValue.utf8.count)"))) })
            #expect(try await store.counts().artists == 2)
            for id in ids { #expect(try await store.artist(id)?.id == id) }
            #expect(try await store.check() == [])
        }
    }

    @Test("two nodes that start at the same moment make the tables once")
    func starts() async throws {
        try await TestDatabase.run { options in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { _ = try await PostgreSQLMusicStore(PostgreSQLPool(options)) }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
