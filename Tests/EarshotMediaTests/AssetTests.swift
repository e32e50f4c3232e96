import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("What a file is")
struct AssetTests {
    @Test("Tags come through in any script", arguments: ["tagged.mp3", "tagged.ogg", "tagged.m4a"])
    func tags(_ name: String) async throws {
        let tags = try await Asset.load(Fixtures.url(name)).tags
        #expect(tags.title == "夜の音 “Earshot”")
        #expect(tags.artist == "音楽家")
        #expect(tags.album == "テストの歌")
        #expect(tags.albumArtist == "Various")
        #expect(tags.genre == "Test")
        #expect(tags.date == "2024")
        #expect(tags.track == "3/12")
        #expect(tags.disc == "1/2")
        #expect(tags.composer == "Nobody")
        #expect(tags.comment == "synthetic")
        #expect(tags["ALBUM"] == tags["album"])
        // MP4 has no common place for the code.
        if name != "tagged.m4a" { #expect(tags.isrc == "QZABC2400001") }
    }

    @Test("The cover is given as the file holds it", arguments: ["tagged.mp3", "tagged.m4a"])
    func artwork(_ name: String) async throws {
        let artwork = try #require(try await Asset.load(Fixtures.url(name)).artwork)
        #expect(artwork.mimeType == "image/png")
        #expect(artwork.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(artwork.bytes.suffix(8).starts(with: Array("IEND".utf8)))
    }

    @Test("A cover is no video, and a file without one has none")
    func noVideo() async throws {
        #expect(try await !Asset.load(Fixtures.url("tagged.mp3")).hasVideo)
        #expect(try await Asset.load(Fixtures.url("late.mp4")).hasVideo)
        #expect(try await Asset.load(Fixtures.url("wav16.wav")).artwork == nil)
    }

    @Test("Chapters have titles and times", arguments: ["late.mp4", "late.mkv"])
    func chapters(_ name: String) async throws {
        let chapters = try await Asset.load(Fixtures.url(name)).chapters
        #expect(chapters.map(\.title) == ["序章", "Second"])
        #expect(chapters.map(\.start) == [.zero, MediaTime(value: 600, timescale: 1000)])
        #expect(chapters.map(\.end) == [600, 1500].map { MediaTime(value: $0, timescale: 1000) })
    }

    @Test("Tracks are listed with language and default mark; track titles are not the asset's")
    func tracks() async throws {
        let asset = try await Asset.load(Fixtures.url("multi.mkv"))
        #expect(asset.streams.map(\.index) == [1, 2])
        #expect(asset.streams.map(\.language) == ["eng", "jpn"])
        #expect(asset.streams.map(\.codec) == ["flac", "flac"])
        #expect(asset.streams.map(\.sampleRate) == [16_000, 8_000])
        #expect(asset.streams.map(\.isDefault) == [false, true])
        #expect(asset.tags.title == nil)
    }

    @Test("A track's timescale is its sample rate", .requirements("R-MR-007"), arguments: ["wav16.wav", "chirp.flac"])
    func timescale(_ name: String) async throws {
        let stream = try #require(try await Asset.load(Fixtures.url(name)).streams.first)
        #expect(stream.timescale == 44_100)
        #expect(stream.duration.timescale == 44_100)
        #expect(stream.duration == MediaTime(frames: name == "wav16.wav" ? 6_615 : 22_050, sampleRate: 44_100))
        #expect(stream.channelCount == 2)
    }

    @Test("Whether an address can be opened is told without an error", .requirements("R-MR-005"))
    func canOpen() async {
        #expect(await Asset.canOpen(Fixtures.url("tagged.mp3")))
        #expect(await !Asset.canOpen(Fixtures.url("missing.mp3")))
        #expect(await !Asset.canOpen(Fixtures.url("README.md")))
        #expect(await !Asset.canOpen(Fixtures.url("silent.mp4")))
    }

    @Test("Format, bit rate and a video without sound")
    func rest() async throws {
        let mp3 = try await Asset.load(Fixtures.url("tagged.mp3"))
        #expect(mp3.formatName == "mp3")
        #expect((mp3.bitRate ?? 0) > 50_000)
        let silent = try await Asset.load(Fixtures.url("silent.mp4"))
        #expect(silent.streams.isEmpty && silent.hasVideo)
    }

    @Test("Names in a file are found without regard to case; the first of two stays")
    func lookUp() {
        let tags = Tags([("TITLE", "one"), ("Title", "two"), ("Empty", "")])
        #expect(tags["title"] == "one")
        #expect(tags.names == ["TITLE"])
    }
}
