import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotRecognition
import EarshotTags
import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Forms that a plan keeps")
struct TagPlanFormTests {
    /// A copy of a fixture with some properties of its own.
    private func tags(
        _ name: String,
        in folder: URL,
        _ properties: [String: [String]]
    ) throws -> TagFile {
        let url = try MusicFixtures.copy([name], to: folder)[0]
        var edit = TagEdit()
        for (name, values) in properties { try edit.set(name, to: values) }
        return try TagFile.writeBlocking(edit, to: url)
    }

    private func differences(_ match: MusicMatch, _ tags: TagFile) throws -> [String: [String]] {
        let plan = try #require(
            try TagPlan(
                FileDecision(file: "1", match: match, confidence: 1, albumConfidence: 1, editionConfidence: 1),
                tags: tags
            )
        )
        return Dictionary(uniqueKeysWithValues: plan.differences.map { ($0.name, $0.new) })
    }

    private var numbered: MusicMatch {
        var match = MusicMatch()
        (match.track.number, match.track.discTrackCount, match.track.discNumber, match.album.discCount) = (3, 10, 2, 4)
        return match
    }

    @Test(
        "Numbers and totals stand where players look for them, and the totals survive",
        arguments: ["tagged.mp3", "aiff.aiff", "wav16.wav", "tagged.m4a", "chirp.wv"]
    )
    func totals(_ name: String) throws {
        try withTemporaryFolder { folder in
            let none = try tags(name, in: folder, ["TRACKNUMBER": [], "DISCNUMBER": []])
            #expect(try differences(numbered, none) == ["TRACKNUMBER": ["3/10"], "DISCNUMBER": ["2/4"]])
            let old = try tags(name, in: folder, ["TRACKNUMBER": ["1/9"], "DISCNUMBER": ["2/4"]])
            #expect(try differences(numbered, old) == ["TRACKNUMBER": ["3/10"]])
            var edit = TagEdit()
            try edit.set("TRACKNUMBER", to: "3/10")
            let new = try TagFile.writeBlocking(edit, to: old.url)
            #expect(new["TRACKNUMBER"] == ["3/10"] && new["DISCNUMBER"] == ["2/4"] && new["TRACKTOTAL"] == [])
            #expect(try differences(numbered, new).isEmpty)
            // FFmpeg, which knows nothing of TagLib, finds both too.
            #expect(try Asset.loadBlocking(old.url).tags["track"]?.hasPrefix("3") == true)
            // Without a total in the match the file's own stays.
            var bare = MusicMatch()
            bare.track.number = 4
            #expect(try differences(bare, new) == ["TRACKNUMBER": ["4/10"]])
        }
    }

    @Test(
        "Vorbis comments have totals of their own, under the name that the file has",
        arguments: [
            ([:], ["TRACKNUMBER": ["3"], "TRACKTOTAL": ["10"], "DISCNUMBER": ["2"], "DISCTOTAL": ["4"]]),
            (
                ["TOTALTRACKS": ["9"], "TOTALDISCS": ["4"], "DISCNUMBER": ["2"]],
                ["TRACKNUMBER": ["3"], "TOTALTRACKS": ["10"]]
            ),
            (["TRACKNUMBER": ["3"], "TRACKTOTAL": ["10"], "DISCNUMBER": ["2"], "DISCTOTAL": ["04"]], [:]),
            (["TRACKNUMBER": ["03/10"], "DISCNUMBER": ["2/3"]], ["DISCNUMBER": ["2/4"]]),
        ] as [([String: [String]], [String: [String]])]
    )
    func vorbis(_ old: [String: [String]], _ expected: [String: [String]]) throws {
        try withTemporaryFolder { folder in
            let all = ["TRACKNUMBER", "TRACKTOTAL", "DISCNUMBER", "DISCTOTAL"].map { ($0, [String]()) }
            let own = Dictionary(uniqueKeysWithValues: all).merging(old) { $1 }
            let read = try tags("tagged.ogg", in: folder, own)
            #expect(try differences(numbered, read) == expected)
        }
    }

    @Test("Artists that are kept one by one stay so where they are those of the credit")
    func artists() throws {
        try withTemporaryFolder { folder in
            let old = try tags(
                "tagged.ogg",
                in: folder,
                ["ARTIST": ["The Tin Foxes", "Mara Quill"], "ALBUMARTIST": ["One", "Two", "Three"]]
            )
            for credit in ["The Tin Foxes feat. Mara Quill", "the tin foxes & MARA QUILL", "The Tin Foxes, Mara Quill"]
            {
                var match = MusicMatch()
                (match.artist.name, match.album.artist) = (credit, "One, Two and Three")
                #expect(try differences(match, old).isEmpty, "\(credit)")
            }
            var match = MusicMatch()
            (match.artist.name, match.album.artist) = ("The Tin Foxes", "One & Two")
            #expect(try differences(match, old) == ["ARTIST": ["The Tin Foxes"], "ALBUMARTIST": ["One & Two"]])
        }
    }

    @Test("Further identifiers stay, those of another album go")
    func identifiers() throws {
        try withTemporaryFolder { folder in
            let (a, b) = ("6b9e0c3a-5a07-4d0b-8f0c-0d4a6f0e6a11", "6b9e0c3a-5a07-4d0b-8f0c-0d4a6f0e6a22")
            let old = try tags(
                "tagged.ogg",
                in: folder,
                [
                    "ISRC": ["GBAYE0601498", "GBAYE0601499"], "MUSICBRAINZ_TRACKID": [b], "MUSICBRAINZ_ALBUMID": [b],
                    "MUSICBRAINZ_RELEASEGROUPID": [b, a.uppercased()],
                ]
            )
            var match = MusicMatch()
            match.track.identifiers = ["isrc:GBAYE0601498", "musicBrainzRecording:\(a)"]
            match.album.identifiers = ["musicBrainzRelease:\(a)", "musicBrainzReleaseGroup:\(a)"]
            #expect(try differences(match, old) == ["MUSICBRAINZ_TRACKID": [a], "MUSICBRAINZ_ALBUMID": [a]])
        }
    }

    @Test("What writing leaves out is said, and only when something is written")
    func losses() throws {
        try withTemporaryFolder { folder in
            // TSIZ, which ID3v2.4 has no more.
            let url = folder.appendingPathComponent("a.mp3")
            let body = Array("TSIZ".utf8) + [0, 0, 0, 3, 0, 0, 0] + Array("12".utf8)
            let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(body.count)] + body
            let sound = try Data(contentsOf: MusicFixtures.copy(["half1.mp3"], to: folder)[0])
            let head = sound.prefix(10)
            let skipped =
                head.starts(with: Array("ID3".utf8)) ? 10 + head.dropFirst(6).reduce(0) { $0 << 7 | Int($1) } : 0
            try (Data(tag) + sound.dropFirst(skipped)).write(to: url)
            let tags = try TagFile.loadBlocking(url)
            let decision = FileDecision(
                file: "1",
                match: numbered,
                confidence: 1,
                albumConfidence: 1,
                editionConfidence: 1
            )
            #expect(try TagPlan(decision, tags: tags)?.losses == ["TSIZ"])
            let nothing = FileDecision(
                file: "1",
                match: MusicMatch(),
                confidence: 1,
                albumConfidence: 1,
                editionConfidence: 1
            )
            let plan = try #require(try TagPlan(nothing, tags: tags))
            #expect(plan.isEmpty && plan.losses.isEmpty)
        }
    }

    @Test("A cover is a picture of a known type, and goes where it can be held")
    func covers() throws {
        let png = MusicFixtures.picture(100)
        #expect(TagPicture.cover(from: png)?.mimeType == "image/png")
        #expect(TagPicture.cover(from: Array("<html>Not found</html>".utf8)) == nil)
        #expect(TagPicture.cover(from: Array("GIF89a".utf8) + [1, 0, 1, 0]) == nil)
        #expect(TagPicture.cover(from: []) == nil)
        #expect(TagPicture.cover(from: png + [UInt8](repeating: 0, count: TagPicture.mostCoverBytes)) == nil)
        try withTemporaryFolder { folder in
            var none = TagEdit()
            none.removePictures()
            let webp = TagPicture(bytes: png, mimeType: "image/webp")
            let decision = FileDecision(
                file: "1",
                match: numbered,
                confidence: 1,
                albumConfidence: 1,
                editionConfidence: 1
            )
            for (name, isHeld) in [("tagged.m4a", false), ("tagged.mp3", true)] {
                let url = try MusicFixtures.copy([name], to: folder)[0]
                let tags = try TagFile.writeBlocking(none, to: url)
                let plan = try #require(try TagPlan(decision, tags: tags, cover: webp))
                #expect(plan.change.edit.pictures.isEmpty != isHeld && !plan.differences.isEmpty)
                let good = try #require(try TagPlan(decision, tags: tags, cover: TagPicture(bytes: png)))
                #expect(good.change.edit.pictures.count == 1)
            }
        }
    }

    @Test("Who is not sure enough needs not be read")
    func sureness() {
        var options = TagPlan.Options()
        #expect(options.includes(FileDecision(file: "1", match: numbered, confidence: 0.8)))
        #expect(!options.includes(FileDecision(file: "1", match: numbered, confidence: 0.79)))
        #expect(!options.includes(FileDecision(file: "1")))
        options.leastConfidence = 0
        #expect(!options.includes(FileDecision(file: "1")))
    }
}
