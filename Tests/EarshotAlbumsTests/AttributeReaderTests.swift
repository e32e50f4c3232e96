import EarshotCatalogs
import EarshotCore
@testable import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("What files say of themselves")
struct AttributeReaderTests {
    private func read(_ name: String, _ evidence: AlbumEvidence = .all) async throws(EarshotError) -> FileAttributes {
        let url = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/\(name)")
        return try await AttributeReader(evidence).attributes(of: MusicFolder.File(url, path: ["folder", name]))
    }

    @Test(
        "artist, album, track and identifiers come from tags",
        .requirements("R-MC-094"),
        arguments: ["tagged.mp3", "tagged.ogg"]
    )
    func tags(name: String) async throws {
        let file = try await read(name)
        #expect((file.title, file.artist) == ("夜の音 “Earshot”", "音楽家"))
        #expect((file.album, file.albumArtist) == ("テストの歌", "Various"))
        #expect((file.trackNumber, file.trackCount) == (3, 12))
        #expect((file.discNumber, file.discCount) == (1, 2))
        #expect(file.date == PartialDate(year: 2024))
        #expect(file.genre == "Test")
        #expect(file.identifiers == Set([MusicIdentifier(.isrc, "QZABC2400001")].compactMap(\.self)))
        #expect(file.path == ["folder", name])
    }

    @Test("a file that cannot be decoded is known by its tags", .requirements("R-MC-087"))
    func undecodable() async throws {
        let file = try await read("protected.mp4")
        #expect(file.title == "夜の音 “Earshot”")
        #expect(file.signature == nil && file.fingerprint == nil)
    }

    @Test("of a film no fingerprint is made, and one without tags is known by its name", .requirements("R-MC-118"))
    func video() async throws {
        let file = try await read("late.mp4")
        #expect(file.signature == nil && file.fingerprint == nil)
        #expect(file.path.last == "late.mp4")
        #expect(file.duration != nil)
    }

    @Test("what has neither sound nor tags is an error")
    func nothing() async throws {
        let error = await #expect(throws: EarshotError.self) { try await read("README.md") }
        #expect(error?.code == .assetUnreadable)
    }

    @Test("of a whole track there are signature and fingerprint, each where it is wanted")
    func sound() async throws {
        let url = packageFolder.appendingPathComponent("Samples/Music/cold-day.ogg")
        let file = MusicFolder.File(url, path: ["cold-day.ogg"])
        for evidence in [AlbumEvidence.all, .sound, .fingerprints, .tags] {
            let attributes = try await AttributeReader(evidence).attributes(of: file)
            #expect((attributes.signature != nil) == evidence.contains(.sound))
            #expect((attributes.fingerprint != nil) == evidence.contains(.fingerprints))
            let text = try attributes.fingerprint.map { try FileFingerprint(text: $0, duration: .zero) }
            #expect(text.map { $0.values.count > 300 } ?? true)
        }
    }

    @Test("attributes are the same after they were stored")
    func stored() async throws {
        for name in ["tagged.mp3", "late.mp4"] {
            let file = try await read(name)
            let bytes = try JSONEncoder().encode(file)
            let read = try JSONDecoder().decode(FileAttributes.self, from: bytes)
            #expect(read.duration.map { abs($0.seconds - (file.duration?.seconds ?? 0)) < 0.001 } == true)
            #expect((read.title, read.identifiers, read.path) == (file.title, file.identifiers, file.path))
        }
        var odd = try await read("tagged.ogg")
        odd.signature = try SyntheticMusic(seed: 4, duration: 4).signature(from: 0, seconds: 4)
        let again = try JSONDecoder().decode(FileAttributes.self, from: JSONEncoder().encode(odd))
        #expect(again.signature == odd.signature)
    }
}
