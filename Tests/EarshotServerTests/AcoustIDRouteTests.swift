import EarshotAPI
import EarshotCore
import EarshotFingerprints
import EarshotMusic
@testable import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("AcoustID's protocol over HTTP")
struct AcoustIDRouteTests {
    private static let recording = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c01"
    private static let release = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c02"
    private static let group = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c03"
    private static let artist = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c04"

    private func music() -> [MusicChange] {
        func identifiers(_ pairs: (MusicIdentifier.Scheme, String)...) -> Set<MusicIdentifier> {
            Set(pairs.compactMap { MusicIdentifier($0.0, $0.1) })
        }
        var artist = Artist(id: "walkers", name: Name("The Walkers"))
        artist.identifiers = identifiers((.musicBrainzArtist, Self.artist))
        var album = Album(
            id: "roads",
            title: Name("Roads"),
            credits: [ArtistCredit("The Walkers", artist: "walkers")]
        )
        album.date = PartialDate("2003-04-05")
        album.media = [Album.Medium(position: 1, format: "CD", trackCount: 8)]
        album.identifiers = identifiers(
            (.musicBrainzRelease, Self.release),
            (.musicBrainzReleaseGroup, Self.group)
        )
        var track = Track(id: "crossing", title: Name("Crossing"), place: Track.Place(album: "roads", number: 5))
        track.duration = MediaTime(seconds: 200)
        track.identifiers = identifiers((.musicBrainzRecording, Self.recording))
        return [.artist(artist), .album(album), .track(track)]
    }

    @Test("what is submitted is imported, and found with what is known of it")
    func roundTrip() async throws {
        try await TestService.run { service in
            try await service.music.apply(music())
            let keys = try await service.acoustIDKeys()
            let text = try FileFingerprint.madeUp(1).text
            // As pyacoustid sends it: entries with numbers.
            let submitted = try await service.acoustID(
                "/v2/submit",
                form:
                    "format=json&client=\(keys.client)&user=\(keys.user)&wait=10&duration.0=200&fingerprint.0=\(text)&mbid.0=\(Self.recording)&duration.1=200&fingerprint.1=\(text)"
            )
            // The second says nothing of what it is of.
            let one = try #require(submitted.submissions?.first)
            #expect(submitted.submissions?.count == 1)
            #expect(one.index == "0")
            #expect(one.status == "imported")
            let status = try await service.acoustID(
                "/v2/submission_status?client=\(keys.client)&id=\(one.id)&id=999"
            )
            #expect(status.submissions?.map(\.status) == ["imported", "pending"])
            let track = try #require(status.submissions?.first?.result?.id)
            #expect(one.result?.id == track)

            // As beets asks.
            let beets = try await service.acoustID(
                "/v2/lookup",
                form: "format=json&client=\(keys.client)&duration=203&fingerprint=\(text)&meta=recordings+releases"
            )
            let result = try #require(beets.results?.first)
            #expect(beets.results?.count == 1)
            #expect((result.id, result.score) == (track, 1))
            let recording = try #require(result.recordings?.first)
            #expect((recording.id, recording.title, recording.duration) == (Self.recording, "Crossing", 200))
            #expect(recording.artists == [AcoustIDAnswer.Artist(id: Self.artist, name: "The Walkers")])
            #expect(recording.releases?.map(\.id) == [Self.release])

            // As Picard asks.
            let picard = try await service.acoustID(
                "/v2/lookup",
                form:
                    "meta=recordings%20releasegroups%20releases%20tracks%20compress%20sources&fingerprint=\(text)&duration=200&client=\(keys.client)&clientversion=2.12&format=json"
            )
            let told = try #require(picard.results?.first?.recordings?.first)
            #expect(told.sources == 1)
            #expect(told.releasegroups?.map(\.id) == [Self.group])
            let medium = try #require(told.releasegroups?.first?.releases?.first?.mediums?.first)
            #expect(medium.tracks.map(\.position) == [5])
            #expect(medium.tracks.first?.title == nil)

            // Eight seconds are too many unless asked for.
            let far = "/v2/lookup?client=\(keys.client)&duration=208&fingerprint=\(text)"
            #expect(try await service.acoustID(far).results?.isEmpty == true)
            #expect(try await service.acoustID(far + "&maxdurationdiff=8").results?.map(\.id) == [track])
            #expect(
                try await service.acoustID("/v2/lookup?client=\(keys.client)&trackid=\(track)").results?.map(\.id) == [
                    track
                ]
            )

            let listed = try await service.acoustID("/v2/track/list_by_mbid?mbid=\(Self.recording)")
            #expect(listed.tracks?.map(\.id) == [track])
            let batch = try await service.acoustID(
                "/v2/track/list_by_mbid?batch=1&mbid=\(Self.recording)&mbid=\(Self.group)"
            )
            #expect(batch.mbids?.map(\.tracks.count) == [1, 0])
            let kept = try await service.acoustID("/v2/fingerprint?id=1").fingerprint
            #expect(kept?.duration == 200)
            #expect(kept?.hashes.map { UInt32(bitPattern: Int32($0)) } == (try FileFingerprint.madeUp(1).values))
        }
    }

    @Test("of a batch each entry is answered, and bad ones are passed over")
    func batch() async throws {
        try await TestService.run { service in
            let keys = try await service.acoustIDKeys()
            let text = try FileFingerprint.madeUp(1).text
            let base = "/v2/lookup?client=\(keys.client)"
            let good = "duration.3=200&fingerprint.3=\(text)"
            let mixed = try await service.acoustID(
                "\(base)&batch=1&\(good)&duration=200&fingerprint=\(text)&duration.1=200&fingerprint.1=bad&trackid.2=no&fingerprint.9=\(text)"
            )
            #expect(mixed.fingerprints?.map(\.index) == [nil, 3])
            // The last decides when there is no other.
            let bad = try await service.acoustID("\(base)&batch=1&fingerprint.1=bad&duration.1=1&trackid.2=no")
            #expect(bad.error?.code == 7)
            // Without `batch` the first good one is answered.
            let first = try await service.acoustID("\(base)&fingerprint.1=bad&duration.1=1&\(good)")
            #expect(first.results?.isEmpty == true)
            let many = (0..<21).map { "trackid.\($0 + 30)=\(UUID())&duration.\($0)=200&fingerprint.\($0)=\(text)" }
            let tooMany = try await service.acoustID(base + "&batch=1", form: many.joined(separator: "&"))
            #expect(tooMany.error?.code == 19)
            let tracks = (0..<101).map { "trackid.\($0)=\(UUID())" }.joined(separator: "&")
            #expect(try await service.acoustID(base + "&batch=1", form: tracks).error?.code == 19)
        }
    }

    @Test("each failure has its code")
    func failures() async throws {
        var settings = ServiceSettings()
        settings.fingerprintRequestsPerSecond = 60
        try await TestService.run(settings) { service in
            let keys = try await service.acoustIDKeys()
            let text = try FileFingerprint.madeUp(1).text
            let client = "client=\(keys.client)"
            let entry = "duration=200&fingerprint=\(text)"
            let submit = "/v2/submit?\(client)&user=\(keys.user)"
            let cases: [(String, Int)] = [
                ("/v2/lookup?format=yaml", 1), ("/v2/lookup?\(entry)", 2), ("/v2/lookup?\(client)", 2),
                ("/v2/lookup?\(client)&duration=0&fingerprint=\(text)", 2), ("/v2/lookup?\(client)&duration=9", 2),
                ("/v2/lookup?\(client)&duration=200&fingerprint=AQAA", 3), ("/v2/lookup?client=x&\(entry)", 4),
                ("/v2/lookup?client=12345678-ABC&\(entry)", 4), ("/v2/submit?\(client)&\(entry)", 2),
                ("/v2/submit?\(client)&user=x&\(entry)", 6), ("/v2/user/lookup?user=a.b", 6),
                ("/v2/lookup?\(client)&trackid=x", 7), ("\(submit)&\(entry)&mbid=x", 7),
                ("\(submit)&duration=32768&fingerprint=\(text)&track=T", 8), ("\(submit)&\(entry)&bitrate=-1", 9),
                ("\(submit)&\(entry)&foreignid=x", 10), ("/v2/lookup?\(client)&\(entry)&maxdurationdiff=31", 11),
                ("/v2/lookup?\(client)&\(entry)&maxdurationdiff=0", 11),
                ("/v2/user/create_musicbrainz?access_token=x", 16), ("/v2/user/create_musicbrainz", 2),
                ("/v2/fingerprint?id=77", 18), ("/v2/fingerprint", 2), ("/v2/track/list_by_mbid", 2),
                ("/v2/track/list_by_mbid?mbid=x", 7), ("/v2/track/list_by_puid?puid=x", 7),
                ("/v2/submission_status?\(client)", 2),
            ]
            for (path, code) in cases {
                let answer = try await service.acoustID(path)
                #expect(answer.error?.code == code, "\(path.prefix(80))")
                #expect(answer.status == "error")
            }
            #expect(try await service.acoustID("/v2/user/lookup?user=\(keys.user)").user?.apikey == keys.user)
            #expect(try await service.acoustID("/v2/track/list_by_puid?puid=\(UUID())").tracks?.isEmpty == true)
            // The user's log-in was ended.
            _ = try await service.accounts.updateUser(String(keys.user.prefix { $0 != "." })) { $0.loggedOut = Date() }
            #expect(try await service.acoustID("/v2/user/lookup?user=\(keys.user)").error?.code == 6)
            #expect(try await service.acoustID("\(submit)&\(entry)").error?.code == 6)
            #expect(try await service.ask(.GET, "/_health").status == 200)

            var change = ClientChange()
            change.modules = [.monitoring]
            let monitor = try await service.client(change).identifier ?? ""
            #expect(try await service.acoustID("/v2/lookup?client=\(monitor)&\(entry)").error?.code == 12)
            // The key of a program, as the operator lets it in.
            let id = String(keys.client.prefix { $0 != "-" })
            try await service.accounts.setValue(Data(id.utf8), for: ClientRegister.fingerprintKeyPrefix + "v8pQ6oyB")
            #expect(try await service.acoustID("/v2/lookup?client=v8pQ6oyB&\(entry)").status == "ok")
            try await service.accounts.setValue(
                Data("gone".utf8),
                for: ClientRegister.fingerprintKeyPrefix + "v8pQ6oyB"
            )
            #expect(try await service.acoustID("/v2/lookup?client=v8pQ6oyB&\(entry)").error?.code == 17)
        }
    }

    @Test("who asks too often is told so, and may go on a second later")
    func pace() async throws {
        var settings = ServiceSettings()
        settings.fingerprintRequestsPerSecond = 3
        try await TestService.run(settings) { service in
            let path = "/v2/track/list_by_puid?puid=\(UUID())"
            for _ in 0..<3 { #expect(try await service.ask(.GET, path).status == 200) }
            let reply = try await service.ask(.GET, path)
            #expect((reply.status, try reply.decoded(AcoustIDAnswer.self).error?.code) == (429, 14))
            service.time.advance(1)
            #expect(try await service.ask(.GET, path).status == 200)
        }
    }

    @Test("answers come as JSON, as a script and as XML, failures too")
    func formats() async throws {
        try await TestService.run { service in
            let path = "/v2/track/list_by_puid?puid=\(UUID())"
            let json = try await service.ask(.GET, path)
            #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"status": "ok", "tracks": []}"#)
            #expect(json.headers["Content-Type"].first == "application/json; charset=UTF-8")
            let script = try await service.ask(.GET, path + "&format=jsonp&jsoncallback=a.b")
            #expect(String(decoding: script.bytes, as: UTF8.self) == #"a.b({"status": "ok", "tracks": []})"#)
            let evil = try await service.ask(.GET, path + "&format=jsonp&jsoncallback=alert(1)")
            #expect(String(decoding: evil.bytes, as: UTF8.self).hasPrefix("jsonAcoustidApi({"))
            let xml = try await service.ask(.GET, "/v2/lookup?format=xml")
            #expect(xml.status == 400)
            #expect(xml.headers["Content-Type"].first == "text/xml; charset=UTF-8")
            #expect(
                String(decoding: xml.bytes, as: UTF8.self).hasSuffix(
                    "<response><error><code>2</code><message>missing required parameter \"client\"</message></error><status>error</status></response>"
                )
            )
        }
    }

    @Test("the old paths take what programs of the first version send, and answer in XML")
    func firstVersion() async throws {
        try await TestService.run { service in
            let keys = try await service.acoustIDKeys()
            let entry = "length=200&fingerprint=\(try FileFingerprint.madeUp(1).text)"
            func told(_ method: HTTPMethod, _ path: String, _ form: String) async throws -> (Int, String) {
                let reply =
                    method == .GET
                    ? try await service.ask(.GET, "\(path)?\(form)")
                    : try await service.ask(
                        .POST,
                        path,
                        type: "application/x-www-form-urlencoded",
                        body: Data(form.utf8)
                    )
                #expect(reply.headers["Content-Type"].first == "text/xml; charset=UTF-8")
                let text = String(decoding: reply.bytes, as: UTF8.self)
                return (reply.status, text.replacing("<?xml version='1.0' encoding='UTF-8'?>\n", with: ""))
            }
            let client = "client=\(keys.client)"
            let submission =
                "\(client)&user=\(keys.user)&\(entry)&mbid=\(Self.recording)&bitrate=192&format=MP3&wait=10"
            let submitted = try await told(.POST, "/submit", submission)
            #expect(submitted.0 == 200)
            #expect(
                submitted.1.contains(
                    "<status>imported</status></submission></submissions></response>"
                )
            )
            let track = try #require(
                try await service.acoustID("/v2/track/list_by_mbid?mbid=\(Self.recording)").tracks?.first?.id
            )
            let result = "<id>\(track)</id><score>1.0</score>"
            let lookups = [
                ("", result), ("&meta=0", result), ("&format=json", result),
                ("&meta=1", "\(result)<tracks><track><id>\(Self.recording)</id></track></tracks>"),
                ("&meta=2", "\(result)<tracks><track><id>\(Self.recording)</id></track></tracks>"),
            ]
            for (words, expected) in lookups {
                let found = try await told(.GET, "/lookup", "\(client)&\(entry)\(words)")
                let answer = "<response><results><result>\(expected)</result></results><status>ok</status></response>"
                #expect(found == (200, answer), "\(words)")
            }
            // It has another word for the duration, and says so.
            let failures = [
                ("/lookup", entry, 2, "client"), ("/lookup", "\(client)&duration=200&fingerprint=A", 2, "length"),
                ("/lookup", "\(client)&length=200&fingerprint=A", 3, "fingerprint"),
                ("/submit", "\(client)&user=\(keys.user)&duration=200&fingerprint=A", 2, "length"),
                ("/submit", "\(client)&user=\(keys.user)&length=40000&fingerprint=A", 8, "length"),
            ]
            service.time.advance(1)
            for (path, form, code, named) in failures {
                let (status, text) = try await told(.POST, path, form)
                #expect(status == 400)
                #expect(text.hasPrefix("<response><error><code>\(code)</code>") && text.contains(named), "\(text)")
            }
        }
    }

    @Test("what people wrote is told where nothing else is known")
    func userMetadata() async throws {
        try await TestService.run { service in
            let keys = try await service.acoustIDKeys()
            let text = try FileFingerprint.madeUp(4).text
            _ = try await service.acoustID(
                "/v2/submit",
                form:
                    "client=\(keys.client)&user=\(keys.user)&wait=10&duration=200&fingerprint=\(text)&track=Demo&artist=Nobody&album=Tape&year=0"
            )
            let path = "/v2/lookup?client=\(keys.client)&duration=200&fingerprint=\(text)&meta=recordings+usermeta"
            let found = try await service.ask(.GET, path)
            #expect(
                String(decoding: found.bytes, as: UTF8.self).contains(
                    #""recordings": [{"artists": [{"name": "Nobody"}], "title": "Demo"}]"#
                )
            )
            let without = try await service.acoustID(path.replacing("+usermeta", with: ""))
            #expect(without.results?.count == 1)
            #expect(without.results?.first?.recordings == nil)
        }
    }
}
