import EarshotAPI
import EarshotCore
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The audit log")
struct AuditLogTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func withLog(_ body: (AuditLog, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(AuditLog(folder: folder), folder.appendingPathComponent(AuditLog.name))
    }

    private func add(_ count: Int, to log: AuditLog) throws {
        for number in 1...count {
            try log.add(
                AuditEntry(date: Self.date + Double(number), who: "operator", what: "act", target: ["id": "\(number)"])
            )
        }
    }

    @Test("entries come back in order, numbered, and nobody else may read the file")
    func roundTrip() throws {
        try withLog { log, url in
            #expect(try log.read { _, _ in } == AuditLog.Summary(count: 0, digest: AuditChain.begin.digest))
            try add(3, to: log)
            var entries: [AuditEntry] = []
            let summary = try log.read { entry, _ in entries.append(entry) }
            #expect(
                entries.map(\.number) == [1, 2, 3] && entries.map(\.target) == [["id": "1"], ["id": "2"], ["id": "3"]]
            )
            #expect(summary.count == 3 && summary.fault == nil)
            #expect(try log.entries(AuditLog.Query(after: 1, limit: 1)).entries.map(\.number) == [2])
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("a digest is that of the line before, a line feed and the JSON, as any program can work it out")
    func vector() throws {
        var chain = AuditChain.begin
        let line = try chain.line(of: AuditEntry(date: Self.date, who: "operator", what: "act"))
        let json = #"{"date":"2027-01-15T08:00:00Z","number":1,"target":{},"what":"act","who":"operator"}"#
        // printf '%064d\n%s' 0 "$JSON" | sha256sum
        #expect(
            String(decoding: line, as: UTF8.self)
                == "eda00d24cb4f69ad9714f4ca0716e836a6eef34fcb36df3f3d108e04ab9ac4c8 \(json)\n"
        )
    }

    @Test("a line that was changed, removed, put between or swapped is found", arguments: 0..<5)
    func tampering(_ kind: Int) throws {
        try withLog { log, url in
            try add(6, to: log)
            var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
            switch kind {
            case 0: lines[2].replace("\"3\"", with: "\"9\"")
            case 1: lines.remove(at: 2)
            case 2: lines.insert(lines[2], at: 2)
            case 3: lines.swapAt(2, 3)
            default: lines[2] = "x"
            }
            try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: false, encoding: .utf8)
            let summary = try log.read { _, _ in }
            #expect(summary.fault == (kind == 2 ? 4 : 3))
        }
    }

    @Test("what a program that was killed left of a line is removed, and the chain goes on")
    func killed() throws {
        try withLog { log, url in
            try add(2, to: log)
            let handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("0123 {\"da".utf8))
            try handle.close()
            let before = try log.read { _, _ in }
            #expect(before.count == 2 && before.fault == nil)
            try add(1, to: log)
            #expect(try log.read { _, _ in }.count == 3)
        }
    }

    @Test("programs that write at the same time take turns")
    func together() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        try AuditLog(folder: folder).add(AuditEntry(date: Self.date, who: "\(writer)", what: "act"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let summary = try AuditLog(folder: folder).read { _, _ in }
        #expect(summary.count == 160 && summary.fault == nil)
    }

    @Test("the operator reads who changed what; log-ins are there by name, secrets are not, and readers are not")
    func requests() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields("/authorize?application=sketcher&state=x")
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            // Some type the password in where the name goes.
            #expect(try await browser.logIn(fields, "correct horse").status == 403)
            let wrong = [("name", "Ada"), ("password", "wrong horse!"), ("action", "login")]
            _ = try await browser.send("/authorize", fields + wrong)
            _ = try await service.ask(.GET, "/v1/search?q=a", token: try await service.token(client))
            #expect(try await service.ask(.POST, "/v1/admin/keys", token: service.admin).status == 204)
            let refused = try await service.ask(.POST, "/v1/admin/keys", token: try await service.token(client))
            #expect(refused.status == 403)
            let reply = try await service.ask(.GET, "/v1/admin/audit", token: service.admin)
            let text = String(decoding: reply.bytes, as: UTF8.self)
            let page = try reply.decoded(Page.self)
            let tail = page.entries.suffix(3)
            #expect(tail.map(\.what) == ["logIn", "rotateKeys", "rotateKeys"])
            #expect(tail.map(\.who) == ["nobody", "operator", "client \(client.id)"])
            #expect(tail.map(\.status) == [403, 204, 403])
            #expect(tail.first?.target["name"] == "Ada" && tail.first?.address != nil)
            #expect(page.fault == nil && page.count == page.entries.count)
            #expect(
                !text.contains("wrong horse") && !text.contains("correct horse")
                    && !text.contains(client.identifier ?? "?")
            )
            #expect(
                try await service.ask(.GET, "/v1/admin/audit", token: try await service.token(client)).status == 403
            )
        }
    }

    @Test("requests that are refused do not fill the log, and how many were left out is told")
    func refusals() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            for _ in 0..<RefusalLimiter.limit + 5 {
                #expect(try await service.ask(.POST, "/v1/admin/keys", token: token).status == 403)
            }
            // What changes something is told nevertheless.
            #expect(try await service.ask(.POST, "/v1/admin/keys?keep=true", token: service.admin).status == 204)
            service.time.advance(60)
            #expect(try await service.ask(.POST, "/v1/admin/keys", token: token).status == 403)
            let path = "/v1/admin/audit?limit=1000"
            let entries = try await service.ask(.GET, path, token: service.admin).decoded(Page.self).entries
            #expect(entries.count { $0.status == 403 } == RefusalLimiter.limit + 1)
            #expect(entries.suffix(2).map(\.status) == [204, 403])
            #expect(entries.last?.target["omitted"] == "5" && entries.count { $0.target["omitted"] != nil } == 1)
        }
    }

    @Test("what changes nothing is not told, though it is let in")
    func noChange() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let ada = try await service.author("Ada", of: client)
            let device = try await service.ask(
                .POST,
                "/v1/device-authorizations",
                token: try await service.token(client)
            ).decoded(DeviceAuthorization.self)
            let before = try await service.ask(.GET, "/v1/admin/audit", token: service.admin).decoded(Page.self).count
            #expect(try await TestBrowser(service: service).enter(device.userCode).status == 200)
            #expect(try await service.ask(.DELETE, "/v1/author/logins", token: ada).status == 204)
            let same = AuthorChange(name: "Ada")
            #expect(try await service.ask(.PUT, "/v1/author", token: ada, json: same).status == 200)
            let page = try await service.ask(.GET, "/v1/admin/audit", token: service.admin).decoded(Page.self)
            #expect(page.count == before)
            let other = AuthorChange(name: "ADA")
            #expect(try await service.ask(.PUT, "/v1/author", token: ada, json: other).status == 200)
            let last = try await service.ask(.GET, "/v1/admin/audit", token: service.admin).decoded(Page.self)
            #expect(last.count == before + 1 && last.entries.last?.target["name"] == "ADA")
        }
    }

    @Test("one address does not take the room of others in the log, and a proxy that tells nothing is none")
    func refusalsByOrigin() {
        let limiter = RefusalLimiter()
        let (one, other, proxy) = (RequestOrigin("192.0.2.1"), RequestOrigin("192.0.2.2"), RequestOrigin("127.0.0.1"))
        let admitted = (0..<50).map { _ in limiter.admit(one, at: Self.date) }
        #expect(admitted.compactMap(\.self).count == RefusalLimiter.originLimit)
        #expect(limiter.admit(other, at: Self.date) == 20)
        for _ in 0..<RefusalLimiter.limit - 31 { #expect(limiter.admit(proxy, at: Self.date) == 0) }
        #expect(limiter.admit(proxy, at: Self.date) == nil && limiter.admit(other, at: Self.date) == nil)
        #expect(limiter.admit(one, at: Self.date + 60) == 2)
    }

    @Test("what a request is about is cut, however many marks a character has")
    func longTarget() {
        let notes = AuditNotes()
        notes.note("name", "e" + String(repeating: "\u{301}", count: 10_000))
        #expect(notes.content.target["name"]?.unicodeScalars.count == 200)
    }

    private struct Page: Decodable {
        let entries: [AuditEntry]
        let count: Int
        let fault: Int?
    }
}
