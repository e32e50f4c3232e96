import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import EarshotServer

@Suite("Requests of AcoustID's protocol by where they come from")
struct AcoustIDOriginTests {
    /// The status and what a request of an address is told to wait; the handler itself counts nobody.
    private func ask(
        _ controller: AcoustIDController,
        from address: String?,
        _ query: String = "format=json"
    ) async -> (status: Int, type: String?, wait: String?) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "test", path: "/v2/lookup?\(query)")
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let response = await controller.answer(request, from: address, TestService.silentLogger) { _ in [:] }
        return (response.status.code, response.headers[.contentType], response.headers[.retryAfter])
    }

    private func statuses(_ controller: AcoustIDController, from address: String?, _ count: Int) async -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(await ask(controller, from: address).status) }
        return statuses
    }

    @Test("an address may ask four times a second, whatever it asks, and others meanwhile")
    func addresses() async throws {
        try await TestService.run { service in
            let controller = try #require(service.server.acoustID)
            #expect(await statuses(controller, from: "192.0.2.7", 6) == [200, 200, 200, 200, 429, 429])
            let refused = await ask(controller, from: "192.0.2.7", "format=xml")
            #expect((refused.type, refused.wait) == ("text/xml; charset=UTF-8", "1"))
            #expect(await statuses(controller, from: "192.0.2.8", 2) == [200, 200])
            service.time.advance(0.26)
            #expect(await statuses(controller, from: "192.0.2.7", 2) == [200, 429])
            service.time.advance(60)
            #expect(await statuses(controller, from: "192.0.2.7", 5) == [200, 200, 200, 200, 429])
            // Those count too that are refused for something else.
            for _ in 0..<4 { #expect(await ask(controller, from: "192.0.2.9", "format=yaml").status == 400) }
            #expect(await ask(controller, from: "192.0.2.9", "format=yaml").status == 429)
            // The machines of one network of IPv6 are one.
            #expect(await statuses(controller, from: "2001:db8:1:2::1", 4) == [200, 200, 200, 200])
            #expect(await statuses(controller, from: "2001:db8:1:2:ffff::9", 1) == [429])
            #expect(await statuses(controller, from: "2001:db8:1:3::1", 1) == [200])
        }
    }

    @Test("an address that asks too often is refused before anything of its body is read")
    func unreadBodies() async throws {
        try await TestService.run { service in
            let controller = try #require(service.server.acoustID)
            for round in 1...6 {
                let isRead = Mutex(false)
                let head = HTTPRequest(method: .post, scheme: "http", authority: "test", path: "/v2/lookup?format=xml")
                let parts = AsyncStream<ByteBuffer> {
                    isRead.withLock { $0 = true }
                    return nil
                }
                let request = Request(head: head, body: RequestBody(asyncSequence: parts))
                let response = await controller.answer(request, from: "192.0.2.7", TestService.silentLogger) { _ in [:]
                }
                #expect(response.status.code == (round <= 4 ? 200 : 429))
                #expect(isRead.withLock { $0 } == (round <= 4))
                #expect(response.headers[.contentType] == "text/xml; charset=UTF-8")
            }
        }
    }

    @Test("programs of this machine are held by the limit of clients alone")
    func loopback() async throws {
        try await TestService.run { service in
            let controller = try #require(service.server.acoustID)
            for address in ["127.0.0.1", "127.4.5.6", "::1", "::ffff:127.0.0.1"] {
                #expect(await statuses(controller, from: address, 9).allSatisfy { $0 == 200 }, "\(address)")
            }
            #expect(await statuses(controller, from: nil, 5).last == 429)
            // Over the wire, without a client, which is counted as one.
            let path = "/v2/track/list_by_puid?puid=\(UUID())"
            var wire: [Int] = []
            for _ in 0..<11 { wire.append(try await service.ask(.GET, path).status) }
            #expect(wire == Array(repeating: 200, count: 10) + [429])
        }
    }

    @Test("how often an address may ask is a setting, and zero lets it ask as it likes", arguments: [2, 0])
    func setting(limit: Int) async throws {
        var settings = ServiceSettings()
        settings.fingerprintRequestsPerAddress = limit
        try await TestService.run(settings) { service in
            let controller = try #require(service.server.acoustID)
            let answers = await statuses(controller, from: "192.0.2.7", 30)
            #expect(answers.count { $0 == 200 } == (limit == 0 ? 30 : limit))
        }
    }

    @Test("origins have a name each, and this machine is told from others")
    func origins() {
        let origins: [(String?, String, Bool)] = [
            ("192.0.2.7", "192.0.2.7", false), ("::ffff:192.0.2.7", "192.0.2.7", false),
            ("127.0.0.1", "127.0.0.1", true), ("::1", "0:0:0:0:0:0:0:0", true), ("::2", "0:0:0:0:0:0:0:0", false),
            ("2001:db8:0:1::7", "20:1:d:b8:0:0:0:1", false), ("fe80::1%eth0", "fe:80:0:0:0:0:0:0", false),
            ("::ffff:127.9.9.9", "127.9.9.9", true), (nil, "?", false), ("", "?", false), ("x", "?", false),
        ]
        for (address, name, isLoopback) in origins {
            let origin = RequestOrigin(address)
            #expect((origin.name, origin.isLoopback) == (name, isLoopback), "\(address ?? "nothing")")
        }
    }
}
