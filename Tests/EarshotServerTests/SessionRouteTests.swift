import EarshotAPI
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Browsers in which people have signed in")
struct SessionRouteTests {
    private func sessions(_ person: PageVisitor) async throws -> [SessionRecord] {
        try await person.ask(.GET, "/v1/sessions").decoded([SessionRecord].self)
    }

    private func person(_ service: TestService, _ name: String, _ password: String = "correct horse") async throws
        -> PageVisitor
    {
        let browser = PageVisitor(service)
        if try await browser.signIn(name, password, action: "login").status == 303 { return browser }
        #expect(try await browser.signIn(name, password).status == 303)
        return browser
    }

    @Test("a person sees the own browsers, and signs out in one and in all others")
    func ending() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let first = try await person(service, "Ada")
            service.time.advance(5)
            let second = try await person(service, "Ada")
            service.time.advance(5)
            let third = try await person(service, "Ada")
            let grace = try await person(service, "Grace")
            let records = try await sessions(first)
            #expect(records.map(\.isCurrent) == [false, false, true])
            #expect(records.allSatisfy { !$0.isOperator })
            #expect(try await sessions(grace).count == 1)

            #expect(try await grace.ask(.DELETE, "/v1/sessions/\(records[1].id)").status == 404)
            #expect(try await first.ask(.DELETE, "/v1/sessions/\(records[1].id)").status == 204)
            #expect(try await first.ask(.DELETE, "/v1/sessions/\(records[1].id)").status == 404)
            #expect(try await second.ask(.GET, "/v1/history").status == 403, "a visitor has no history")
            #expect(try await second.ask(.GET, "/v1/search?q=lantern").matches.count == 1)
            #expect(try await first.ask(.DELETE, "/v1/sessions").status == 204)
            #expect(try await third.ask(.GET, "/v1/history").status == 403)
            #expect(try await sessions(first).map(\.isCurrent) == [true])
            #expect(try await sessions(grace).count == 1)
        }
    }

    @Test("the operator sees the operator's, and clients have none")
    func operators() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let person = PageVisitor(service)
            try await person.signInOperator()
            _ = try await self.person(service, "Ada")
            let records = try await sessions(person)
            #expect(records.count == 1 && records.allSatisfy { $0.isOperator && $0.isCurrent })
            let told = try await service.ask(.GET, "/v1/sessions", token: service.admin)
            #expect(try told.decoded([SessionRecord].self).map(\.isCurrent) == [false])
            #expect(try await service.ask(.GET, "/v1/sessions", token: try await service.token()).status == 403)
            #expect(try await PageVisitor(service).ask(.GET, "/v1/sessions").status == 403)
        }
    }

    @Test("another password signs out in other browsers")
    func password() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let first = try await person(service, "Ada")
            let second = try await person(service, "Ada")
            var change = AuthorChange(name: "Ada")
            (change.password, change.currentPassword) = ("another horse", "wrong horse")
            #expect(try await first.ask(.PUT, "/v1/author", json: change).status == 403)
            #expect(try await sessions(first).count == 2)
            change.currentPassword = "correct horse"
            #expect(try await first.ask(.PUT, "/v1/author", json: change).status == 200)
            #expect(try await sessions(first).map(\.isCurrent) == [true])
            #expect(try await second.ask(.GET, "/v1/sessions").status == 403)
            #expect(try await sessions(try await person(service, "Ada", "another horse")).count == 2)
        }
    }

    @Test("a browser whose log-in was ended elsewhere is that of a visitor, and works on")
    func endedLogin() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let person = try await self.person(service, "Ada")
            let mark = try await person.mark()
            let query = try TestMusic.query(1).data
            #expect(try await person.ask(.DELETE, "/v1/users/me").status == 204)
            #expect(try await person.mark() != mark)
            let found = try await person.ask(.POST, "/v1/recognitions", body: query, type: ServiceAPI.signatureType)
            #expect(found.matches.count == 1)
            #expect(try await person.page("/account").location?.hasPrefix("/sign-in") == true)
        }
    }
}
