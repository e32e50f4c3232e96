import Foundation
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import EarshotServer

@Suite("PROXY protocol")
struct ProxyHeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

    /// A header of version 2.
    private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? rest.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 255)] + rest
    }

    /// 203.0.113.7 and 192.0.2.1, with the ports 56324 and 443.
    private static let four: [UInt8] = [203, 0, 113, 7, 192, 0, 2, 1, 0xDC, 0x04, 0x01, 0xBB]
    /// 2001:db8::7 and 2001:db8::1, with the same ports.
    private static let six: [UInt8] = address6(7) + address6(1) + four[8...]
    private static func address6(_ last: UInt8) -> [UInt8] {
        [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [last]
    }

    private static let whole4 = ProxyHeader.Source(address: [203, 0, 113, 7], port: 56_324)
    private static let whole6 = ProxyHeader.Source(address: address6(7), port: 56_324)
    private static let longest =
        "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n"

    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let source: ProxyHeader.Source?

        init(_ name: String, _ bytes: [UInt8], _ source: ProxyHeader.Source?) {
            (testDescription, self.bytes, self.source) = (name, bytes, source)
        }

        init(_ text: String, _ source: ProxyHeader.Source?) { self.init(text, Array(text.utf8), source) }
    }

    private static let headers = [
        Header("PROXY TCP4 203.0.113.7 192.0.2.1 56324 443\r\n", whole4),
        Header("PROXY TCP6 2001:db8::7 2001:db8::1 56324 443\r\n", whole6),
        Header("PROXY UNKNOWN\r\n", nil),
        Header(longest, nil),
        Header("IPv4", binary(0x21, 0x11, four), whole4),
        Header("IPv6", binary(0x21, 0x21, six), whole6),
        Header("IPv4 and something of the proxy's", binary(0x21, 0x11, four + [0x05, 0, 3, 1, 2, 3]), whole4),
        Header("the longest", binary(0x21, 0x11, four + Array(repeating: 4, count: ProxyHeader.largest - 28)), whole4),
        Header("LOCAL", binary(0x20, 0x00, []), nil),
        Header("LOCAL with addresses", binary(0x20, 0x11, four), nil),
        Header("unspecified", binary(0x21, 0x00, [1, 2, 3]), nil),
        Header("a socket of the proxy's machine", binary(0x21, 0x31, Array(repeating: 47, count: 216)), nil),
    ]

    @Test("headers of both versions tell the client, and end where they end", arguments: headers)
    func read(_ one: Header) throws {
        let bytes = one.bytes
        for count in 0..<bytes.count { #expect(try ProxyHeader(Array(bytes[..<count])) == nil, "\(count) bytes") }
        let header = try #require(try ProxyHeader(bytes + Array("GET / HTTP/1.1\r\n".utf8)))
        #expect(header.source == one.source)
        #expect(header.length == bytes.count)
    }

    private static let malformed: [[UInt8]] =
        [
            "GET / HTTP/1.1\r\n", "PROXY\r\n", "PROXY TCP4 203.0.113.7 192.0.2.1 56324 443\n",
            "PROXY TCP4 203.0.113.7 192.0.2.1 56324\r\n", "PROXY  TCP4 203.0.113.7 192.0.2.1 56324 443\r\n",
            "PROXY TCP4 203.0.113.7 192.0.2.1 56324 443 \r\n", "PROXY TCP4 203.0.113 192.0.2.1 56324 443\r\n",
            "PROXY TCP4 2001:db8::7 192.0.2.1 56324 443\r\n", "PROXY TCP6 203.0.113.7 192.0.2.1 56324 443\r\n",
            "PROXY TCP4 203.0.113.7 x 56324 443\r\n", "PROXY TCP4 203.0.113.7 192.0.2.1 65536 443\r\n",
            "PROXY TCP4 203.0.113.7 192.0.2.1 056324 443\r\n", "PROXY TCP4 203.0.113.7 192.0.2.1 -1 443\r\n",
            "PROXY TCP4 203.0.113.7\0x 192.0.2.1 56324 443\r\n", "PROXY UDP4 203.0.113.7 192.0.2.1 56324 443\r\n",
            "PROXY UNKNOWN " + String(repeating: "f", count: 93),
            "PROXY " + String(repeating: "f", count: 200) + "\r\n",
        ].map { Array($0.utf8) } + [
            // Another version, command and family, and addresses that are cut off.
            binary(0x11, 0x11, four), binary(0x22, 0x11, four), binary(0x21, 0x12, four), binary(0x21, 0x41, four),
            binary(0x21, 0x11, Array(four.dropLast())), binary(0x21, 0x21, Array(six.dropLast())),
            binary(0x21, 0x31, four), binary(0x21, 0x11, four, length: 2_033), binary(0x20, 0x00, [], length: 65_535),
            Array(signature.dropLast()) + [0x0B],
        ]

    @Test("what is no header is refused", arguments: malformed)
    func refused(_ bytes: [UInt8]) {
        #expect(throws: ProxyHeader.Malformed.self) { try ProxyHeader(bytes) }
    }

    @Test("damaged headers are read within their bytes, and never sooner than they are complete")
    func damaged() {
        property("damaged headers of proxies", rounds: 5_000) { generator in
            let bytes = generator.mutated(Self.headers.randomElement(using: &generator)?.bytes ?? [])
            guard let header = try? ProxyHeader(bytes) else { return true }
            guard (1...bytes.count).contains(header.length), header.length <= ProxyHeader.largest else { return false }
            return try ProxyHeader(Array(bytes[..<header.length])) == header
                && ProxyHeader(Array(bytes[..<(header.length - 1)])) == nil
        }
    }

    // MARK: - The handler

    private func handler(_ sender: ConnectionSender) throws -> ProxyHeaderHandler {
        let proxies = try TrustedProxies(["10.0.0.0/8"], header: .proxyProtocol)
        return ProxyHeaderHandler(proxies, sender: sender, logger: TestService.silentLogger)
    }

    private func received(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let part = try channel.readInbound(as: ByteBuffer.self) { text += String(buffer: part) }
        return text
    }

    @Test("a trusted proxy tells the client, in whatever pieces its header comes", arguments: [1, 7, 1_000])
    func trusted(size: Int) throws {
        let sender = ConnectionSender()
        let channel = try EmbeddedChannel.connection(from: "10.1.2.3", [try handler(sender)])
        var rest = (Self.binary(0x21, 0x21, Self.six) + Array("GET / HTTP/1.1\r\n".utf8))[...]
        while !rest.isEmpty {
            try channel.writeInbound(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(try received(channel) == "GET / HTTP/1.1\r\n")
        #expect(sender.address?.ipAddress == "2001:db8::7")
    }

    @Test("a proxy that asks for itself is the sender")
    func local() throws {
        let sender = ConnectionSender()
        let channel = try EmbeddedChannel.connection(from: "10.1.2.3", [try handler(sender)])
        try channel.writeInbound(ByteBuffer(bytes: Self.binary(0x20, 0x00, []) + Array("GET".utf8)))
        #expect(try received(channel) == "GET")
        #expect(sender.address == nil)
    }

    @Test("the header of anybody else is no header, and counts for nothing")
    func stranger() throws {
        let sender = ConnectionSender()
        let channel = try EmbeddedChannel.connection(from: "203.0.113.9", [try handler(sender)])
        let text = "PROXY TCP4 198.51.100.1 192.0.2.1 56324 443\r\n"
        try channel.writeInbound(ByteBuffer(string: text))
        #expect(try received(channel) == text)
        #expect(sender.address == nil)
    }

    @Test("a trusted proxy that sends no header is not listened to")
    func missing() throws {
        let channel = try EmbeddedChannel.connection(from: "10.1.2.3", [try handler(ConnectionSender())])
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try received(channel).isEmpty)
        #expect(!channel.isActive)
    }

    // MARK: - Over the wire

    @Test("requests are counted by the client that the proxy tells")
    func counted() async throws {
        var settings = ServiceSettings()
        settings.trustedProxies = try TrustedProxies(["127.0.0.0/8"], header: .proxyProtocol)
        try await TestService.run(settings) { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let request =
                "GET /v2/track/list_by_puid?puid=\(UUID()) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                // Only what the proxy says counts.
                + "X-Forwarded-For: 198.51.100.1\r\n\r\n"
            func status(_ header: String) async throws -> String {
                String(try await RawConnection.answer(of: header + request, port: port).prefix(12))
            }
            var statuses: [String] = []
            for _ in 0..<5 { statuses.append(try await status("PROXY TCP4 203.0.113.7 127.0.0.1 56324 443\r\n")) }
            #expect(statuses == Array(repeating: "HTTP/1.1 200", count: 4) + ["HTTP/1.1 429"])
            #expect(try await status("PROXY TCP4 203.0.113.8 127.0.0.1 56324 443\r\n") == "HTTP/1.1 200")
            #expect(try await status("PROXY UNKNOWN\r\n") == "HTTP/1.1 200")
            #expect(try await status("") == "")
        }
    }
}
