import NIOCore
import NIOEmbedded
import Testing

@testable import EarshotServer

@Suite("Shares of connections")
struct ConnectionSharesTests {
    private let proxies: TrustedProxies
    private let shares: ConnectionShares

    init() throws {
        proxies = try TrustedProxies(["10.0.0.0/8"], header: .proxyProtocol)
        shares = ConnectionShares(limit: 3, proxies: proxies)
    }

    private func connections(_ count: Int, from address: String) throws -> [EmbeddedChannel] {
        try (0..<count).map { _ in try .connection(from: address, [shares.handler()]) }
    }

    @Test(
        "an address has its share and no more",
        arguments: ["203.0.113.7", "2001:db8::7", "::ffff:203.0.113.7"]
    )
    func share(address: String) throws {
        let open = try connections(5, from: address)
        #expect(open.map(\.isActive) == [true, true, true, false, false])
        #expect(try connections(1, from: "198.51.100.1").allSatisfy(\.isActive), "another address")
        open[0].end()
        #expect(try connections(2, from: address).map(\.isActive) == [true, false], "one has become free")
    }

    @Test("a share is a quarter of all connections, but 16 at least", arguments: [(2_048, 512), (64, 16), (20, 16)])
    func quarter(connections: Int, share: Int) throws {
        let shares = ConnectionShares(of: connections, proxies: .none)
        let open = try (0..<share + 2).map { _ in
            try EmbeddedChannel.connection(from: "203.0.113.7", [shares.handler()])
        }
        #expect(open.count(where: \.isActive) == share)
    }

    @Test("the machines of one network of IPv6 share")
    func network() throws {
        #expect(try connections(3, from: "2001:db8::1").allSatisfy(\.isActive))
        #expect(try connections(1, from: "2001:db8::ffff:1").map(\.isActive) == [false])
        #expect(try connections(1, from: "2001:db8:0:1::1").map(\.isActive) == [true])
    }

    @Test("this machine and trusted proxies have as many as there are", arguments: ["127.0.0.1", "::1", "10.1.2.3"])
    func unlimited(address: String) throws {
        #expect(try connections(20, from: address).allSatisfy(\.isActive))
    }

    @Test("those that were refused take nothing of the share when they end")
    func refused() throws {
        let open = try connections(6, from: "203.0.113.7")
        for channel in open[3...] { channel.end() }
        #expect(try connections(1, from: "203.0.113.7").map(\.isActive) == [false])
        for channel in open[..<3] { channel.end() }
        #expect(try connections(4, from: "203.0.113.7").map(\.isActive) == [true, true, true, false])
    }

    @Test("behind a proxy that tells it the client is counted, and what it sends with the header reaches nobody")
    func proxied() throws {
        func connection(_ client: String) throws -> EmbeddedChannel {
            let handler = ProxyHeaderHandler(proxies, sender: ConnectionSender(), logger: TestService.silentLogger)
            let channel = try EmbeddedChannel.connection(from: "10.1.2.3", [handler, shares.handler()])
            try channel.writeInbound(ByteBuffer(string: "PROXY TCP4 \(client) 192.0.2.1 56324 443\r\nGET"))
            return channel
        }
        let open = try (0..<4).map { _ in try connection("203.0.113.7") }
        #expect(open.map(\.isActive) == [true, true, true, false])
        #expect(try open[0].readInbound(as: ByteBuffer.self) == ByteBuffer(string: "GET"))
        #expect(try open[3].readInbound(as: ByteBuffer.self) == nil)
        #expect(try connection("203.0.113.8").isActive)
        open[0].end()
        #expect(try connection("203.0.113.7").isActive)
    }
}
