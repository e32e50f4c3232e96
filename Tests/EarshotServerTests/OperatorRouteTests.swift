import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The operator's view of a service")
struct OperatorRouteTests {
    private func ask(
        _ service: TestService,
        _ path: String,
        _ method: HTTPMethod = .GET
    ) async throws -> JSONValue {
        let reply = try await service.ask(method, path, token: service.admin)
        #expect(reply.status == 200, "\(path)")
        return try reply.decoded(JSONValue.self)
    }

    private func job(_ service: TestService, _ id: String) async throws -> JobRecord {
        for _ in 0..<200 {
            let job = try await service.ask(.GET, "/v1/jobs/\(id)", token: service.admin).decoded(JobRecord.self)
            if job.state.isFinal { return job }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw EarshotError(.timedOut, "The job did not end.")
    }

    @Test("the state tells what is served, what is worked on and how long it took; clients are not told")
    func state() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            _ = try await service.recognize(1, token: token)
            _ = try await service.ask(.GET, "/v1/tracks/none", token: token)
            service.server.state.take()
            let state = try await ask(service, "/v1/admin/state")
            #expect(state["served"]?["references"]?.number == 16)
            #expect(state["served"]?["music"]?["tracks"]?.number == 4)
            #expect(state["served"]?["isChangeable"] == true)
            #expect(state["recognitionLatency"]?["count"]?.number == 1)
            #expect((state["recognitionLatency"]?["median"]?.number ?? 0) > 0)
            guard case .array(let answers)? = state["answers"], case .array(let samples)? = state["samples"] else {
                Issue.record("there are no answers or samples")
                return
            }
            #expect(answers.count == 5 && answers[3] == 1, "\(answers)")
            #expect(!samples.isEmpty)
            #expect((state["current"]?["connections"]?.number ?? 0) >= 1)
            #expect(try await service.ask(.GET, "/v1/admin/state", token: token).status == 403)
        }
    }

    @Test("a quantile lies within its part of the histogram, and beyond the last bound at it")
    func quantiles() {
        var durations = MetricRegistry.Durations()
        #expect(durations.quantile(0.5) == nil)
        durations.parts[6] = 10
        let before = durations
        durations.parts[7] = 10
        #expect(abs((durations.quantile(0.5) ?? 0) - 0.1) < 1e-9)
        #expect(abs((durations.quantile(0.75) ?? 0) - 0.175) < 1e-9)
        #expect(abs((durations.since(before).quantile(1) ?? 0) - 0.25) < 1e-9)
        durations.parts[MetricRegistry.bounds.count] = 100
        #expect(durations.quantile(0.99) == 60)
    }

    @Test("requests are counted by the first digit of their status, those of the operator's page left out")
    func requestCounts() {
        let registry = MetricRegistry()
        func count(_ path: String, _ status: String) {
            registry.makeCounter(label: "http_requests", dimensions: [("path", path), ("status", status)]).increment(
                by: 1
            )
        }
        count("/v1/search", "200")
        count("/v1/search", "404")
        count("/v1/admin/state", "200")
        count("/web/{version}/{file}", "200")
        registry.makeTimer(label: "http_request_duration", dimensions: [("path", "/v1/recognitions")])
            .recordNanoseconds(90_000_000_000)
        let requests = registry.requests
        #expect(requests.classes == [0, 1, 0, 1, 0])
        #expect(requests.recognitions.parts.last == 1 && requests.all.count == 1)
    }

    @Test("recognitions are told by day and client")
    func usage() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.name = "App"
            let client = try await service.client(change)
            for seed in 1...2 as ClosedRange<UInt64> {
                _ = try await service.recognize(seed, token: try await service.token(client))
            }
            let usage = try await ask(service, "/v1/admin/usage?days=3")
            guard case .array(let days)? = usage["days"], case .array(let clients)? = usage["clients"] else {
                Issue.record("there are no days or clients")
                return
            }
            #expect(days.count == 3 && days.last == .string(QuotaMeter.day(service.time.now)))
            let own = clients.first { $0["id"] == .string(client.id) }
            #expect(own?["name"] == "App" && own?["counts"] == [0, 0, 2])
            #expect(try await service.ask(.GET, "/v1/admin/usage?days=40", token: service.admin).status == 400)
        }
    }

    @Test("a user of a client is removed, and not by the name of another client")
    func users() async throws {
        try await TestService.run { (service: TestService) async throws in
            let (client, other) = (try await service.client(), try await service.client())
            let token = try await service.userToken(client)
            let users = try await service.ask(.GET, "/v1/admin/clients/\(client.id)/users", token: service.admin)
            let user = try #require(try users.decoded([UserRecord].self).first)
            let path = "/users/\(user.id)"
            #expect(
                try await service.ask(.DELETE, "/v1/admin/clients/\(other.id)\(path)", token: service.admin).status
                    == 404
            )
            #expect(try await service.ask(.GET, "/v1/users/me", token: token).status == 200)
            #expect(
                try await service.ask(.DELETE, "/v1/admin/clients/\(client.id)\(path)", token: service.admin).status
                    == 204
            )
            #expect(try await service.ask(.GET, "/v1/users/me", token: token).status == 401)
        }
    }

    @Test("the operator lists the browsers in which somebody has signed in, and ends one")
    func sessions() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let sessions = WebSessions(accounts: service.accounts)
            let begun = try await sessions.begin(
                nil,
                isOperator: true,
                agent: "Firefox",
                address: "192.0.2.1",
                at: service.time.now
            )
            let id = begun.session.id
            let list = try await service.ask(.GET, "/v1/admin/sessions", token: service.admin).decoded([JSONValue].self)
            let session = try #require(list.first { $0["id"] == .string(id) })
            #expect(session["isOperator"] == true && session["agent"] == "Firefox" && session["isCurrent"] == false)
            #expect(!"\(list)".contains(begun.cookie))
            #expect(try await service.ask(.DELETE, "/v1/admin/sessions/\(id)", token: service.admin).status == 204)
            #expect(try await service.ask(.DELETE, "/v1/admin/sessions/\(id)", token: service.admin).status == 404)
            #expect(try await sessions.session(of: begun.cookie, at: service.time.now) == nil)
        }
    }

    @Test("entries of the audit log are found by who, what and day, the latest first")
    func audit() async throws {
        try await TestService.run { (service: TestService) async throws in
            for _ in 0..<3 { _ = try await service.client() }
            #expect(try await service.ask(.POST, "/v1/admin/keys", token: service.admin).status == 204)
            let latest = try await ask(service, "/v1/admin/audit?before=0&limit=2")
            guard case .array(let entries)? = latest["entries"] else { return }
            #expect(entries.map { $0["what"] } == ["rotateKeys", "makeClient"])
            #expect(latest["count"]?.number == 4 && latest["matching"]?.number == 4)
            let older = try await ask(service, "/v1/admin/audit?before=3&limit=9&what=MAKE")
            guard case .array(let rest)? = older["entries"] else { return }
            #expect(rest.map { $0["number"] } == [2, 1] && older["matching"]?.number == 3)
            let day = QuotaMeter.day(service.time.now)
            #expect(try await ask(service, "/v1/admin/audit?day=\(day)")["matching"]?.number == 4)
            #expect(try await ask(service, "/v1/admin/audit?day=2001-01-01")["matching"]?.number == 0)
            #expect(try await ask(service, "/v1/admin/audit?who=client")["matching"]?.number == 0)
            let file = try await service.ask(.GET, "/v1/admin/audit/file", token: service.admin)
            #expect(String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").count == 4)
            #expect(file.headers.first(name: "Content-Disposition")?.hasPrefix("attachment") == true)
        }
    }

    @Test("the last lines of the log are kept, by number and level")
    func log() {
        let buffer = LogBuffer()
        var logger = Logger(label: "test") { _ in buffer.handler() }
        logger.logLevel = .debug
        logger[metadataKey: "service"] = "earshot"
        logger.trace("left out")
        logger.debug("first", metadata: ["a": "1"])
        logger.error("second")
        #expect(buffer.lines(after: 0).map(\.message) == ["first", "second"])
        #expect(buffer.lines(after: 0).first?.metadata == ["a": "1", "service": "earshot"])
        #expect(buffer.lines(after: 1).map(\.number) == [2])
        #expect(buffer.lines(after: 0, level: .warning).map(\.message) == ["second"])
        for number in 1...LogBuffer.limit { logger.info("\(number)") }
        #expect(buffer.last == LogBuffer.limit + 2)
        let lines = buffer.lines(after: 0)
        #expect(lines.count == LogBuffer.limit && lines.first?.message == "1" && lines.last?.number == buffer.last)
        #expect(buffer.lines(after: buffer.last).isEmpty && buffer.lines(after: 9_999_999).isEmpty)
        #expect(buffer.lines(after: 0, limit: 2).map(\.message) == ["999", "1000"])
    }

    @Test("a table is imported with the rows that were passed over, and a catalog is merged")
    func imports() async throws {
        try await TestService.run { (service: TestService) async throws in
            func send(_ parameters: String, _ body: Data) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v1/admin/imports?\(parameters)",
                    token: service.admin,
                    type: "application/octet-stream",
                    body: body
                )
            }
            let table = "title,artist,year\nNew Song,New Artist,1999\nNo Artist,,\nOld,New Artist,never\n"
            let reply = try await send("kind=importTable&name=table.csv", Data(table.utf8))
            #expect(reply.status == 202)
            let done = try await job(service, try reply.decoded(JobRecord.self).id)
            #expect(done.state == .done, "\(done)")
            let report = try await ask(service, "/v1/admin/imports/\(done.id)")
            #expect(report["rejected"]?.number == 2)
            guard case .array(let rejects)? = report["rejects"] else { return }
            #expect(rejects.map { $0["line"] } == [3, 4])
            let found = try await service.ask(.GET, "/v1/search?q=New%20Song", token: service.admin).matches
            #expect(found.first?.track.title == "New Song")

            let bad = try await send("kind=importTable&name=bad.csv", Data("no,columns\n1,2\n".utf8))
            let failed = try await job(service, try bad.decoded(JobRecord.self).id)
            #expect(failed.state == .failed)
            #expect(failed.error?.message.contains(service.folder.path) == false, "\(failed)")

            var other = Catalog()
            try other.add(
                try TestMusic.whole(1),
                representing: [try MediaItem(properties: [.serviceID: "lantern", .title: "Lantern"])],
                id: "other"
            )
            try other.add(try TestMusic.whole(70), representing: [], id: "seventy")
            let url = service.folder.appendingPathComponent("other.earcat")
            try other.write(to: url)
            let merge = try await send("kind=mergeCatalog&name=other.earcat", try Data(contentsOf: url))
            let merged = try await job(service, try merge.decoded(JobRecord.self).id)
            #expect(merged.state == .done, "\(merged)")
            let result = try await ask(service, "/v1/admin/imports/\(merged.id)")
            #expect(result["changes"]?.number == 1 && result["rejected"]?.number == 1)
            #expect(try await service.ask(.GET, "/v1/references/seventy", token: service.admin).status == 200)
            let damaged = try await send("kind=mergeCatalog&name=x", Data("EARCAT".utf8))
            #expect(try await job(service, try damaged.decoded(JobRecord.self).id).state == .failed)

            #expect(try await send("kind=other", Data("x".utf8)).status == 400)
            #expect(try await service.ask(.GET, "/v1/admin/imports/..%2Faudit", token: service.admin).status == 404)
            // Files are removed when their jobs are over.
            let left = try FileManager.default.contentsOfDirectory(
                atPath: service.folder.appendingPathComponent(ImportFiles.folderName).path
            )
            #expect(left.allSatisfy { $0.hasSuffix(".json") }, "\(left)")
        }
    }

    @Test("lyrics go to the track that they name, and what names none is refused")
    func lyrics() async throws {
        try await TestService.run { (service: TestService) async throws in
            func send(_ name: String, _ text: String) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v1/admin/lyrics?name=\(name)",
                    token: service.admin,
                    type: "text/plain",
                    body: Data(text.utf8)
                )
            }
            let sent = try await send("Nobody%20-%20Plain.txt", "plain words\nof nobody")
            #expect(sent.status == 200)
            #expect(try sent.decoded(JSONValue.self)["tracks"] == ["plain"])
            #expect(try await service.music.lyrics(of: "plain").count == 1)
            #expect(try await send("words.txt", "whose words").status == 400)
        }
    }

    @Test("a track is edited: what is left out stays, artists are found by name or made, genres are names")
    func tracks() async throws {
        try await TestService.run { (service: TestService) async throws in
            func edit(_ id: String, _ change: JSONValue) async throws -> TestService.Reply {
                try await service.ask(.PATCH, "/v1/admin/tracks/\(id)", token: service.admin, json: change)
            }
            let before = try await ask(service, "/v1/admin/tracks/plain")
            #expect(before["artist"] == "Nobody" && before["album"] == "Bare" && before["albumTracks"] == 1)
            let changed = try await edit("plain", ["title": "Plainer", "artist": "The Tin Foxes", "date": "2001-02"])
            #expect(changed.status == 200)
            let now = try changed.decoded(JSONValue.self)
            #expect(now["title"] == "Plainer" && now["artist"] == "The Tin Foxes" && now["artistID"] == "foxes")
            #expect(now["album"] == "Bare" && now["date"] == "2001-02")
            let genre = try await edit("plain", ["genres": ["Shoegaze"], "artist": "Somebody New"])
            let track = try genre.decoded(JSONValue.self)
            #expect(track["genres"] == ["Shoegaze"] && track["artist"] == "Somebody New")
            #expect(try await service.music.counts().artists == 3)
            for change in [["date": "32"], ["title": " "], ["genres": ["no such genre"]]] as [JSONValue] {
                #expect(try await edit("plain", change).status == 400, "\(change)")
            }
            #expect(try await edit("none", ["title": "x"]).status == 404)
        }
    }

    @Test("backups are listed")
    func backups() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(try await ask(service, "/v1/admin/backups") == [])
            let folder = service.folder.appendingPathComponent("backups/20270115T080000Z-abcd")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(count: 10).write(to: folder.appendingPathComponent("music.sqlite"))
            try BackupManifest(listing: folder).write(to: folder)
            guard case .array(let backups) = try await ask(service, "/v1/admin/backups") else { return }
            #expect(backups.map { $0["name"] } == ["20270115T080000Z-abcd"])
            #expect(backups.first?["size"] == 10 && backups.first?["files"] == 1)
        }
    }
}
