import EarshotCore
import EarshotTags
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

/// What of a file's tags a conversion brings over.
@Suite("Tags that survive a conversion")
struct CarriedTagTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func destination(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// A copy of a file with other tags.
    private func source(_ name: String, _ change: (inout TagEdit) throws -> Void) throws -> URL {
        let url = try TagFixtures.copy(name, to: folder.url)
        var edit = TagEdit()
        try change(&edit)
        _ = try TagFile.writeBlocking(edit, to: url)
        return url
    }

    /// The tags of what a file is converted to, and what its plan says is lost of them.
    private func convert(
        _ url: URL,
        _ name: String,
        range: Range<MediaTime>? = nil
    ) async throws -> (tags: TagFile, losses: [ExportPlan.Loss]) {
        var settings = ExportSettings()
        settings.range = range
        let session = ExportSession(url, settings: settings, to: destination(name), tags: .tagLib)
        let losses = try await session.plan().losses.filter { loss in
            switch loss {
            case .pictures, .tags, .items, .chapters: true
            default: false
            }
        }
        let written = try await session.export()
        #expect(written.droppedTags.isEmpty, "\(name)")
        return (try await TagFile.load(destination(name)), losses)
    }

    @Test(
        "tags in any script and pictures go with the sound",
        arguments: [FileType.flac, .mp3, .m4a, .ogg, .opus, .aiff, .wav]
    )
    func tags(_ type: FileType) async throws {
        let url = try TagFixtures.copy("tagged.mp3", to: folder.url)
        let source = try TagFile.loadBlocking(url)
        let copy = try await convert(url, "a.\(type.fileExtensions[0])").tags
        for name in ["TITLE", "ARTIST", "ALBUM"] {
            #expect(copy[name] == source[name], "\(name)")
            #expect(!copy[name].isEmpty)
        }
        #expect(copy.pictures.map(\.bytes) == source.pictures.map(\.bytes))
    }

    @Test("MP4 gets all covers, the front first, and the loss of what it cannot hold is foreseen")
    func pictures() async throws {
        let (front, back) = (TagFixtures.picture(40, seed: 2), TagFixtures.picture(60, seed: 3))
        let url = try source("chirp.flac") { edit in
            edit.set(TagPicture(kind: .backCover, bytes: back, text: "behind"))
            edit.set(TagPicture(kind: .frontCover, bytes: front))
        }
        let (tags, losses) = try await convert(url, "a.m4a")
        #expect(tags.pictures.map(\.bytes) == [front, back] && losses.isEmpty)
        let kept = try await convert(url, "a.mp3")
        #expect(Set(kept.tags.pictures.map(\.kind)) == [.frontCover, .backCover] && kept.losses.isEmpty)

        let odd = try source("long.flac") { edit in
            edit.set(TagPicture(kind: .frontCover, bytes: front))
            edit.set(TagPicture(kind: .leaflet, bytes: back, mimeType: "image/webp"))
        }
        let some = try await convert(odd, "b.m4a")
        #expect(some.tags.pictures.map(\.bytes) == [front] && some.losses == [.pictures(1)])
        #expect(some.losses.first?.description == "1 picture is left out")
    }

    @Test("a total stands behind the number where players look for it there, and by itself in Vorbis comments")
    func totals() async throws {
        let url = try source("chirp.flac") { edit in
            try edit.set("TRACKNUMBER", to: "3")
            try edit.set("TRACKTOTAL", to: "12")
            try edit.set("DISCNUMBER", to: "1")
            try edit.set("TOTALDISCS", to: "2")
            try edit.set("DISCTOTAL", to: "2")
        }
        for name in ["a.m4a", "a.mp3", "a.wav", "a.aiff"] {
            let (tags, losses) = try await convert(url, name)
            #expect(tags["TRACKNUMBER"] == ["3/12"] && tags["DISCNUMBER"] == ["1/2"] && losses.isEmpty, "\(name)")
            for total in ["TRACKTOTAL", "DISCTOTAL", "TOTALDISCS"] { #expect(tags[total].isEmpty, "\(name)") }
        }
        let same = try await convert(url, "a.ogg").tags
        #expect(same["TRACKNUMBER"] == ["3"] && same["TRACKTOTAL"] == ["12"] && same["TOTALDISCS"] == ["2"])
        let back = try await convert(destination("a.m4a"), "b.flac").tags
        #expect(back["TRACKNUMBER"] == ["3"] && back["TRACKTOTAL"] == ["12"] && back["DISCTOTAL"] == ["2"])
    }

    @Test(
        "numbers that say otherwise, and none, stay as they are",
        arguments: [("3", "12 of 13"), ("A3", "12"), ("3/11", "12")]
    )
    func otherNumbers(number: String, total: String) async throws {
        let url = try source("chirp.flac") { edit in
            try edit.set("TRACKNUMBER", to: number)
            try edit.set("TRACKTOTAL", to: total)
        }
        let tags = try await convert(url, "a.mp3").tags
        #expect(tags["TRACKNUMBER"] == [number] && tags["TRACKTOTAL"] == [total])
    }

    /// An MP3 with a rating, a language, a private frame, one that is no longer in ID3v2.4, and one that speaks of its bytes.
    private func rated() throws -> URL {
        let rating = Array("nobody@example.org".utf8) + [0, 196, 0, 0, 0, 7]
        let tag = TagFixtures.tag(
            [
                TagFixtures.frame("TIT2", [3] + Array("Lantern".utf8), version: 3),
                TagFixtures.frame("TLAN", [0] + Array("deu".utf8), version: 3),
                TagFixtures.frame("POPM", rating, version: 3),
                TagFixtures.frame("PRIV", Array("org.example".utf8) + [0, 1, 2], version: 3),
                TagFixtures.frame("TSIZ", [0] + Array("1234".utf8), version: 3),
                TagFixtures.frame("COMM", [0] + Array("deu\0Gut".utf8), version: 3),
                TagFixtures.frame("COMM", [0] + Array("engmood\0Good".utf8), version: 3),
                TagFixtures.frame("USLT", [0] + Array("fra\0La la".utf8), version: 3),
                TagFixtures.frame("SYTC", [2, 120, 0, 0, 0, 0], version: 3),
            ],
            version: 3
        )
        return try folder.write(tag + (try TagFixtures.bareMP3()), as: "rated.mp3")
    }

    @Test("rating, language and private frames go from MP3 to MP3, AIFF and WAV")
    func frames() async throws {
        let url = try rated()
        for name in ["a.mp3", "a.aiff", "a.wav"] {
            let (tags, losses) = try await convert(url, name)
            #expect(tags["LANGUAGE"] == ["deu"] && tags["TITLE"] == ["Lantern"], "\(name)")
            let rating = tags.others.first { $0.name == "POPM" }
            #expect(rating?.bytes == Array("nobody@example.org".utf8) + [0, 196, 0, 0, 0, 7], "\(name)")
            #expect(tags["COMMENT"] == ["Gut"] && tags["LYRICS"] == ["La la"], "\(name)")
            let bytes = try TagFixtures.bytes(tags.url)
            for run in ["deu\0Gut", "engmood\0Good", "fra\0La la"] {
                #expect(bytes.holds(Array(run.utf8)), "\(name): \(run)")
            }
            #expect(Set(tags.others.map(\.name)) == ["POPM", "PRIV", "SYTC"] && losses.isEmpty, "\(name)")
        }
        // Of a part, times would be wrong.
        let part = try await convert(
            url,
            "part.mp3",
            range: MediaTime(value: 1, timescale: 10)..<MediaTime(value: 3, timescale: 10)
        )
        #expect(Set(part.tags.others.map(\.name)) == ["POPM", "PRIV"] && part.losses == [.items(["SYTC"])])
    }

    @Test("what other kinds of tags have no place for is named, and nothing else")
    func lostFrames() async throws {
        let (tags, losses) = try await convert(try rated(), "a.flac")
        #expect(tags["LANGUAGE"] == ["deu"] && tags["TITLE"] == ["Lantern"] && tags["COMMENT"] == ["Gut"])
        #expect(losses.count == 1)
        guard case .items(let names)? = losses.first else {
            Issue.record("\(losses)")
            return
        }
        #expect(names.sorted() == ["POPM", "PRIV", "SYTC"])
        #expect(losses[0].description.hasSuffix(" of the tags are left out"))
        let plain = try await convert(try source("chirp.opus") { try $0.set("TITLE", to: "Plain") }, "b.m4a")
        #expect(plain.losses.isEmpty && plain.tags["TITLE"] == ["Plain"])
    }
}
