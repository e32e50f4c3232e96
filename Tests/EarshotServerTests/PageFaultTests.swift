import EarshotAPI
import EarshotCore
import Foundation
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("Pages that say why there is no page")
struct PageFaultTests {
    private static let browser = [("Accept", "text/html,application/xhtml+xml;q=0.9")]

    @Test(
        "a browser that loads a page is told in a page, and a program in JSON",
        arguments: ["/nothing", "/tracks/none"]
    )
    func missing(path: String) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let visitor = PageVisitor(service)
            let page = try await visitor.send(.GET, path, headers: Self.browser)
            #expect(page.status == 404 && page.text.contains("<h1>Page not found"))
            #expect(page.headers.first(name: "Content-Security-Policy")?.contains("script-src 'self'") == true)
            for headers in [[], [("Accept", "application/json")], Self.browser + [("Authorization", "Bearer x")]] {
                let told = try await visitor.send(.GET, path, headers: headers)
                #expect(told.headers.first(name: "Content-Type")?.hasPrefix("application/json") == true, "\(headers)")
            }
            let script = try await visitor.send(.GET, path, mark: try await visitor.mark(), headers: Self.browser)
            #expect(script.status == 404 && !script.text.contains("<h1>"))
        }
    }

    @Test("what the service answers to programs stays JSON in a browser too")
    func interface() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let told = try await PageVisitor(service).send(.GET, "/v1/tracks/none", headers: Self.browser)
            #expect(told.status == 401 && !told.text.contains("<h1>"))
        }
        try await TestService.run(pages: .off) { (service: TestService) async throws in
            let told = try await PageVisitor(service).send(.GET, "/nothing", headers: Self.browser)
            #expect(told.status == 404 && !told.text.contains("<h1>"))
        }
    }

    @Test("a service that is too busy for a page says so in one, and when to come again")
    func busy() async throws {
        var settings = ServiceSettings()
        settings.requestsPerClient = 0
        try await TestService.run(settings, pages: .open) { (service: TestService) async throws in
            let page = try await PageVisitor(service).send(.GET, "/search?q=lantern", headers: Self.browser)
            #expect(page.status == 429 && page.headers.first(name: "Retry-After") == "1")
            #expect(page.text.contains("href=\"/search?q=lantern\"") && page.text.contains("Wait a moment"))
        }
    }
}
