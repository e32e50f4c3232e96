import EarshotAPI
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Jobs")
struct JobRouteTests {
    @Test("a reference is fetched from an address and added, and its progress is told")
    func fetching() async throws {
        let wave = TestMusic.wave(TestMusic.samples(60, from: 0, duration: 40))
        let web = try LoopbackServer()
        defer { web.stop() }
        web.publish(wave, at: "/song.wav")
        var settings = ServiceSettings()
        settings.mayFetchPrivateAddresses = true
        try await TestService.run(settings) { (service: TestService) async throws in
            let request = JobRequest(
                kind: .addReference,
                url: web.url("/song.wav").absoluteString,
                id: "fetched",
                item: ["title": "Fetched"]
            )
            let reply = try await service.ask(.POST, "/v1/jobs", token: service.admin, json: request)
            #expect(reply.status == 202)
            let job = try reply.decoded(JobRecord.self)
            let events = try await service.ask(.GET, "/v1/jobs/\(job.id)/events", token: service.admin)
            #expect(events.headers.first(name: "Content-Type") == "text/event-stream")
            let lines = String(decoding: events.bytes, as: UTF8.self).split(separator: "\n").filter {
                $0.hasPrefix("data: ")
            }
            let last = try ServiceAPI.decoder().decode(JobRecord.self, from: Data((lines.last ?? "").dropFirst(6).utf8))
            #expect(last.state == .done)
            #expect(last.result == "fetched")
            #expect(
                try await service.recognize(60, token: try await service.token()).matches.first?.track.title
                    == "Fetched"
            )
            #expect(try await service.ask(.GET, "/v1/jobs", token: service.admin).decoded([JobRecord].self).count == 1)
        }
    }

    @Test(
        "addresses that lead into the service's own network are refused",
        arguments: [
            "http://127.0.0.1/x", "http://localhost/x", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data",
            "http://[::1]/",
            "http://[::ffff:192.168.0.1]/", "file:///etc/passwd", "ftp://example.com/x", "http://user:word@192.0.2.1/",
            "gopher://x", "x",
        ]
    )
    func privateAddresses(address: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await service.ask(
                .POST,
                "/v1/jobs",
                token: service.admin,
                json: JobRequest(kind: .addReference, url: address)
            )
            #expect(reply.status == 400)
            #expect(reply.code == "requestInvalid")
        }
    }

    @Test("a client sees its own jobs only, and backups are the operator's")
    func ownership() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.mayChangeReferences = true
            let (one, other) = (try await service.token(change), try await service.token(change))
            let job = try await service.ask(.POST, "/v1/jobs", token: one, json: JobRequest(kind: .publish, id: "x"))
                .decoded(JobRecord.self)
            #expect(try await service.ask(.GET, "/v1/jobs/\(job.id)", token: one).status == 200)
            #expect(try await service.ask(.GET, "/v1/jobs/\(job.id)", token: other).status == 404)
            #expect(try await service.ask(.GET, "/v1/jobs", token: other).decoded([JobRecord].self).isEmpty)
            #expect(try await service.ask(.POST, "/v1/jobs", token: one, json: JobRequest(kind: .backup)).status == 403)
        }
    }
}
