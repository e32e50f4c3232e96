import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotRecognition
import EarshotTags
import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Plans of tags")
struct TagPlanTests {
    private func decision(confidence: Double = 0.95) -> FileDecision {
        var match = MusicMatch()
        (match.track.title, match.artist.name, match.track.number) = ("Lantern", "The Tin Foxes", 3)
        (match.album.title, match.album.artist, match.album.releaseYear) = ("Morning Rail", "The Tin Foxes", "1999")
        (match.track.discNumber, match.album.discCount, match.track.discTrackCount) = (2, 2, 10)
        match.track.identifiers = ["isrc:GBAYE0601498", "musicBrainzRecording:6b9e0c3a-5a07-4d0b-8f0c-0d4a6f0e6a11"]
        match.album.identifiers = ["musicBrainzRelease:0f0e6a11-5a07-4d0b-8f0c-0d4a6f0e6a11"]
        return FileDecision(file: "1", match: match, confidence: confidence, albumConfidence: 1, editionConfidence: 1)
    }

    private func withSample(_ body: (TagFile, URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.ogg")
            try FileManager.default.copyItem(
                at: packageFolder.appendingPathComponent("Samples/Music/cold-day.ogg"),
                to: url
            )
            try await body(try await TagFile.load(url), folder)
        }
    }

    @Test("what the match names and the file does not say is written, and nothing else")
    func differences() async throws {
        try await withSample { tags, folder in
            let plan = try #require(try TagPlan(decision(), tags: tags))
            let new = Dictionary(uniqueKeysWithValues: plan.differences.map { ($0.name, $0.new) })
            #expect(new["TITLE"] == ["Lantern"])
            #expect(new["TRACKNUMBER"] == ["3"] && new["TRACKTOTAL"] == ["10"])
            #expect(new["DISCNUMBER"] == ["2"] && new["DISCTOTAL"] == ["2"])
            #expect(new["MUSICBRAINZ_TRACKID"] == ["6b9e0c3a-5a07-4d0b-8f0c-0d4a6f0e6a11"])
            #expect(new["MUSICBRAINZ_ALBUMID"] == ["0f0e6a11-5a07-4d0b-8f0c-0d4a6f0e6a11"])
            #expect(new["ISRC"] == ["GBAYE0601498"])
            #expect(plan.differences.first { $0.name == "TITLE" }?.old == ["Cold Day"])
            #expect(new["COMMENT"] == nil && new["COPYRIGHT"] == nil)
            #expect(plan.change.destination == nil)
            // Written once, there is nothing left to plan.
            _ = try await TagFile.write(plan.change.edit, to: plan.change.file)
            let again = try #require(try TagPlan(decision(), tags: try await TagFile.load(tags.url)))
            #expect(again.isEmpty)
            #expect(try await TagFile.load(tags.url)["COPYRIGHT"] == tags["COPYRIGHT"])
        }
    }

    @Test("what is of an album or an edition that is not sure stays as it is")
    func extents() async throws {
        try await withSample { tags, folder in
            var decision = decision()
            decision.match?.album.identifiers?.append("musicBrainzReleaseGroup:1f0e6a11-5a07-4d0b-8f0c-0d4a6f0e6a11")
            var options = TagPlan.Options()
            options.template = try RenameTemplate("{album}/{title}")
            options.root = folder
            func names() throws -> Set<String> {
                let plan = try #require(try TagPlan(decision, tags: tags, options: options))
                #expect((plan.path == nil) == (decision.albumConfidence < 0.5))
                return Set(plan.differences.map(\.name))
            }
            let all = try names()
            #expect(all.isSuperset(of: ["ALBUM", "DATE", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_RELEASEGROUPID", "ISRC"]))
            decision.editionConfidence = 0.49
            #expect(try names() == all.subtracting(["DATE", "MUSICBRAINZ_ALBUMID"]))
            decision.albumConfidence = 0.49
            #expect(try names() == ["TITLE", "ARTIST", "ISRC", "MUSICBRAINZ_TRACKID"])
        }
    }

    @Test("numbers and dates that say the same in other forms stay")
    func forms() async throws {
        try await withSample { tags, folder in
            var edit = TagEdit()
            try edit.set("TRACKNUMBER", to: "03/10")
            try edit.set("DATE", to: "1999-05-31")
            _ = try await TagFile.write(edit, to: tags.url)
            let plan = try #require(try TagPlan(decision(), tags: try await TagFile.load(tags.url)))
            #expect(!plan.differences.contains { $0.name == "TRACKNUMBER" || $0.name == "DATE" })
        }
    }

    @Test("a file that is not sure enough, or is nothing that is known, has no plan")
    func unsure() async throws {
        try await withSample { tags, folder in
            for decision in [decision(confidence: 0.7), FileDecision(file: "1")] {
                let plan = try TagPlan(decision, tags: tags)
                #expect(plan == nil)
            }
        }
    }

    @Test("a template names the file by its new tags")
    func names() async throws {
        try await withSample { tags, folder in
            var options = TagPlan.Options()
            options.template = try RenameTemplate("{albumartist}/{album}{ (year)}/{disc-}{track:02} {title}")
            options.root = folder
            let plan = try #require(try TagPlan(decision(), tags: tags, options: options))
            #expect(plan.path == "The Tin Foxes/Morning Rail (1999)/2-03 Lantern.ogg")
            #expect(plan.change.destination == plan.path.map { folder.appendingPathComponent($0) })
        }
    }
}
