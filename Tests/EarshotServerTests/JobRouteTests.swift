import EarshotAPI
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import EarshotSQLite
import Foundation
import Logging
import NIOHTTP1
import Synchronization
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

    @Test("a job that a restart interrupts begins again")
    func restart() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let first = JobQueue(store, now: { Date() }, logger: logger)
        let begun = AsyncStream.makeStream(of: Void.self)
        try await first.start { _, _ throws(EarshotError) in
            begun.continuation.yield()
            while !Task.isCancelled { await Task.yield() }
            throw EarshotError(.cancelled, "Stopped.")
        }
        let job = try await first.submit(kind: "publish", owner: "operator", input: ["id": "a"])
        let waiting = try await first.submit(kind: "publish", owner: "operator", input: ["id": "b"])
        var iterator = begun.stream.makeAsyncIterator()
        await iterator.next()
        await first.stop()

        let second = JobQueue(store, now: { Date() }, logger: logger)
        let order = Mutex<[String]>([])
        try await second.start { job, _ throws(EarshotError) in
            order.withLock { $0.append(job.input["id"] ?? "") }
            return "done"
        }
        for id in [job.id, waiting.id] {
            for await record in await second.events(id) where record.state.isFinal { #expect(record.state == .done) }
        }
        #expect(order.withLock { $0 }.sorted() == ["a", "b"])
        await second.stop()
    }

    @Test("a job that is given up while it waits is never begun")
    func cancelling() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let center = JobQueue(store, now: { Date() }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let job = try await center.submit(kind: "publish", owner: "operator", input: [:])
        try await center.cancel(job.id)
        try await center.start { _, _ throws(EarshotError) in
            Issue.record("it was begun")
            return nil
        }
        #expect(await center.job(job.id, for: nil)?.state == .cancelled)
        await center.stop()
    }

    @Test("the operator's job comes first, clients take turns, and none fills the queue")
    func shares() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let jobs = JobQueue(store, now: { Date() }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for number in 0..<JobQueue.clientLimit {
            _ = try await jobs.submit(kind: "addReference", owner: "hog", input: ["id": "hog-\(number)"])
        }
        let error = await #expect(throws: EarshotError.self) {
            try await jobs.submit(kind: "addReference", owner: "hog", input: [:])
        }
        #expect(error?.code == .tooManyRequests)
        for number in 0..<2 {
            _ = try await jobs.submit(kind: "addReference", owner: "good", input: ["id": "good-\(number)"])
        }
        _ = try await jobs.submit(kind: "check", owner: "operator", isOperator: true, input: ["id": "check"])
        let order = Mutex<[String]>([])
        let ended = AsyncStream.makeStream(of: Void.self)
        try await jobs.start { job, _ throws(EarshotError) in
            let count = order.withLock { names in
                names.append(job.input["id"] ?? "")
                return names.count
            }
            if count == JobQueue.clientLimit + 3 { ended.continuation.finish() }
            return nil
        }
        for await _ in ended.stream {}
        #expect(order.withLock { Array($0.prefix(5)) } == ["check", "hog-0", "good-0", "hog-1", "good-1"])
        await jobs.stop()
    }
}
