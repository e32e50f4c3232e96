import EarshotAPI
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Signing in at a browser")
struct SignInTests {
    @Test("somebody signs in, has a history in every browser, and signs out")
    func author() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            let reply = try await browser.signIn("Ada")
            #expect(reply.status == 303 && reply.location == "/history")
            let value = try #require(reply.headers.first(name: "Set-Cookie"))
            #expect(value.contains("HttpOnly") && value.contains("SameSite=Lax") && value.contains("Path=/"))
            let query = try TestMusic.query(1).data
            let mark = try await browser.mark()
            let answer = try await browser.send(
                .POST,
                "/v1/recognitions",
                body: query,
                type: ServiceAPI.signatureType,
                mark: mark
            )
            #expect(answer.status == 200)
            let other = PageVisitor(service)
            #expect(try await other.signIn("Ada", action: "login").status == 303)
            let history = try await other.send(.GET, "/v1/history")
            #expect(history.status == 200 && history.text.contains("\"total\":1"))
            let out = try await other.send(.POST, "/sign-out", form: [("mark", try await other.mark())])
            #expect(out.status == 303 && other.cookie == nil)
            #expect(out.headers.first(name: "Clear-Site-Data") == "\"storage\"")
            #expect(try await other.send(.GET, "/v1/history").status == 401)
            #expect(try await browser.send(.GET, "/v1/history").status == 200)
        }
    }

    @Test("a wrong password is refused by the page, and leads nowhere")
    func wrong() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            try await browser.signIn("Ada")
            let other = PageVisitor(service)
            let reply = try await other.signIn("Ada", "wrong horse", action: "login")
            #expect(reply.status == 403 && reply.text.contains("role=\"alert\"") && other.cookie == nil)
            #expect(try await other.signInOperator("earshot-admin-x").status == 403)
            let forged = [("name", "Ada"), ("password", "correct horse"), ("action", "login"), ("back", "/")]
            #expect(try await other.send(.POST, "/sign-in", form: forged).status == 403)
        }
    }

    @Test(
        "nobody is led to another site",
        arguments: ["//evil.example", "https://evil.example", "/\\evil.example", "x", ""]
    )
    func back(address: String) {
        #expect(PageFrame.ownAddress(address) == "/")
        #expect(PageFrame.ownAddress("/tracks/a?b=c") == "/tracks/a?b=c")
    }

    @Test("the operator signs in by token, and a new token ends the session")
    func operatorToken() async throws {
        try await TestService.run(pages: .accounts) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            #expect(try await browser.send(.GET, "/admin").location?.hasPrefix("/sign-in?back=") == true)
            #expect(try await browser.signInOperator().status == 303)
            #expect(try await browser.send(.GET, "/admin").status == 200)
            #expect(try await browser.send(.GET, "/v1/admin/clients").status == 200)
            _ = try await ClientRegister(service.accounts).renewAdminToken()
            #expect(try await browser.send(.GET, "/v1/admin/clients").status == 401)
            #expect(try await browser.send(.GET, "/admin").status == 303)
        }
    }

    @Test("a link signs the operator in once, and not after its time")
    func link() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let links = OperatorLink(service.accounts)
            await #expect(throws: EarshotError.self) { try await links.make(at: service.time.now) }
            try await links.noteAddress(service.base)
            let link = try await links.make(at: service.time.now).dropFirst(service.base.count)
            let browser = PageVisitor(service)
            let followed = try await browser.send(.GET, String(link))
            #expect(followed.status == 303 && followed.location == "/" && browser.cookie != nil)
            // A browser that loads it twice is led on, another one is not let in.
            #expect(try await browser.send(.GET, String(link)).status == 303)
            #expect(try await PageVisitor(service).send(.GET, String(link)).status == 403)
            let late = try await links.make(at: service.time.now).dropFirst(service.base.count)
            service.time.advance(901)
            #expect(try await PageVisitor(service).send(.GET, String(late)).status == 403)
        }
    }

    @Test("what a browser sends for another site's page changes nothing")
    func forgery() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            try await browser.signInOperator()
            let change = Data("{}".utf8)
            // The cookie comes along, the mark does not; one of a visitor or of another session is none.
            let stranger = try await PageVisitor(service).mark()
            let other = PageVisitor(service)
            try await other.signIn("Ada")
            for mark in [nil, "", "x", stranger, try await other.mark()] {
                let reply = try await browser.send(.POST, "/v1/admin/clients", body: change, mark: mark)
                #expect([401, 403].contains(reply.status), "\(mark ?? "none")")
            }
            let own = try await browser.mark()
            #expect(try await browser.send(.POST, "/v1/admin/clients", body: change, mark: own).status == 201)
            // A visitor's own page speaks for a visitor.
            let visitor = PageVisitor(service)
            #expect(try await visitor.send(.POST, "/v1/admin/clients", body: change, mark: stranger).status == 403)
            #expect(try await visitor.send(.GET, "/v1/search?q=a", mark: stranger).status == 200)
            #expect(try await visitor.send(.GET, "/v1/search?q=a").status == 401)
        }
    }

    @Test("sessions end: unused after 30 days and the operator's after 12 hours, and with the password")
    func ends() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let (browser, admin) = (PageVisitor(service), PageVisitor(service))
            try await browser.signIn("Ada")
            try await admin.signInOperator()
            service.time.advance(13 * 3_600)
            #expect(try await browser.send(.GET, "/v1/history").status == 200)
            #expect(try await admin.send(.GET, "/v1/admin/clients").status == 401)
            service.time.advance(31 * 86_400)
            #expect(try await browser.send(.GET, "/v1/history").status == 401)
            let sessions = WebSessions(accounts: service.accounts)
            try await sessions.clean(at: service.time.now)
            #expect(try await service.accounts.valueNames(beginning: "session/").isEmpty)
            let (one, two) = (PageVisitor(service), PageVisitor(service))
            try await one.signIn("Ada", action: "login")
            try await two.signIn("Ada", action: "login")
            service.time.advance(1)
            let change = try JSONEncoder().encode([
                "name": "Ada", "password": "other horses", "currentPassword": "correct horse",
            ])
            let changed = try await one.send(.PUT, "/v1/author", body: change, mark: try await one.mark())
            #expect(changed.status == 200)
            #expect(try await PageVisitor(service).signIn("Ada", "other horses", action: "login").status == 303)
        }
    }

    @Test("on a loopback address a name that others have given it is none of the service's", arguments: [true, false])
    func rebinding(isLocal: Bool) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            let mark = try await browser.mark()
            let host = isLocal ? "localhost:1" : "evil.example"
            let reply = try await browser.send(.GET, "/v1/search?q=a", mark: mark, headers: [("Host", host)])
            #expect(reply.status == (isLocal ? 200 : 403))
        }
    }

    @Test("damaged cookies are none", arguments: ["", ".", "a.b", "a", "\u{20}", String(repeating: "x", count: 4_000)])
    func damaged(cookie: String) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let browser = PageVisitor(service)
            browser.setCookie(cookie)
            #expect(try await browser.send(.GET, "/").status == 200)
            #expect(try await browser.send(.GET, "/pieces").status == 200)
            #expect(try await browser.send(.GET, "/v1/history").status == 401)
        }
    }

    @Test("without pages there is nothing to sign in to")
    func off() async throws {
        try await TestService.run { (service: TestService) async throws in
            let browser = PageVisitor(service)
            #expect(try await browser.send(.GET, "/").location == "/start")
            #expect(try await browser.send(.GET, "/sign-in").status == 404)
            #expect(try await browser.send(.GET, "/admin").status == 404)
            #expect(try await browser.send(.GET, "/start").status == 200)
        }
    }

    @Test(
        "a page registers no user and begins no log-in, and a visitor has no rights of the pages' client",
        arguments: ["/v1/users", "/v1/device-authorizations"]
    )
    func programsOnly(path: String) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let visitor = PageVisitor(service)
            let reply = try await visitor.send(.POST, path, body: Data("{}".utf8), mark: try await visitor.mark())
            #expect(reply.status == 403)
            let clients = try await service.ask(.GET, "/v1/admin/clients", token: service.admin)
            let listed = try JSONSerialization.jsonObject(with: clients.bytes) as? [[String: Any]]
            let id = try #require(listed?.first { $0["name"] as? String == "Web pages" }?["id"] as? String)
            let change = ["rights": ["media", "references"]]
            #expect(
                try await service.ask(.PATCH, "/v1/admin/clients/\(id)", token: service.admin, json: change).status
                    == 200
            )
            let read = try await visitor.send(.GET, "/v1/references", mark: try await visitor.mark())
            #expect(read.status == 403)
        }
    }
}
