import EarshotCore
import Foundation
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("security.txt")
struct SecurityTextTests {
    @Test("it names the contacts in their order, and until when it holds", arguments: [nil, "https://music.example/"])
    func route(publicURL: String?) async throws {
        var settings = ServiceSettings()
        settings.publicURL = publicURL
        settings.securityText = try SecurityText(contacts: ["mailto:security@music.example", "tel:+41-44-555-0100"])
        try await TestService.run(settings) { (service: TestService) async throws in
            let reply = try await service.ask(.GET, "/.well-known/security.txt")
            #expect(reply.status == 200)
            #expect(reply.headers.first(name: "Content-Type") == "text/plain; charset=utf-8")
            var lines = [
                "Contact: mailto:security@music.example", "Contact: tel:+41-44-555-0100",
                "Expires: \((service.time.now + 30 * 86_400).ISO8601Format())",
            ]
            if publicURL != nil { lines.append("Canonical: https://music.example/.well-known/security.txt") }
            #expect(String(decoding: reply.bytes, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
        }
    }

    @Test("a service without a contact has none")
    func missing() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(try await service.ask(.GET, "/.well-known/security.txt").status == 404)
        }
    }

    @Test(
        "an address that is none is refused",
        arguments: [
            "", "security@music.example", "mailto:", "tel:", "https://", "http://music.example/security",
            "javascript:alert(1)", "mailto:a@music.example\nEncryption: https://evil.example",
            "mailto:a @music.example",
            "mailto:\(String(repeating: "a", count: 400))",
        ]
    )
    func refusals(contact: String) {
        for contacts in [[contact], ["mailto:security@music.example", contact]] {
            let error = #expect(throws: EarshotError.self) { try SecurityText(contacts: contacts) }
            #expect(error?.code == .configurationInvalid && error?.message.contains("securityContact") == true)
        }
        #expect(throws: EarshotError.self) { try SecurityText(contacts: []) }
    }
}
