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

@Suite("What one request of AcoustID's protocol may ask for")
struct AcoustIDLimitTests {
    /// An answer as far as tests look at it.
    private struct Answer: Decodable {
        struct Fault: Decodable { var code: Int }
        struct Submission: Decodable {
            var id: Int
            var status: String
        }
        struct Recording: Decodable { var id: String }
        struct Result: Decodable {
            var id: String
            var recordings: [Recording]?
        }
        struct User: Decodable { var apikey: String }
        struct Stored: Decodable { var hashes: [Int] }
        var error: Fault?
        var submissions: [Submission]?
        var results: [Result]?
        var user: User?
        var fingerprint: Stored?
    }

    private func fingerprint(_ seed: UInt64, count: Int = 300) throws -> FileFingerprint {
        var random = SeededGenerator(seed: seed)
        let values = (0..<count).map { _ in UInt32.random(in: 0 ... .max, using: &random) }
        return try FileFingerprint(values, duration: MediaTime(value: 200, timescale: 1))
    }

    private func post(_ service: TestService, _ path: String, _ form: String) async throws -> (
        Answer, TestService.Reply
    ) {
        let type = "application/x-www-form-urlencoded"
        let reply = try await service.ask(.POST, path, type: type, body: Data(form.utf8))
        return (try reply.decoded(Answer.self), reply)
    }

    /// The key of a new client, its id, and the key of a user of it.
    private func keys(
        _ service: TestService,
        _ change: ClientChange = ClientChange()
    ) async throws -> (client: String, id: String, user: String) {
        // Not over the service, which may be told to refuse whatever is counted.
        let (client, identifier) = try await ClientRegister(service.accounts).make(change, at: service.time.now)
        let reply = try await service.ask(.GET, "/v2/user/create_anonymous?client=\(identifier)")
        let user = try reply.decoded(Answer.self).user
        return ("\(identifier)", client.id, try #require(user?.apikey))
    }

    @Test("one entry is one submission, however many recordings it names and however often")
    func recordings() async throws {
        try await TestService.run { service in
            let keys = try await keys(service)
            let entry = "client=\(keys.client)&user=\(keys.user)&duration=200&fingerprint=\(try fingerprint(1).text)"
            let recordings = (0..<21).map { _ in "&mbid=\(UUID())" }
            let often = String(repeating: recordings[0], count: 3_000) + recordings[1]
            let (answer, _) = try await post(service, "/v2/submit", entry + "&wait=10" + often)
            #expect(answer.submissions?.map(\.status) == ["imported"])
            let counts = try await service.fingerprints.store.counts()
            #expect((counts.fingerprints, counts.links, counts.tracks) == (1, 2, 1))
            let most = try await post(service, "/v2/submit", entry + recordings.dropLast().joined())
            #expect(most.0.submissions?.count == 1)
            let tooMany = try await post(service, "/v2/submit", entry + recordings.joined())
            #expect((tooMany.0.error?.code, tooMany.1.status) == (19, 413))
        }
    }

    @Test("as many entries are taken as clients put into a body, and no more than 2,000")
    func entries() async throws {
        try await TestService.run { service in
            let keys = try await keys(service)
            let text = try fingerprint(2, count: 90).text
            func form(_ count: Int) -> String {
                let entries = (0..<count).map {
                    "&duration.\($0)=200&fingerprint.\($0)=\(text)&mbid.\($0)=\(UUID())&trackno.\($0)=1&track.\($0)=a"
                }
                return "client=\(keys.client)&user=\(keys.user)" + entries.joined()
            }
            #expect(form(1_200).utf8.count < AcoustIDBody.limit)
            let (answer, _) = try await post(service, "/v2/submit", form(1_200))
            #expect(answer.submissions?.count == 1_200)
            let small = (0..<2_001).map { "&fingerprint.\($0)=\(text.prefix(9))" }.joined()
            let tooMany = try await post(service, "/v2/submit", "client=\(keys.client)&user=\(keys.user)" + small)
            #expect(tooMany.0.error?.code == 19)
        }
    }

    @Test("submissions are counted like lookups, and a quota that is used up says until when")
    func quota() async throws {
        try await TestService.run { service in
            var change = ClientChange()
            change.quota = 2
            change.userLimit = 1
            let keys = try await keys(service, change)
            let entry = "client=\(keys.client)&duration=200&fingerprint=\(try fingerprint(3).text)"
            let submit = entry + "&user=\(keys.user)&mbid=\(UUID())"
            #expect(try await post(service, "/v2/submit", submit).0.submissions?.count == 1)
            #expect(try await post(service, "/v2/lookup", entry).0.results != nil)
            for (path, form) in [("/v2/submit", submit), ("/v2/lookup", entry)] {
                service.time.advance(1)
                let (answer, reply) = try await post(service, path, form)
                #expect((answer.error?.code, reply.status) == (14, 429), "\(path)")
                let seconds = try #require(reply.headers["Retry-After"].first.flatMap { Int($0) })
                let now = service.time.now
                #expect(abs(Double(seconds) - QuotaMeter.midnight(after: now).timeIntervalSince(now)) <= 1)
            }
            // One user too many is no matter of time.
            service.time.advance(1)
            let users = try await service.ask(.GET, "/v2/user/create_anonymous?client=\(keys.client)")
            #expect(try users.decoded(Answer.self).error?.code == 12)
            #expect(users.headers["Retry-After"].isEmpty)
        }
    }

    @Test("submissions under way are as many as requests of a client may be")
    func gate() async throws {
        var settings = ServiceSettings()
        settings.requestsPerClient = 0
        try await TestService.run(settings) { service in
            let keys = try await keys(service)
            let entry = "client=\(keys.client)&duration=200&fingerprint=\(try fingerprint(4).text)"
            let (answer, _) = try await post(service, "/v2/submit", entry + "&user=\(keys.user)&mbid=\(UUID())")
            #expect(answer.error?.code == 14)
            #expect(try await service.fingerprints.store.counts().pending == 0)
        }
    }

    @Test("users of a client that is not served are served no longer, whichever client they use")
    func disabledClient() async throws {
        try await TestService.run { service in
            let (keys, other) = (try await keys(service), try await keys(service))
            let entry = "duration=200&fingerprint=\(try fingerprint(5).text)&mbid=\(UUID())&user=\(keys.user)"
            func code() async throws -> Int? {
                service.time.advance(1)
                return try await post(service, "/v2/submit", "client=\(other.client)&" + entry).0.error?.code
            }
            #expect(try await code() == nil)
            let register = ClientRegister(service.accounts)
            var change = ClientChange()
            change.modules = [.monitoring]
            _ = try await register.change(keys.id, change)
            #expect(try await code() == 12)
            change.modules = [.music, .monitoring]
            change.isEnabled = false
            _ = try await register.change(keys.id, change)
            #expect(try await code() == 6)
        }
    }

    @Test("of a long fingerprint as much is kept and told as counts")
    func long() async throws {
        try await TestService.run { service in
            let keys = try await keys(service)
            let whole = try fingerprint(6, count: 5_000)
            let form = "client=\(keys.client)&user=\(keys.user)&wait=10&duration=200&mbid=\(UUID())"
            let (answer, _) = try await post(service, "/v2/submit", form + "&fingerprint=\(whole.text)")
            #expect(answer.submissions?.first?.status == "imported")
            #expect(try await service.fingerprints.store.fingerprint(1)?.fingerprint() == whole.compared)
            // What came another way is told no longer than that.
            var sent = FingerprintSubmission(
                fingerprint: try fingerprint(7, count: 5_000).text,
                duration: 100,
                application: "a",
                submitter: "b",
                date: service.time.now
            )
            sent.recordings = (0..<30).map { _ in UUID() }
            _ = try await service.fingerprints.store.submit([sent])
            try await service.fingerprints.importPending()
            let told = try await service.ask(.GET, "/v2/fingerprint?id=2").decoded(Answer.self)
            #expect(told.fingerprint?.hashes.count == 1_024)
            // Of its recordings some are told.
            let query = "client=\(keys.client)&duration=100&fingerprint=\(sent.fingerprint)&meta=recordingids"
            let found = try await post(service, "/v2/lookup", query).0.results
            #expect(found?.first?.recordings?.count == 25)
        }
    }

    @Test("texts are cut by their scalars, of which one character may have any number")
    func texts() {
        let marks = "e" + String(repeating: "\u{301}", count: 5_000)
        #expect(marks.count == 1)
        #expect(AcoustIDSubmit.cut(marks, 1_000).unicodeScalars.count == 1_000)
        #expect(AcoustIDSubmit.cut("kürz", 1_000) == "kürz")
    }

    @Test("nothing is read of recordings where their ids are all that is asked for")
    func idsAlone() {
        for (words, asks) in [
            ("recordingids", false), ("recordingids sources", false), ("1", false), ("0", false),
            ("recordings", true), ("recordings recordingids", false), ("recordingids isrcs", true),
            ("recordingids releases", true), ("recordingids releasegroupids", true), ("recordingids usermeta", true),
            ("releaseids", true), ("releasegroups", true), ("2", true),
        ] {
            #expect(AcoustIDLayout(words).asksForEntries == asks, "\(words)")
        }
    }
}
