import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Testing

@Suite("Matches as JSON")
struct MusicMatchJSONTests {
    private static func json(_ match: MusicMatch) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(match), as: UTF8.self)
    }

    private static func match(_ json: String) throws -> MusicMatch {
        try JSONDecoder().decode(MusicMatch.self, from: Data(json.utf8))
    }

    @Test("a match with all members has the form that services send and histories store")
    func whole() throws {
        #expect(try Self.json(Self.full) == Self.fullForm)
        #expect(try Self.match(Self.fullForm) == Self.full)
    }

    @Test("a match without any member has its lists, and no numbers")
    func empty() throws {
        #expect(try Self.json(MusicMatch()) == Self.emptyForm)
        #expect(try Self.match(Self.emptyForm) == MusicMatch())
    }

    @Test("lists that are left out are empty, and numbers below zero unknown")
    func lenient() throws {
        #expect(try Self.match("{}") == MusicMatch())
        #expect(try Self.match(#"{"trackNumber":-1,"albumTrackCount":-1}"#) == MusicMatch())
        #expect(try Self.match(#"{"trackNumber":3}"#).track.number == 3)
    }

    @Test("numbers that no clock and no range can express end nothing")
    func extremes() throws {
        #expect(try Self.match(#"{"trackDuration":1e300}"#) == MusicMatch())
        let backwards = Self.fullForm.replacing(#""queryEnd" : 8"#, with: #""queryEnd" : -3"#)
        let placement = try #require(try Self.match(backwards).placement)
        #expect(placement.queryRange.lowerBound == placement.queryRange.upperBound)
        #expect(try Self.match(#"{"songPosition":9223372036854775807}"#).songPosition?.value == .max)
    }

    @Test("times of every rate of media are the same seconds again")
    func times() throws {
        for rate in [1_000, 11_025, 16_000, 44_100, 48_000, 90_000, 96_000] as [Int32] {
            for value in [1, 77_777, 123_456_789] as [Int64] {
                var match = MusicMatch()
                match.track.duration = MediaTime(value: value, timescale: rate)
                let form = try Self.json(match)
                #expect(try Self.match(form) == match, "\(value)/\(rate)")
                #expect(try Self.json(try Self.match(form)) == form, "\(value)/\(rate)")
            }
        }
    }
}

extension MusicMatchJSONTests {
    private static var full: MusicMatch {
        func descriptors(_ kind: String) -> [Descriptor] {
            [Descriptor(id: "\(kind).a", name: "A"), Descriptor(id: "\(kind).b", name: "B")]
        }
        func image(_ name: String) -> ContentImage {
            ContentImage(
                url: "/v1/content/\(name)",
                size: .medium,
                isGenreArt: name == "cover",
                attribution: "Someone"
            )
        }
        func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 16_000) }
        var match = MusicMatch()
        (match.track.id, match.track.title, match.track.titleReading) = ("t1", "Lantern", "らんたん")
        (match.track.number, match.track.discNumber, match.track.discTrackCount) = (3, 1, 9)
        match.track.duration = time(201.5)
        match.track.genres = descriptors("genre")
        match.track.links = [ExternalLink(source: "shop", id: "1/2", address: "https://shop.example/1")]
        match.track.identifiers = ["isrc:GBAYE0601498"]
        match.track.credits = [ArtistCredit("One", artist: "a1", joint: " & "), ArtistCredit("Two", role: .composer)]
        (match.track.mood, match.track.tempo) = (descriptors("mood"), descriptors("tempo"))
        (match.artist.id, match.artist.name, match.artist.reading) = ("a1", "The Tin Foxes", "ザ")
        match.artist.alternates = ["Tin Foxes"]
        match.artist.origin = descriptors("origin")
        (match.artist.era, match.artist.type) = (descriptors("era"), descriptors("type"))
        (match.artist.biography, match.artist.biographyURL) = (["One.", "Two."], "/v1/content/bio")
        match.artist.image = image("artist")
        (match.album.id, match.album.title, match.album.titleReading) = ("l1", "Morning Rail", "もーにんぐ")
        (match.album.artist, match.album.artistReading) = ("Various Artists", "ヴ")
        match.album.artistAlternates = ["VA"]
        (match.album.releaseYear, match.album.trackCount, match.album.discCount) = ("1999", 12, 2)
        match.album.identifiers = ["barcode:123"]
        match.album.genres = descriptors("genre")
        match.album.links = [ExternalLink(source: "shop", id: "9")]
        (match.album.review, match.album.reviewURL) = (["Fine."], "/v1/content/review")
        match.album.coverArt = image("cover")
        match.songPosition = time(62.25)
        match.score = 7.25
        match.placement = ReferencePlacement(
            reference: "lantern",
            placement: Placement(
                offset: time(62.25),
                queryRange: time(0.5)..<time(8),
                referenceRange: time(62.7549375)..<time(70.25),
                speedSkew: 0.01,
                pitchSkew: -0.002,
                confidence: 0.999,
                sharedMaterial: SharedMaterial(frequencies: 180..<720, times: time(0.5)..<time(8))
            )
        )
        return match
    }

    private static let fullForm = #"""
        {
          "albumArtist" : "Various Artists",
          "albumArtistAlternates" : [
            "VA"
          ],
          "albumArtistReading" : "ヴ",
          "albumGenre" : [
            {
              "id" : "genre.a",
              "name" : "A"
            },
            {
              "id" : "genre.b",
              "name" : "B"
            }
          ],
          "albumID" : "l1",
          "albumIdentifiers" : [
            "barcode:123"
          ],
          "albumLinks" : [
            {
              "id" : "9",
              "source" : "shop"
            }
          ],
          "albumReleaseYear" : "1999",
          "albumReview" : [
            "Fine."
          ],
          "albumReviewURL" : "/v1/content/review",
          "albumTitle" : "Morning Rail",
          "albumTitleReading" : "もーにんぐ",
          "albumTrackCount" : 12,
          "artist" : "The Tin Foxes",
          "artistAlternates" : [
            "Tin Foxes"
          ],
          "artistBiography" : [
            "One.",
            "Two."
          ],
          "artistBiographyURL" : "/v1/content/bio",
          "artistID" : "a1",
          "artistReading" : "ザ",
          "artistType" : [
            {
              "id" : "type.a",
              "name" : "A"
            },
            {
              "id" : "type.b",
              "name" : "B"
            }
          ],
          "contributorImage" : {
            "attribution" : "Someone",
            "isGenreArt" : false,
            "mimeType" : "image/png",
            "size" : "MEDIUM",
            "url" : "/v1/content/artist"
          },
          "coverArt" : {
            "attribution" : "Someone",
            "isGenreArt" : true,
            "mimeType" : "image/png",
            "size" : "MEDIUM",
            "url" : "/v1/content/cover"
          },
          "credits" : [
            {
              "artist" : "a1",
              "joint" : " & ",
              "name" : "One",
              "role" : "main"
            },
            {
              "joint" : "",
              "name" : "Two",
              "role" : "composer"
            }
          ],
          "discCount" : 2,
          "discNumber" : 1,
          "discTrackCount" : 9,
          "era" : [
            {
              "id" : "era.a",
              "name" : "A"
            },
            {
              "id" : "era.b",
              "name" : "B"
            }
          ],
          "mood" : [
            {
              "id" : "mood.a",
              "name" : "A"
            },
            {
              "id" : "mood.b",
              "name" : "B"
            }
          ],
          "origin" : [
            {
              "id" : "origin.a",
              "name" : "A"
            },
            {
              "id" : "origin.b",
              "name" : "B"
            }
          ],
          "placement" : {
            "confidence" : 0.999,
            "offset" : 62.25,
            "pitchSkew" : -0.002,
            "queryBegin" : 0.5,
            "queryEnd" : 8,
            "reference" : "lantern",
            "referenceBegin" : 62.7549375,
            "referenceEnd" : 70.25,
            "sharedMaterial" : {
              "begin" : 0.5,
              "end" : 8,
              "highestFrequency" : 720,
              "lowestFrequency" : 180
            },
            "speedSkew" : 0.01
          },
          "score" : 7.25,
          "songPosition" : 62250,
          "tempo" : [
            {
              "id" : "tempo.a",
              "name" : "A"
            },
            {
              "id" : "tempo.b",
              "name" : "B"
            }
          ],
          "trackDuration" : 201.5,
          "trackGenre" : [
            {
              "id" : "genre.a",
              "name" : "A"
            },
            {
              "id" : "genre.b",
              "name" : "B"
            }
          ],
          "trackID" : "t1",
          "trackIdentifiers" : [
            "isrc:GBAYE0601498"
          ],
          "trackLinks" : [
            {
              "address" : "https://shop.example/1",
              "id" : "1/2",
              "source" : "shop"
            }
          ],
          "trackNumber" : 3,
          "trackTitle" : "Lantern",
          "trackTitleReading" : "らんたん"
        }
        """#

    private static let emptyForm = #"""
        {
          "albumGenre" : [

          ],
          "artistType" : [

          ],
          "era" : [

          ],
          "mood" : [

          ],
          "origin" : [

          ],
          "tempo" : [

          ],
          "trackGenre" : [

          ]
        }
        """#
}
