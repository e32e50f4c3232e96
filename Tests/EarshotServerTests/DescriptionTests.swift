import EarshotAPI
import EarshotCore
import EarshotMusic
import Foundation
import HTTPTypes
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The description of the service")
struct DescriptionTests {
    @Test("it names every route, and every route that it names is there", .requirements("R-ACR-006"))
    func routes() async throws {
        try await TestService.run { (service: TestService) async throws in
            let document = try await service.ask(.GET, "/v1/openapi.json")
            let object = try #require(try JSONSerialization.jsonObject(with: document.bytes) as? [String: Any])
            #expect(object["openapi"] as? String == "3.1.0")
            let paths = try #require(object["paths"] as? [String: [String: Any]])
            let described = Set(
                paths.flatMap { path, operations in operations.keys.map { "\($0.uppercased()) \(path)" } }
            )
            #expect(described == Set(service.described.map { "\($0.method.rawValue) \($0.path)" }))
            #expect(Set(service.described.map(\.id)).count == service.described.count)
            // Whoever has no token is told so by all that need one, which shows that the route is there.
            for endpoint in service.described where ![.open, .reader, .page].contains(endpoint.access) {
                let path = endpoint.path.replacing(/\{[a-zA-Z]+\}/, with: "1")
                let reply = try await service.ask(HTTPMethod(rawValue: endpoint.method.rawValue), path)
                #expect(reply.status == 401, "\(endpoint.method) \(endpoint.path)")
            }
        }
    }

    @Test("every schema that is referred to is there")
    func references() async throws {
        try await TestService.run { (service: TestService) async throws in
            let document = try await service.ask(.GET, "/v1/openapi.json")
            let text = String(decoding: document.bytes, as: UTF8.self).replacing("\\/", with: "/")
            let names = Set(text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.output.1) })
            #expect(!names.isEmpty)
            #expect(names.isSubset(of: Set(Schemas.all.keys)))
        }
    }

    @Test("paths of other protocols are served and not described")
    func otherProtocols() async throws {
        try await TestService.run { (service: TestService) async throws in
            let others = service.server.endpoints.filter { !$0.isDescribed }
            #expect(Set(others.map(\.path)).isSuperset(of: ["/v2/lookup", "/v2/submit", "/lookup", "/_health"]))
            let document = String(decoding: try await service.ask(.GET, "/v1/openapi.json").bytes, as: UTF8.self)
            for endpoint in others { #expect(!document.contains("\"\(endpoint.path)\"")) }
            #expect(try await service.ask(.GET, "/_health").status == 200)
            #expect(try await service.ask(.DELETE, "/v2/lookup").status == 404)
        }
    }

    @Test("a complete match has no member that the description does not name")
    func members() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.recognize(
                1,
                token: token,
                "coverArt=1&artistImages=1&biography=1&review=1&mood=1&tempo=1&era=1"
            )
            let object = try #require(try JSONSerialization.jsonObject(with: reply.bytes) as? [String: Any])
            let match = try #require((object["matches"] as? [[String: Any]])?.first)
            guard case .object(let known)? = Schemas.all["MusicMatch"]?["properties"] else {
                Issue.record("there is no schema")
                return
            }
            #expect(Set(match.keys).isSubset(of: Set(known.keys)))
            // All but what this track lacks: a score is of searches, identifiers it has none.
            #expect(
                Set(known.keys).subtracting(match.keys) == [
                    "score", "trackIdentifiers", "albumIdentifiers", "discNumber", "discCount",
                ]
            )
        }
    }

    @Test("a path with another method says which ones there are, and an unknown path that there is none")
    func methods() async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await service.ask(.DELETE, "/v1/search")
            #expect(reply.status == 405)
            #expect(reply.headers.first(name: "Allow") == "GET")
            #expect(try await service.ask(.GET, "/v1/nothing").status == 404)
            #expect(try await service.ask(.GET, "/v1/nothing").code == "entityNotFound")
        }
    }

    @Test("a route that refuses the type of a body says so in the description")
    func refusedTypes() async throws {
        try await TestService.run { (service: TestService) async throws in
            let document = try await service.ask(.GET, "/v1/openapi.json")
            let object = try #require(try JSONSerialization.jsonObject(with: document.bytes) as? [String: Any])
            let paths = try #require(object["paths"] as? [String: [String: [String: Any]]])
            let client = try await service.client()
            let tokens = [service.admin, try await service.token(client), try await service.userToken(client)]
            var refusing = 0
            for endpoint in service.described where [.post, .put, .patch].contains(endpoint.method) {
                let path = endpoint.path.replacing(/\{[a-zA-Z]+\}/, with: "1")
                var statuses: Set<Int> = []
                for token in tokens {
                    let reply = try await service.ask(
                        HTTPMethod(rawValue: endpoint.method.rawValue),
                        path,
                        token: token,
                        type: "text/x-unknown",
                        body: Data("x".utf8)
                    )
                    statuses.insert(reply.status)
                }
                guard statuses.contains(415) else { continue }
                refusing += 1
                let answers =
                    paths[endpoint.path]?[endpoint.method.rawValue.lowercased()]?["responses"] as? [String: Any]
                #expect(answers?["415"] != nil, "\(endpoint.method) \(endpoint.path)")
            }
            #expect(refusing >= 15)
        }
    }

    @Test("a route that asks for an entitlement or a kind of queries says in the description that it may refuse")
    func refusedClients() async throws {
        try await TestService.run { (service: TestService) async throws in
            let document = try await service.ask(.GET, "/v1/openapi.json")
            let object = try #require(try JSONSerialization.jsonObject(with: document.bytes) as? [String: Any])
            let paths = try #require(object["paths"] as? [String: [String: [String: Any]]])
            let routes = service.described.filter { $0.module != nil || $0.entitlement != nil }
            #expect(!routes.isEmpty)
            for endpoint in routes {
                let operation = paths[endpoint.path]?[endpoint.method.rawValue.lowercased()]
                let answers = operation?["responses"] as? [String: Any]
                #expect(answers?["403"] != nil, "\(endpoint.method) \(endpoint.path)")
            }
        }
    }

    @Test(
        "a route that sends files with entity tags describes parts, and that nothing has changed",
        arguments: [
            "newestCatalog", "catalogVersion", "bundle", "exportFile", "pieceSound", "pieceCover", "pieceAttachment",
        ]
    )
    func files(id: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let endpoint = try #require(service.described.first { $0.id == id })
            #expect(Set(endpoint.responses.map(\.status)).isSuperset(of: [200, 206, 304, 416]))
        }
    }

    @Test("a job whose host is not known is refused as the description says")
    func unknownHost() async throws {
        try await TestService.run { (service: TestService) async throws in
            let job = JobRequest(kind: .addReference, url: "http://name.invalid/a.wav")
            let reply = try await service.ask(.POST, "/v1/jobs", token: service.admin, json: job)
            #expect(reply.status == 422 && reply.code == "networkUnavailable")
            let endpoint = try #require(service.described.first { $0.id == "submitJob" })
            #expect(endpoint.responses.contains { $0.status == reply.status })
        }
    }

    @Test(
        "what is no HTTP is answered with a failure in JSON",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
            "POST /v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            "POST /v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Long: \(String(repeating: "a", count: 40_000))\r\n\r\n",
        ]
    )
    func malformedRequests(text: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let answer = try await RawConnection.answer(of: text, port: port)
            let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
            #expect(parts.first?.hasPrefix("HTTP/1.1 400") == true, "\(answer.prefix(80))")
            #expect(parts.first?.lowercased().contains("content-type: application/json") == true)
            let failure = try ServiceAPI.decoder().decode(Failure.self, from: Data((parts.last ?? "").utf8))
            #expect(failure.error.code == "requestInvalid")
            #expect(try await service.ask(.GET, "/health").status == 200)
        }
    }

    @Test("the start page begins with references, and a browser runs its own script only")
    func startPage() async throws {
        try await TestService.run { (service: TestService) async throws in
            let page = try await service.ask(.GET, "/start")
            let text = String(decoding: page.bytes, as: UTF8.self)
            let order = ["/v1/references", "/v1/tokens", "/v1/recognitions", "/v1/search", "/v1/history"]
            let places = order.compactMap { text.range(of: service.base + $0)?.lowerBound }
            #expect(places.count == order.count && places == places.sorted())
            #expect(text.contains("/commands.js"))
            let policy = page.headers.first(name: "Content-Security-Policy") ?? ""
            #expect(policy.contains("script-src 'self'"), "\(policy)")
            #expect(policy.contains("default-src 'none'"))
            #expect(!text.contains("onclick"), "no other script would run")
        }
    }

    @Test("every answer forbids what browsers could make of it")
    func headers() async throws {
        var settings = ServiceSettings()
        settings.allowedOrigins = ["https://app.example"]
        try await TestService.run(settings) { (service: TestService) async throws in
            let page = try await service.ask(.GET, "/", headers: [("Origin", "https://app.example")])
            #expect(String(decoding: page.bytes, as: UTF8.self).contains("curl"))
            #expect(page.headers.first(name: "X-Content-Type-Options") == "nosniff")
            #expect(page.headers.first(name: "Content-Security-Policy")?.contains("default-src 'none'") == true)
            #expect(page.headers.first(name: "X-Request-ID") != nil)
            #expect(page.headers.first(name: "Access-Control-Allow-Origin") == "https://app.example")
            let other = try await service.ask(.GET, "/", headers: [("Origin", "https://evil.example")])
            #expect(other.headers.first(name: "Access-Control-Allow-Origin") == nil)
            let asked = try await service.ask(
                .OPTIONS,
                "/v1/recognitions",
                headers: [("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST")]
            )
            #expect(asked.status == 204)
            #expect(asked.headers.first(name: "Access-Control-Allow-Methods")?.contains("POST") == true)
        }
    }

    @Test(
        "an answer to HEAD has no body, and the connection goes on",
        arguments: ["/health", "/v1/search", "/nothing"]
    )
    func head(path: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await service.ask(.HEAD, path)
            #expect(reply.bytes.isEmpty)
            #expect(reply.status == (path == "/health" ? 200 : path == "/nothing" ? 404 : 401))
            for _ in 0..<3 {
                _ = try await service.ask(.HEAD, path)
                #expect(try await service.ask(.GET, "/health").status == 200)
            }
        }
    }

    @Test("health and readiness are told")
    func health() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(try await service.ask(.GET, "/health").status == 200)
            #expect(try await service.ask(.GET, "/ready").status == 200)
        }
    }
}
