import EarshotCore
import EarshotMusic
import Testing

@Suite("Tags of files")
struct TrackTagsTests {
    private let recording = "dddddddd-2222-4333-8444-555555555555"
    private let release = "aaaaaaaa-2222-4333-8444-555555555555"
    private let one = "11111111-2222-4333-8444-555555555555"

    @Test("The names that programs write are known in every spelling")
    func names() throws {
        let track = try TrackTags([
            "TITLE": "Lantern", "artist": "The Tin Foxes", "ALBUM": "Morning Rail", "album_artist": "Various",
            "MusicBrainz Track Id": recording, "MUSICBRAINZ_ALBUMID": release, "musicbrainz_artistid": one,
            "track": "3/12", "discnumber": "2", "DATE": "1999-05-31T10:00", "TSRC": "GBAYE0601498",
            "BARCODE": "4006381333931",
            "genre": "Zz; Jazz", "TBPM": "128", "compilation": "1",
        ]).description(duration: MediaTime(value: 7, timescale: 2))
        #expect(track.trackID.rawValue == recording)
        #expect(track.albumID?.rawValue == release)
        #expect(track.artist?.id?.rawValue == one)
        #expect(track.albumArtist?.name.text == "Various" && track.albumArtist?.id == nil)
        #expect((track.number, track.trackCount, track.disc) == (3, 12, 2))
        #expect(track.date == PartialDate("1999-05-31"))
        #expect(track.duration == MediaTime(value: 7, timescale: 2))
        #expect(
            track.identifiers.map(\.description).sorted() == ["isrc:GBAYE0601498", "musicBrainzRecording:\(recording)"]
        )
        #expect(track.album?.identifiers.count == 2)
        #expect(track.genres == ["jazz"])
        #expect(track.tempo != nil && track.isCompilation)
    }

    @Test("What cannot be read is left out; several artists in a tag have an id of their own")
    func odd() throws {
        let track = try TrackTags([
            "title": "Lantern", "artist": "A; B", "musicbrainz_artistid": "\(one);\(release)", "track": "A1",
            "date": "0000", "isrc": "none", "musicbrainz_trackid": "x",
        ]).description(duration: .indefinite)
        #expect(track.artist?.id == nil && track.number == nil && track.date == nil && track.identifiers.isEmpty)
        #expect(track.id == nil && track.trackID.rawValue.hasPrefix("track-"))
        #expect(track.duration == nil && track.album == nil)
        #expect(throws: EarshotError.self) { try TrackTags(["title": " ", "artist": "A"]).description() }
    }

    @Test("A collection without an artist of its own is one album")
    func compilation() throws {
        let albums = try ["A", "B"].map {
            try TrackTags(["title": "T", "artist": $0, "album": "Hits", "compilation": "1"]).description().albumID
        }
        #expect(albums[0] == albums[1])
    }
}
