import EarshotAPI
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("Headers of requests")
struct RequestHeadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let head: String
        /// The status of the refusal; `nil` if the request may pass.
        let status: Int?

        init(_ head: String, _ status: Int?) { (self.head, self.status) = (head, status) }
        var testDescription: String { head.replacing("\r\n", with: " | ") }
    }

    private static let cases = [
        Case("GET / HTTP/1.1\r\nHost: music.example", nil),
        Case("GET / HTTP/1.1\r\nHost: music.example:8080", nil),
        Case("GET / HTTP/1.1\r\nHost: [2001:db8::1]:8080", nil),
        Case("GET / HTTP/1.1\r\nHost:", nil),
        Case("GET / HTTP/1.0", nil),
        Case("GET / HTTP/1.1", 400),
        Case("GET / HTTP/1.1\r\nHost: a\r\nHost: a", 400),
        Case("GET / HTTP/1.1\r\nHost: a\r\nhost: b", 400),
        Case("GET / HTTP/1.0\r\nHost: a\r\nHost: b", 400),
        Case("GET / HTTP/1.1\r\nHost: a b", 400),
        Case("GET / HTTP/1.1\r\nHost: a/b", 400),
        Case("GET / HTTP/1.1\r\nHost: user@a", 400),
        Case("GET / HTTP/1.1\r\nHost: a:b", 400),
        Case("GET / HTTP/1.1\r\nHost: [::1", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", nil),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked", nil),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked", 501),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", 501),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked", 400),
        Case("POST / HTTP/1.0\r\nTransfer-Encoding: chunked", 400),
        Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue", nil),
        Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 200-ok", 417),
        Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue, more", 417),
        Case("POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 200-ok", nil),
    ]

    @Test("Host, Transfer-Encoding and Expect are as RFC 9112 and RFC 9110 have them", arguments: cases)
    func rules(_ one: Case) throws {
        #expect(RequestHeadRules.refusal(of: try Self.head(one.head))?.status.code == one.status)
    }

    /// The header as the rules get it, without the parser, which refuses some of it itself.
    private static func head(_ text: String) throws -> HTTPRequestHead {
        let lines = text.components(separatedBy: "\r\n")
        let words = try #require(lines.first).split(separator: " ")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return HTTPRequestHead(
            version: words.last == "HTTP/1.0" ? .http1_0 : .http1_1,
            method: HTTPMethod(rawValue: String(words[0])),
            uri: String(words[1]),
            headers: HTTPHeaders(fields)
        )
    }

    // MARK: - The handler

    /// The bytes that a parser was given.
    private final class ByteCount {
        var bytes = 0
    }

    private final class ByteCounter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let count: ByteCount

        init(_ count: ByteCount) { self.count = count }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            count.bytes += unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
        }
    }

    /// A connection with the parser and the handler.
    private func connection(counting counted: ByteCount = ByteCount()) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPResponseEncoder())
        let (gate, parser) = (InboundGate(), ByteToMessageHandler(HTTPRequestDecoder()))
        try pipeline.addHandler(gate)
        try pipeline.addHandler(parser)
        try pipeline.addHandler(RequestHeadHandler(gate))
        // In front of the parser: what it is given.
        try pipeline.addHandler(ByteCounter(counted), position: .before(parser))
        return channel
    }

    private func sent(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
        return text
    }

    private func answer(_ channel: EmbeddedChannel, _ status: HTTPResponseStatus) throws {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["content-length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    @Test("a request behind one that is refused reaches nobody")
    func smuggled() throws {
        let channel = try connection()
        let text =
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(throws: HTTPParserError.self) { try channel.writeInbound(ByteBuffer(string: text)) }
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        _ = try? channel.writeInbound(ByteBuffer(string: "GET /c HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
    }

    @Test("whoever waits is told to send the body once it is read, and once only")
    func toldToContinue() throws {
        let channel = try connection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: head))
        #expect(try sent(channel).isEmpty)
        for _ in 0..<2 {
            try channel.triggerUserOutboundEvent(RequestHeadHandler.BodyIsRead()).wait()
        }
        #expect(try sent(channel) == "HTTP/1.1 100 Continue\r\n\r\n")
        try channel.writeInbound(ByteBuffer(string: "abc"))
        try answer(channel, .ok)
        #expect(try sent(channel) == "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
    }

    @Test(
        "nobody is told to send what has come, or what nobody expected",
        arguments: [
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\na",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            "POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n",
        ]
    )
    func notTold(_ text: String) throws {
        let channel = try connection()
        try channel.writeInbound(ByteBuffer(string: text))
        try channel.triggerUserOutboundEvent(RequestHeadHandler.BodyIsRead()).wait()
        #expect(try sent(channel).isEmpty)
    }

    @Test(
        "the last request of a connection says so, in whatever way its version does",
        arguments: [
            ("GET / HTTP/1.0", true), ("GET / HTTP/1.0\r\nConnection: keep-alive", false),
            ("GET / HTTP/1.1\r\nHost: a", false), ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: te, close", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket", true), ("CONNECT a:80 HTTP/1.1\r\nHost: a", true),
        ]
    )
    func lastRequest(_ text: String, isLast: Bool) throws {
        let channel = try connection()
        try channel.writeInbound(ByteBuffer(string: text + "\r\n\r\n"))
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self) else {
            Issue.record("there is no header")
            return
        }
        #expect((head.headers["connection"] == ["close"]) == isLast)
        try answer(channel, .ok)
        #expect(try sent(channel).contains("connection: close\r\n") == isLast)
    }

    @Test(
        "what comes behind the last request reaches nobody, and is not kept",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc",
            "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: refused-for-its-missing-host\r\n\r\n",
        ]
    )
    func behindTheLast(_ text: String) throws {
        let counted = ByteCount()
        let channel = try connection(counting: counted)
        // One that is refused ends in an error.
        _ = try? channel.writeInbound(ByteBuffer(string: text))
        var heads = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head = part { heads += 1 }
        }
        #expect(heads <= 1)
        for _ in 0..<100 { try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")) }
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        #expect(counted.bytes == text.utf8.count)
    }

    @Test("a body that comes in parts behind a request for another protocol reaches the service")
    func upgradeWithBody() throws {
        let channel = try connection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 6\r\n\r\n"
        for text in [head, "abc", "def"] { try channel.writeInbound(ByteBuffer(string: text)) }
        var body = ""
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .body(let bytes) = part { body += String(buffer: bytes) }
        }
        #expect(body == "abcdef")
    }

    @Test("an answer to whoever still waits ends the connection")
    func refusedBody() throws {
        let channel = try connection()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: head))
        try answer(channel, .unauthorized)
        #expect(try sent(channel).contains("connection: close\r\n"))
    }

    // MARK: - Over the wire

    @Test("a refusal is a failure in JSON with its own status, and comes after the answers before it")
    func refusals() async throws {
        try await TestService.run { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let cases: [(String, Int)] = [
                ("GET /health HTTP/1.1\r\n\r\n", 400),
                ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
                ("POST /v1/tokens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
                ("POST /v1/tokens HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", 501),
                ("POST /v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: tea\r\n\r\nabc", 417),
            ]
            for (text, status) in cases {
                let answer = try await RawConnection.answer(of: text, port: port)
                let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
                #expect(parts.first?.hasPrefix("HTTP/1.1 \(status)") == true, "\(text): \(answer.prefix(80))")
                let failure = try ServiceAPI.decoder().decode(Failure.self, from: Data((parts.last ?? "").utf8))
                #expect(failure.error.code == "requestInvalid")
            }
            let two = "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\n\r\n"
            let answer = try await RawConnection.answer(of: two, port: port)
            let statuses = answer.matches(of: /HTTP\/1.1 (\d+)/).map { String($0.output.1) }
            #expect(statuses == ["200", "400"], "\(answer)")
            #expect(try await service.ask(.GET, "/health").status == 200)
        }
    }

    @Test("a body is asked for once the service reads it, and not where it refuses the request")
    func continued() async throws {
        try await TestService.run { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let body = #"{"client": "\#(try #require(try await service.client().identifier))"}"#
            func head(_ path: String) -> String {
                "POST \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
            }
            let answer = try await RawConnection.answer(of: [head("/v1/tokens"), body], port: port)
            let statuses = answer.matches(of: /HTTP\/1.1 (\d+)/).map { String($0.output.1) }
            #expect(statuses == ["100", "200"], "\(answer.prefix(200))")
            let refused = try await RawConnection.answer(of: [head("/v1/recognitions")], port: port)
            #expect(refused.hasPrefix("HTTP/1.1 401"), "\(refused.prefix(200))")
            #expect(refused.lowercased().contains("connection: close"))
        }
    }
}
