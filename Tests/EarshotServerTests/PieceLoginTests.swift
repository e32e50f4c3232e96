import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Logging in for pieces")
struct PieceLoginTests {
    private static let page = "/authorize?application=sketcher&state=a%26b%20c"

    private func credentials(_ name: String, _ password: String, _ action: String) -> [(String, String)] {
        [("name", name), ("password", password), ("action", action)]
    }

    private func exchange(_ service: TestService, _ code: String, _ client: ClientRecord) async throws
        -> TestService.Reply
    {
        try await service.ask(
            .POST,
            "/v1/authorizations",
            token: try await service.token(client),
            json: AuthorizationRequest(code: code)
        )
    }

    @Test("an account is made, and its user publishes under its name")
    func account() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            let made = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "create"))
            #expect(made.status == 303)
            let location = try #require(made.location)
            let request = try PieceScheme(application: "sketcher").request(location)
            #expect(request == .authorize(code: try TestBrowser.code(location), state: "a&b c"))
            let answer = try await exchange(service, try TestBrowser.code(location), client).decoded(
                AuthorizationAnswer.self
            )
            #expect(answer.author == "Ada")
            let token = try await service.token(client, user: answer.user)
            #expect(try await service.ask(.GET, "/v1/author", token: token).decoded(AuthorRecord.self).name == "Ada")
            let piece = try await service.drop(token: token)

            // Who logs in again, elsewhere, is the same author.
            let again = try await browser.send("/authorize", fields + credentials("aDA", "correct horse", "login"))
            let other = try await exchange(service, try TestBrowser.code(again.location), client).decoded(
                AuthorizationAnswer.self
            )
            #expect(other.user != answer.user)
            let second = try await service.token(client, user: other.user)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: second).status == 204)
            // Of the password a slow digest is kept.
            let kept = try #require(try await service.server.pieces.store.author(named: "ada")?.password)
            #expect(String(decoding: kept, as: UTF8.self).hasPrefix("scrypt$15$8$1$"))
        }
    }

    @Test("a code works once, for five minutes, for the client of its app")
    func codes() async throws {
        try await TestService.run { (service: TestService) async throws in
            let (client, other) = (try await service.app(), try await service.app("take"))
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            _ = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "create"))
            func newCode() async throws -> String {
                let reply = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "login"))
                return try TestBrowser.code(reply.location)
            }
            let first = try await newCode()
            #expect(try await exchange(service, first, other).code == "accessDenied")
            #expect(try await exchange(service, first, client).status == 200)
            let twice = try await exchange(service, first, client)
            #expect(twice.status == 403 && twice.code == "accessDenied")
            let late = try await newCode()
            service.time.advance(299)
            let good = try await newCode()
            service.time.advance(2)
            #expect(try await exchange(service, late, client).status == 403)
            #expect(try await exchange(service, good, client).status == 200)
            #expect(try await exchange(service, "", client).status == 403)
            let asOperator = try await service.ask(
                .POST,
                "/v1/authorizations",
                token: service.admin,
                json: AuthorizationRequest(code: "x")
            )
            #expect(asOperator.status == 403)
        }
    }

    @Test("what is wrong is said on the page, and nothing of what was entered runs there")
    func faults() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            _ = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "create"))
            for entry in [
                credentials("Ada", "wrong horse!", "login"), credentials("Nobody", "correct horse", "login"),
                credentials("ADA", "correct horse", "create"), credentials("Grace", "short", "create"),
                credentials("a", "correct horse", "create"), credentials("", "", "login"),
            ] {
                let reply = try await browser.send("/authorize", fields + entry)
                #expect(reply.status == 403 && reply.location == nil && reply.page.contains("class=\"fault\""))
            }
            let script = try await browser.send(
                "/authorize",
                fields + credentials("\"><script>alert(1)</script>", "correct horse", "login")
            )
            #expect(!script.page.contains("<script") && script.page.contains("The &lt;App&gt;"))
            // A form that the service did not make, or that another page sent, or that is old.
            for wrong in ["seal", "expires", "state", "application"] {
                var changed = fields
                changed.removeAll { $0.0 == wrong }
                let reply = try await browser.send(
                    "/authorize",
                    changed + [(wrong, wrong == "application" ? "sketcher2" : "1")]
                        + credentials("Ada", "correct horse", "login")
                )
                #expect(reply.status >= 400 && reply.location == nil, "\(wrong)")
            }
            let foreign = try await TestBrowser(service: service, site: "cross-site")
                .send("/authorize", fields + credentials("Ada", "correct horse", "login"))
            #expect(foreign.status == 403)
            service.time.advance(3_601)
            let old = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "login"))
            #expect(old.status == 403)
            #expect(try await service.ask(.GET, "/authorize?application=none&state=1").status == 404)
            #expect(try await service.ask(.GET, "/authorize?application=sketcher").status == 400)
        }
    }

    @Test("too many wrong passwords are refused, also with the right one, but for one in ten seconds")
    func guessing() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            let right = fields + credentials("Ada", "correct horse", "login")
            _ = try await browser.send("/authorize", fields + credentials("Ada", "correct horse", "create"))
            for _ in 0..<47 {
                _ = try await service.server.logins.begin(.name("ada"), RequestOrigin("127.0.0.1"))
            }
            for _ in 0..<3 {
                let reply = try await browser.send("/authorize", fields + credentials("ada", "wrong horse", "login"))
                #expect(reply.status == 403)
            }
            #expect(try await browser.send("/authorize", right).status == 429)
            service.time.advance(11)
            #expect(try await browser.send("/authorize", right).status == 303)
        }
    }

    @Test("an author that a program made gets a password, and logs in with it at another device")
    func password() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let token = try await service.author("Ada", of: client)
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            func logIn(_ name: String, _ password: String) async throws -> (status: Int, location: URL?) {
                let reply = try await browser.send("/authorize", fields + credentials(name, password, "login"))
                return (reply.status, reply.location)
            }
            func put(
                _ name: String,
                _ password: String?,
                _ token: String,
                current: String? = nil
            ) async throws -> TestService.Reply {
                let change = AuthorChange(name: name, password: password, currentPassword: current)
                return try await service.ask(.PUT, "/v1/author", token: token, json: change)
            }
            #expect(try await logIn("Ada", "correct horse").status == 403)
            for wrong in ["", "7 signs", String(repeating: "a", count: 201)] {
                let reply = try await put("Ada", wrong, token)
                #expect(reply.status == 400 && reply.code == "requestInvalid")
                #expect(wrong.isEmpty || !String(decoding: reply.bytes, as: UTF8.self).contains(wrong))
            }
            let given = try await put("Ada", "correct horse", token)
            #expect(given.status == 200 && !String(decoding: given.bytes, as: UTF8.self).contains("password"))
            let there = try await logIn("Ada", "correct horse")
            #expect(there.status == 303)
            let answer = try await exchange(service, try TestBrowser.code(there.location), client)
            let elsewhere = try await service.token(client, user: try answer.decoded(AuthorizationAnswer.self).user)
            // Of the password a slow digest is kept, and a change of the name leaves it.
            let kept = try #require(try await service.server.pieces.store.author(named: "ada")?.password)
            #expect(String(decoding: kept, as: UTF8.self).hasPrefix("scrypt$15$8$1$"))
            #expect(try await put("Ada L", nil, token).status == 200)
            #expect(try await logIn("Ada L", "correct horse").status == 303)
            // Another password, from the other device, by who knows the one of now: an app that somebody logged in to does not.
            for current in [nil, "", "correct house"] {
                let refused = try await put("Ada L", "battery staple", elsewhere, current: current)
                #expect(refused.status == 403 && refused.code == "accessDenied")
            }
            #expect(try await logIn("Ada L", "correct horse").status == 303)
            #expect(try await put("Ada L", "battery staple", elsewhere, current: "correct horse").status == 200)
            #expect(try await logIn("Ada L", "correct horse").status == 403)
            #expect(try await logIn("Ada L", "battery staple").status == 303)
            // Nobody gives one to the author of somebody else.
            let other = try await service.author("Grace", of: client)
            #expect(try await put("ada l", "taken over", other).status == 409)
            #expect(try await logIn("Ada L", "battery staple").status == 303)
            #expect(try await logIn("Grace", "taken over").status == 403)
        }
    }

    @Test("a password is in no description")
    func description() {
        let change = AuthorChange(name: "Ada", password: "correct horse", currentPassword: "old horse")
        var text = "\(change)"
        dump(change, to: &text)
        #expect(!text.contains("horse") && text.contains("Ada"))
    }

    @Test("apps are registered by the operator, with identifiers that addresses can have")
    func applications() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app("Sketcher")
            func put(_ id: String, _ record: ApplicationRecord, _ token: String?) async throws -> Int {
                try await service.ask(.PUT, "/v1/applications/\(id)", token: token, json: record).status
            }
            let record = ApplicationRecord(identifier: "x", name: "X", client: client.id)
            #expect(try await put("x", record, try await service.token(client)) == 403)
            #expect(try await put("x", record, nil) == 401)
            #expect(try await put("my%20app", record, service.admin) == 400)
            #expect(try await put("x", ApplicationRecord(identifier: "x", name: ""), service.admin) == 400)
            #expect(try await put("x", ApplicationRecord(identifier: "x", name: "X"), service.admin) == 400)
            let unknown = ApplicationRecord(identifier: "x", name: "X", client: "00000000")
            #expect(try await put("x", unknown, service.admin) == 404)
            let script = ApplicationRecord(
                identifier: "x",
                name: "X",
                site: URL(string: "javascript:alert(1)"),
                client: client.id
            )
            #expect(try await put("x", script, service.admin) == 400)
            let open = try await service.ask(.GET, "/v1/applications").decoded([ApplicationRecord].self)
            #expect(open.map(\.identifier) == ["sketcher"] && open[0].client == nil)
            let told = try await service.ask(.GET, "/v1/applications", token: service.admin)
            #expect(try told.decoded([ApplicationRecord].self).map(\.client) == [client.id])
            #expect(try await service.ask(.DELETE, "/v1/applications/SKETCHER", token: service.admin).status == 204)
            #expect(try await service.ask(.DELETE, "/v1/applications/sketcher", token: service.admin).status == 404)
        }
    }
}
