import EarshotCore
import EarshotLibrary
import Foundation
import TestSupport
import Testing

@Suite(
    "A Music Player Daemon",
    .enabled(if: MusicPlayerDaemon.program != nil, "MPD is not installed (Debian: mpd)"),
    .timeLimit(.minutes(2))
)
struct MPDPlayerTests {
    private static let songs = [
        "Samples/Music/warm-ink.ogg", "Samples/Music/cold-day.ogg", "Tests/EarshotMediaTests/Fixtures/tagged.mp3",
        "Tests/EarshotMediaTests/Fixtures/chirp.flac",
    ].map { packageFolder.appendingPathComponent($0) }

    private func withPlayer(_ body: (MPDPlayer, MusicPlayerDaemon) async throws -> Void) async throws {
        try await MusicPlayerDaemon.run(Self.songs) { daemon in
            try await body(MPDPlayer(try MPDAddress("mpd://\(daemon.socket)")), daemon)
        }
    }

    private func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

    @Test("its songs are items with tags and files, and are searched")
    func library() async throws {
        try await withPlayer { player, daemon in
            let items = try await player.items()
            #expect(items.count == Self.songs.count && Set(items.map(\.id)).count == items.count)
            let tagged = try #require(items.first { $0.trackNumber == 3 })
            #expect(tagged.title == "夜の音 “Earshot”" && tagged.artist == "音楽家" && tagged.albumArtist == "Various")
            #expect(tagged.year == 2024 && tagged.discNumber == 1 && tagged.genre == "Test")
            #expect(tagged.assetURL == daemon.music.appendingPathComponent("tagged.mp3"))
            let ink = try await player.search("ARM in")
            #expect(ink.map(\.title) == ["Warm Ink"] && ink.first?.duration == seconds(80))
            #expect(try await player.item(ink[0].id) == ink[0])
            #expect(try await player.search(#"no "such" \ song"#).isEmpty)
            let index = LibraryIndex(items)
            #expect(
                CommandResolver(index).resolve(try LibraryCommand("play track cold day")).choice?.name == "Cold Day"
            )
        }
    }

    @Test("it plays from a place on, pauses, seeks, resumes and goes on, and tells of it")
    func playing() async throws {
        try await withPlayer { player, _ in
            #expect(try await player.status().state == .stopped)
            // Nothing plays, and nothing happens.
            try await player.pause()
            try await player.seek(to: seconds(3))
            try await player.next()
            let items = try await player.items()
            let place = try #require(items.firstIndex { $0.title == "Cold Day" })
            let next = try #require(items.dropFirst(place + 1).first)
            var statuses = player.statuses().makeAsyncIterator()
            #expect(try await statuses.next()?.state == .stopped)
            try await player.play(items, at: place, from: seconds(30))
            while let status = try await statuses.next(), status.state != .playing {}
            let playing = try await player.status()
            #expect(playing.item?.title == "Cold Day" && playing.duration == seconds(80))
            #expect(try #require(playing.position) >= seconds(30))
            try await player.pause()
            while let status = try await statuses.next(), status.state != .paused {}
            try await player.seek(to: seconds(20))
            #expect(try await player.status().position == seconds(20))
            try await player.seek(by: seconds(5))
            #expect(try await player.status().position == seconds(25))
            try await player.seek(by: .zero - seconds(100))
            #expect(try await player.status().position == .zero)
            #expect(try await player.status().state == .paused)
            try await player.resume()
            while let status = try await statuses.next(), status.state != .playing {}
            try await player.pause()
            try await player.next()
            #expect(try await player.status().item?.id == next.id)
            try await player.stop()
            while let status = try await statuses.next(), status.state != .stopped {}
            #expect(try await player.status().item == nil)
        }
    }

    @Test("what is paused is played when something else is to be; a file of this machine is played too")
    func another() async throws {
        try await withPlayer { player, daemon in
            let items = try await player.items()
            try await player.play(items, at: 0, from: .zero)
            try await player.pause()
            let file = daemon.music.appendingPathComponent("warm-ink.ogg")
            // Another library's item, which is known by its file.
            let item = MusicItem(id: ItemID(rawValue: "elsewhere"), assetURL: file)
            try await player.play([item], at: 0, from: seconds(10))
            let status = try await player.status()
            #expect(status.state == .playing && status.item?.title == "Warm Ink")
            #expect(try #require(status.position) >= seconds(10))
            let absent = MusicItem(id: ItemID(rawValue: "nowhere"), title: "Nowhere")
            let error = await #expect(throws: EarshotError.self) { try await player.play([absent], at: 0, from: .zero) }
            #expect(error?.code == .assetUnavailable && error?.message.contains("Nowhere") == true)
        }
    }
}
