import EarshotAPI
import EarshotCore
import EarshotNodes
@testable import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Tracklists over HTTP")
struct TracklistRouteTests {
    /// Twenty seconds of one track, ten of noise, twenty of another.
    private static let mix: Data = TestMusic.wave(
        TestMusic.samples(1, from: 5, duration: 20) + Degradation.noise(count: 160_000, seed: 4)
            + TestMusic.samples(4, from: 8, duration: 20)
    )

    private static func submit(
        _ service: TestService,
        _ token: String,
        _ body: Data = mix,
        type: String = "audio/wav"
    ) async throws -> TestService.Reply {
        try await service.ask(.POST, "/v1/tracklists?name=my%20mix.wav", token: token, type: type, body: body)
    }

    /// Sends a mix, and waits until its tracklist is done.
    private static func made(_ service: TestService, _ token: String) async throws -> TracklistJob {
        let reply = try await submit(service, token)
        #expect(reply.status == 202)
        let id = try reply.decoded(TracklistJob.self).job.id
        _ = try await service.ask(.GET, "/v1/tracklists/\(id)/events", token: token)
        return try await service.ask(.GET, "/v1/tracklists/\(id)", token: token).decoded(TracklistJob.self)
    }

    private static func files(_ service: TestService) -> [String] {
        let folder = service.folder.appendingPathComponent(TracklistFiles.folderName)
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
    }

    @Test("a mix is listed with the names that the service knows, its gap, and its progress as events")
    func mix() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await Self.submit(service, token)
            #expect(reply.status == 202)
            let accepted = try reply.decoded(TracklistJob.self)
            #expect(accepted.name == "my mix.wav" && accepted.tracklist == nil)
            let events = try await service.ask(.GET, "/v1/tracklists/\(accepted.job.id)/events", token: token)
            #expect(events.headers.first(name: "Content-Type") == "text/event-stream")
            let told = String(decoding: events.bytes, as: UTF8.self)
            #expect(told.contains("\"state\":\"done\""))
            let done = try await service.ask(.GET, "/v1/tracklists/\(accepted.job.id)", token: token)
                .decoded(TracklistJob.self)
            let list = try #require(done.tracklist)
            #expect(list.clip == "my mix.wav")
            #expect(abs(list.duration - 50) < 0.2)
            #expect(list.matches.map(\.id) == ["ref-1", "ref-4"])
            #expect(list.matches.map(\.title) == ["Lantern", "Only an item"])
            #expect(list.matches.map(\.artist) == ["The Tin Foxes", "Somebody"])
            #expect(list.matches.map(\.trackID) == ["lantern", nil])
            #expect(list.matches.first?.album == "Morning Rail")
            #expect(abs((list.matches.last?.queryBegin ?? 0) - 30) < 1.5)
            #expect(list.unknown.count == 1)
            // The recording is gone, what came of it stays.
            #expect(Self.files(service) == ["cue", "csv", "json"].map { "\(done.job.id).\($0)" }.sorted())
        }
    }

    @Test("a tracklist is sent as a cue sheet, a table and JSON", arguments: ["cue", "csv", "json"])
    func files(format: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let id = try await Self.made(service, token).job.id
            let path = "/v1/tracklists/\(id)/file?format="
            let reply = try await service.ask(.GET, path + format, token: token)
            #expect(reply.status == 200)
            #expect(
                reply.headers.first(name: "Content-Disposition") == "attachment; filename*=UTF-8''my%20mix%2E\(format)"
            )
            let text = String(decoding: reply.bytes, as: UTF8.self)
            let expected = [
                "cue": "FILE \"my mix.wav\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"Lantern\"", "csv": "kind,begin,end,",
            ]
            if let begin = expected[format] { #expect(text.contains(begin)) }
            if format == "json" { #expect(try reply.decoded(TracklistRecord.self).matches.count == 2) }
            #expect(try await service.ask(.GET, path + "xml", token: token).status == 400)
        }
    }

    @Test("a user's tracklist is the user's alone, and one of a client that of those who know its name")
    func ownership() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let (one, other) = (try await service.userToken(client), try await service.userToken(client))
            let id = try await Self.made(service, one).job.id
            let path = "/v1/tracklists/\(id)"
            #expect(try await service.ask(.GET, path, token: other).status == 404)
            #expect(try await service.ask(.GET, path, token: try await service.token(client)).status == 404)
            #expect(try await service.ask(.DELETE, path, token: other).status == 404)
            #expect(try await service.ask(.GET, path, token: service.admin).status == 200)
            func listed(_ token: String) async throws -> [String] {
                try await service.ask(.GET, "/v1/tracklists", token: token).decoded([TracklistJob].self).map(\.job.id)
            }
            #expect(try await listed(one) == [id])
            #expect(try await listed(other).isEmpty)
            #expect(try await service.ask(.DELETE, path, token: one).status == 204)
            #expect(try await listed(one).isEmpty)
            #expect(Self.files(service).isEmpty)
        }
    }

    @Test("each begun minute counts as a recognition, and a recording that is longer than what is left is refused")
    func quota() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.userQuota = 3
            let token = try await service.userToken(try await service.client(change))
            func used() async throws -> Int {
                try await service.ask(.GET, "/v1/users/me", token: token).decoded(UserRecord.self).quota.used
            }
            #expect(try await Self.made(service, token).job.state == .done)
            #expect(try await used() == 1)
            let long = TestMusic.wave(
                TestMusic.samples(1, from: 0, duration: 40) + Degradation.noise(count: 16_000 * 110, seed: 2)
            )
            let reply = try await Self.submit(service, token, long)
            #expect(reply.status == 202)
            let id = try reply.decoded(TracklistJob.self).job.id
            _ = try await service.ask(.GET, "/v1/tracklists/\(id)/events", token: token)
            let failed = try await service.ask(.GET, "/v1/tracklists/\(id)", token: token).decoded(TracklistJob.self)
            #expect(failed.job.state == .failed && failed.job.error?.code == "quotaExceeded")
            #expect(try await used() == 2)
        }
    }

    @Test("what is too large, of another type, empty or no sound is refused, and leaves nothing")
    func refusals() async throws {
        var settings = ServiceSettings()
        settings.tracklistLimit = 1 << 20
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.token()
            let large = try await Self.submit(service, token)
            #expect(large.status == 413 && large.code == "uploadTooLarge")
            #expect(try await Self.submit(service, token, Data("x".utf8), type: "text/plain").status == 415)
            #expect(try await Self.submit(service, token, Data()).status == 400)
            let reply = try await Self.submit(service, token, Data("no sound".utf8))
            #expect(reply.status == 202)
            let id = try reply.decoded(TracklistJob.self).job.id
            _ = try await service.ask(.GET, "/v1/tracklists/\(id)/events", token: token)
            let failed = try await service.ask(.GET, "/v1/tracklists/\(id)", token: token).decoded(TracklistJob.self)
            #expect(failed.job.state == .failed && failed.tracklist == nil)
            #expect(try await service.ask(.GET, "/v1/tracklists/\(id)/file?format=cue", token: token).status == 404)
            #expect(Self.files(service).isEmpty)
            #expect(try await service.ask(.GET, "/v1/tracklists/none", token: token).status == 404)
        }
    }

    @Test("a recording for which waiting ones leave no room is refused, and leaves nothing")
    func crowded() async throws {
        var settings = ServiceSettings()
        settings.tracklistTotalLimit = 1 << 19
        try await TestService.run(settings) { (service: TestService) async throws in
            let reply = try await Self.submit(service, try await service.token())
            #expect(reply.status == 429 && reply.code == "serviceBusy")
            #expect(Self.files(service).isEmpty)
        }
    }

    @Test("an owner sends as many recordings at once as jobs of it may wait; others are not held up")
    func arriving() throws {
        let folder = try TemporaryFolder()
        let files = TracklistFiles(folder: folder.url)
        let names = try (0..<TracklistController.limits.ownerWaiting).map { _ in try files.begin("a").name }
        let error = try #require(throws: EarshotError.self) { try files.begin("a") }
        #expect(error.code == .tooManyRequests)
        _ = try files.begin("b")
        files.settle(names[0])
        _ = try files.begin("a")
    }

    @Test("a signature of a recording is taken too")
    func signature() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let whole = try Signature.of(TestMusic.samples(1, from: 0, duration: 30)).data
            let reply = try await Self.submit(service, token, whole, type: ServiceAPI.signatureType)
            let id = try reply.decoded(TracklistJob.self).job.id
            _ = try await service.ask(.GET, "/v1/tracklists/\(id)/events", token: token)
            let done = try await service.ask(.GET, "/v1/tracklists/\(id)", token: token).decoded(TracklistJob.self)
            #expect(done.tracklist?.matches.first?.title == "Lantern")
        }
    }

    @Test("files of jobs that are gone are removed, those of others and recordings that arrive are not")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            let files = TracklistFiles(folder: folder)
            let (arriving, waiting, left) = (
                try files.begin("a").name, try files.begin("a").name, try files.begin("a").name
            )
            for name in [waiting, left] { files.settle(name) }
            try files.keep([.cue: Data("x".utf8)], of: "known")
            try files.keep([.cue: Data("x".utf8)], of: "gone")
            func job(_ id: String, _ recording: String) -> Job {
                let input = ["recording": recording]
                let order = JobOrder(queue: "tracklist", id: id, kind: "tracklist", owner: "a", input: input)
                return Job(order, created: Date(timeIntervalSince1970: 0))
            }
            let first = job("known", waiting)
            var second = job("over", left)
            second.state = .failed
            try await files.removeLeftovers { () throws(EarshotError) in [first, second] }
            let root = folder.appendingPathComponent(TracklistFiles.folderName)
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: root.path))
            #expect(names == ["\(arriving).recording", "\(waiting).recording", "known.cue"])
        }
    }
}
