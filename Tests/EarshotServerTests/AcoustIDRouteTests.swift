import EarshotAPI
import EarshotAlbums
import EarshotCore
import EarshotMetadata
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("AcoustID's protocol over HTTP")
struct AcoustIDRouteTests {
    /// An answer as far as tests look at it.
    private struct Answer: Decodable {
        struct Fault: Decodable {
            var code: Int
            var message: String
        }
        struct Artist: Decodable, Equatable {
            var id: String
            var name: String
        }
        struct Track: Decodable {
            var position: Int
            var title: String?
        }
        struct Medium: Decodable {
            var position: Int
            var tracks: [Track]
        }
        struct Release: Decodable {
            var id: String
            var title: String?
            var mediums: [Medium]?
        }
        struct Group: Decodable {
            var id: String
            var releases: [Release]?
        }
        struct Recording: Decodable {
            var id: String?
            var title: String?
            var duration: Double?
            var sources: Int?
            var artists: [Artist]?
            var releases: [Release]?
            var releasegroups: [Group]?
        }
        struct Result: Decodable {
            var id: String
            var score: Double
            var recordings: [Recording]?
        }
        struct Entry: Decodable {
            var index: Int?
            var results: [Result]
        }
        struct Submission: Decodable {
            struct Outcome: Decodable { var id: String }
            var id: Int
            var status: String
            var index: String?
            var result: Outcome?
        }
        struct User: Decodable { var apikey: String }
        struct Listed: Decodable {
            var id: String
            var disabled: Bool?
        }
        struct Listing: Decodable {
            var mbid: String
            var tracks: [Listed]
        }
        struct Stored: Decodable {
            var id: Int
            var duration: Int
            var hashes: [Int]
        }
        var status: String
        var error: Fault?
        var results: [Result]?
        var fingerprints: [Entry]?
        var submissions: [Submission]?
        var user: User?
        var tracks: [Listed]?
        var mbids: [Listing]?
        var fingerprint: Stored?
    }

    private static let recording = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c01"
    private static let release = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c02"
    private static let group = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c03"
    private static let artist = "6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c04"

    /// A fingerprint somewhat like those of music.
    private func fingerprint(_ seed: UInt64, seconds: Int = 200) throws -> FileFingerprint {
        var random = SeededGenerator(seed: seed)
        var value = UInt32.random(in: 0 ... .max, using: &random)
        let values = (0..<900).map { _ in
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                value ^= 1 << UInt32.random(in: 0..<32, using: &random)
            }
            return value
        }
        return try FileFingerprint(values, duration: MediaTime(value: Int64(seconds), timescale: 1))
    }

    private func music() -> [MusicChange] {
        func identifiers(_ pairs: (CatalogueIdentifier.Scheme, String)...) -> Set<CatalogueIdentifier> {
            Set(pairs.compactMap { CatalogueIdentifier($0.0, $0.1) })
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

    private func ask(_ service: TestService, _ path: String) async throws -> Answer {
        try await service.ask(.GET, path).decoded(Answer.self)
    }

    private func post(_ service: TestService, _ path: String, _ form: String) async throws -> Answer {
        let type = "application/x-www-form-urlencoded"
        return try await service.ask(.POST, path, type: type, body: Data(form.utf8)).decoded(Answer.self)
    }

    /// The key of a new client, and of a user of it.
    private func keys(_ service: TestService) async throws -> (client: String, user: String) {
        let client = try #require(try await service.client().identifier)
        let user = try await ask(service, "/v2/user/create_anonymous?client=\(client)").user?.apikey
        return (client, try #require(user))
    }

    /// Bytes as gzip without compression: blocks that are stored, as any reader takes them.
    private func stored(_ bytes: [UInt8]) -> Data {
        var data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        func append(_ number: UInt32, _ count: Int) {
            for shift in 0..<count { data.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(shift)))) }
        }
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            data.append(rest.isEmpty ? 1 : 0)
            append(UInt32(block.count), 2)
            append(~UInt32(block.count), 2)
            data.append(contentsOf: block)
        } while !rest.isEmpty
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        append(~sum, 4)
        append(UInt32(truncatingIfNeeded: bytes.count), 4)
        return data
    }

    @Test("what is submitted is imported, and found with what is known of it")
    func roundTrip() async throws {
        try await TestService.run { service in
            try await service.music.apply(music())
            let keys = try await keys(service)
            let text = try fingerprint(1).text
            // As pyacoustid sends it: entries with numbers.
            let submitted = try await post(
                service,
                "/v2/submit",
                "format=json&client=\(keys.client)&user=\(keys.user)&wait=10&duration.0=200&fingerprint.0=\(text)&mbid.0=\(Self.recording)&duration.1=200&fingerprint.1=\(text)"
            )
            // The second says nothing of what it is of.
            let one = try #require(submitted.submissions?.first)
            #expect(submitted.submissions?.count == 1)
            #expect(one.index == "0")
            #expect(one.status == "imported")
            let status = try await ask(
                service,
                "/v2/submission_status?client=\(keys.client)&id=\(one.id)&id=999"
            )
            #expect(status.submissions?.map(\.status) == ["imported", "pending"])
            let track = try #require(status.submissions?.first?.result?.id)
            #expect(one.result?.id == track)

            // As beets asks.
            let beets = try await post(
                service,
                "/v2/lookup",
                "format=json&client=\(keys.client)&duration=203&fingerprint=\(text)&meta=recordings+releases"
            )
            let result = try #require(beets.results?.first)
            #expect(beets.results?.count == 1)
            #expect((result.id, result.score) == (track, 1))
            let recording = try #require(result.recordings?.first)
            #expect((recording.id, recording.title, recording.duration) == (Self.recording, "Crossing", 200))
            #expect(recording.artists == [Answer.Artist(id: Self.artist, name: "The Walkers")])
            #expect(recording.releases?.map(\.id) == [Self.release])

            // As Picard asks.
            let picard = try await post(
                service,
                "/v2/lookup",
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
            #expect(try await ask(service, far).results?.isEmpty == true)
            #expect(try await ask(service, far + "&maxdurationdiff=8").results?.map(\.id) == [track])
            #expect(
                try await ask(service, "/v2/lookup?client=\(keys.client)&trackid=\(track)").results?.map(\.id) == [
                    track
                ]
            )

            let listed = try await ask(service, "/v2/track/list_by_mbid?mbid=\(Self.recording)")
            #expect(listed.tracks?.map(\.id) == [track])
            let batch = try await ask(
                service,
                "/v2/track/list_by_mbid?batch=1&mbid=\(Self.recording)&mbid=\(Self.group)"
            )
            #expect(batch.mbids?.map(\.tracks.count) == [1, 0])
            let kept = try await ask(service, "/v2/fingerprint?id=1").fingerprint
            #expect(kept?.duration == 200)
            #expect(kept?.hashes.map { UInt32(bitPattern: Int32($0)) } == (try fingerprint(1).values))
        }
    }

    @Test("a gzip body is read, and one that would grow too large is refused")
    func gzip() async throws {
        try await TestService.run { service in
            let keys = try await keys(service)
            let form =
                "format=json&client=\(keys.client)&duration=200&fingerprint=\(try fingerprint(1).text)&meta=recordings"
            let type = "application/x-www-form-urlencoded"
            func send(_ body: Data) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v2/lookup",
                    type: type,
                    body: body,
                    headers: [("Content-Encoding", "gzip")]
                )
            }
            let whole = stored(Array(form.utf8))
            let reply = try await send(whole)
            #expect(reply.status == 200)
            #expect(try reply.decoded(Answer.self).results?.isEmpty == true)
            let large = Array(repeating: UInt8(ascii: "a"), count: AcoustIDBody.limit + 1)
            // Without the macro, which would show two million bytes.
            var refusal: EarshotError.Code?
            do throws(EarshotError) {
                _ = try CompressedBody.unpacked([UInt8](stored(large)), limit: AcoustIDBody.limit)
            } catch {
                refusal = error.code
            }
            #expect(refusal == .uploadTooLarge)
            let exact = Array(large.dropLast())
            let isWhole = try CompressedBody.unpacked([UInt8](stored(exact)), limit: AcoustIDBody.limit) == exact
            #expect(isWhole)
            let huge = try await service.ask(.POST, "/v2/lookup", type: type, body: Data(large))
            #expect((huge.status, try huge.decoded(Answer.self).error?.code) == (413, 19))
        }
    }

    @Test("a body that is damaged or in another encoding is the fault of whoever sent it")
    func unreadableBodies() async throws {
        try await TestService.run { service in
            let whole = stored(Array("format=json&client=x".utf8))
            var wrongSum = whole
            wrongSum[whole.count - 5] ^= 1
            let bodies: [(Data, String, String)] = [
                (whole.prefix(whole.count - 20), "gzip", "gzip"), (wrongSum, "gzip", "gzip"),
                (Data("format=json".utf8), "gzip", "gzip"), (Data([0]), "x-gzip", "gzip"),
                (whole, "br", "encoding"),
            ]
            for (body, encoding, named) in bodies {
                let reply = try await service.ask(
                    .POST,
                    "/v2/lookup",
                    type: "application/x-www-form-urlencoded",
                    body: body,
                    headers: [("Content-Encoding", encoding)]
                )
                let fault = try reply.decoded(Answer.self).error
                #expect((reply.status, fault?.code) == (400, 2), "\(encoding), \(body.count) bytes")
                #expect(fault?.message.contains(named) == true)
            }
        }
    }

    /// Bytes as gzip that unpack to a hundred and fifty times as many.
    private func bomb(_ count: Int) -> Data {
        var data = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        var (bits, filled) = (UInt32(0), UInt32(0))
        func put(_ value: UInt32, _ width: UInt32) {
            bits |= value << filled
            filled += width
            while filled >= 8 {
                data.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                filled -= 8
            }
        }
        // One block, the last, of fixed codes; codes stand with their highest bit first.
        put(0b011, 3)
        // `a`, of code 0x91.
        put(0b1000_1001, 8)
        // 258 bytes, of code 0xC5, again from one byte back, of code 0.
        for _ in 0..<count / 258 { put(0b1010_0011, 8 + 5) }
        put(0, 7)
        put(0, 7)
        return data
    }

    @Test("a small body that unpacks to much is refused, and costs no more than the limit")
    func bombs() async throws {
        try await TestService.run { service in
            let small = bomb(64 << 20)
            #expect(small.count < 512 << 10)
            let reply = try await service.ask(
                .POST,
                "/v2/lookup",
                type: "application/x-www-form-urlencoded",
                body: small,
                headers: [("Content-Encoding", "gzip")]
            )
            #expect((reply.status, try reply.decoded(Answer.self).error?.code) == (413, 19))
            #expect(try await service.ask(.GET, "/_health").status == 200)
        }
    }

    @Test("a damaged gzip stream is a failure, never a trap")
    func damagedGzip() {
        let whole = [UInt8](stored(Array("a=b&c=d".utf8)))
        property("damaged gzip") { random in
            let damaged = random.mutated(whole)
            let read = try? CompressedBody.unpacked(damaged, limit: 1 << 16)
            return (read?.count ?? 0) <= 1 << 16
        }
    }

    @Test("of a batch each entry is answered, and bad ones are passed over")
    func batch() async throws {
        try await TestService.run { service in
            let keys = try await keys(service)
            let text = try fingerprint(1).text
            let base = "/v2/lookup?client=\(keys.client)"
            let good = "duration.3=200&fingerprint.3=\(text)"
            let mixed = try await ask(
                service,
                "\(base)&batch=1&\(good)&duration=200&fingerprint=\(text)&duration.1=200&fingerprint.1=bad&trackid.2=no&fingerprint.9=\(text)"
            )
            #expect(mixed.fingerprints?.map(\.index) == [nil, 3])
            // The last decides when there is no other.
            let bad = try await ask(service, "\(base)&batch=1&fingerprint.1=bad&duration.1=1&trackid.2=no")
            #expect(bad.error?.code == 7)
            // Without `batch` the first good one is answered.
            let first = try await ask(service, "\(base)&fingerprint.1=bad&duration.1=1&\(good)")
            #expect(first.results?.isEmpty == true)
            let many = (0..<21).map { "trackid.\($0 + 30)=\(UUID())&duration.\($0)=200&fingerprint.\($0)=\(text)" }
            let tooMany = try await post(service, base + "&batch=1", many.joined(separator: "&"))
            #expect(tooMany.error?.code == 19)
            let tracks = (0..<101).map { "trackid.\($0)=\(UUID())" }.joined(separator: "&")
            #expect(try await post(service, base + "&batch=1", tracks).error?.code == 19)
        }
    }

    @Test("each failure has its code")
    func failures() async throws {
        var settings = ServiceSettings()
        settings.fingerprintRequestsPerSecond = 60
        try await TestService.run(settings) { service in
            let keys = try await keys(service)
            let text = try fingerprint(1).text
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
                let answer = try await ask(service, path)
                #expect(answer.error?.code == code, "\(path.prefix(80))")
                #expect(answer.status == "error")
            }
            #expect(try await ask(service, "/v2/user/lookup?user=\(keys.user)").user?.apikey == keys.user)
            #expect(try await ask(service, "/v2/track/list_by_puid?puid=\(UUID())").tracks?.isEmpty == true)
            #expect(try await service.ask(.GET, "/_health").status == 200)

            var change = ClientChange()
            change.modules = [.monitoring]
            let monitor = try await service.client(change).identifier ?? ""
            #expect(try await ask(service, "/v2/lookup?client=\(monitor)&\(entry)").error?.code == 12)
            // The key of a program, as the operator lets it in.
            let id = String(keys.client.prefix { $0 != "-" })
            try await service.accounts.setValue(Data(id.utf8), for: AcoustIDCall.keyPrefix + "v8pQ6oyB")
            #expect(try await ask(service, "/v2/lookup?client=v8pQ6oyB&\(entry)").status == "ok")
            try await service.accounts.setValue(Data("gone".utf8), for: AcoustIDCall.keyPrefix + "v8pQ6oyB")
            #expect(try await ask(service, "/v2/lookup?client=v8pQ6oyB&\(entry)").error?.code == 17)
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
            #expect((reply.status, try reply.decoded(Answer.self).error?.code) == (429, 14))
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
            let keys = try await keys(service)
            let entry = "length=200&fingerprint=\(try fingerprint(1).text)"
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
                try await ask(service, "/v2/track/list_by_mbid?mbid=\(Self.recording)").tracks?.first?.id
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
            let keys = try await keys(service)
            let text = try fingerprint(4).text
            _ = try await post(
                service,
                "/v2/submit",
                "client=\(keys.client)&user=\(keys.user)&wait=10&duration=200&fingerprint=\(text)&track=Demo&artist=Nobody&album=Tape&year=0"
            )
            let path = "/v2/lookup?client=\(keys.client)&duration=200&fingerprint=\(text)&meta=recordings+usermeta"
            let found = try await service.ask(.GET, path)
            #expect(
                String(decoding: found.bytes, as: UTF8.self).contains(
                    #""recordings": [{"artists": [{"name": "Nobody"}], "title": "Demo"}]"#
                )
            )
            let without = try await ask(service, path.replacing("+usermeta", with: ""))
            #expect(without.results?.count == 1)
            #expect(without.results?.first?.recordings == nil)
        }
    }
}
