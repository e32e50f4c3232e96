import EarshotAPI
import Foundation
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("A port for the state of the service")
struct OperationsPortTests {
    private static let paths = ["/health", "/ready", "/metrics"]

    private func described(_ service: TestService) async throws -> Set<String> {
        let description = try await service.ask(.GET, "/v1/openapi.json").decoded(JSONDescription.self)
        return Set(description.paths.keys)
    }

    private struct JSONDescription: Decodable {
        struct Anything: Decodable {}
        let paths: [String: Anything]
    }

    @Test("the state is told there and nowhere else, and nothing else is told there")
    func apart() async throws {
        var settings = ServiceSettings()
        settings.operationsPort = 0
        try await TestService.run(settings) { (service: TestService) async throws in
            let operations = try #require(service.operations)
            for path in Self.paths {
                #expect(try await service.ask(.GET, operations + path).status == 200, "\(path)")
                let reply = try await service.ask(.GET, path)
                #expect((reply.status, reply.code) == (404, "entityNotFound"), "\(path)")
            }
            for path in ["/start", "/v1/search", "/v1/openapi.json", "/v1/admin/clients"] {
                let reply = try await service.ask(.GET, operations + path, token: service.admin)
                #expect(reply.status == 404, "\(path)")
            }
            #expect(try await described(service).isDisjoint(with: Self.paths))
            let page = String(decoding: try await service.ask(.GET, "/start").bytes, as: UTF8.self)
            #expect(!page.contains("/metrics"))
            // Requests of both ports are counted.
            let figures = try await service.ask(.GET, operations + "/metrics").bytes
            #expect(String(decoding: figures, as: UTF8.self).contains("path=\"/v1/openapi.json\""))
        }
    }

    @Test("without a port of its own the state is told where everything is")
    func together() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(service.operations == nil)
            for path in Self.paths { #expect(try await service.ask(.GET, path).status == 200, "\(path)") }
            #expect(try await described(service).isSuperset(of: Self.paths))
            #expect(String(decoding: try await service.ask(.GET, "/start").bytes, as: UTF8.self).contains("/metrics"))
        }
    }

    @Test("proxies and TLS are not for this port")
    func plain() async throws {
        var settings = ServiceSettings()
        settings.operationsPort = 0
        settings.trustedProxies = try TrustedProxies(["127.0.0.0/8"], header: .proxyProtocol)
        try await TestService.run(settings) { (service: TestService) async throws in
            #expect(try await service.ask(.GET, try #require(service.operations) + "/ready").status == 200)
        }
    }
}
