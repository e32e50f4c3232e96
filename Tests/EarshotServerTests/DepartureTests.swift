import EarshotAPI
import EarshotCore
import EarshotSignatures
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("Senders that leave before they are answered", .timeLimit(.minutes(5)))
struct DepartureTests {
    // MARK: - The handler

    /// A connection with the parser and the handlers between it and the service.
    private func connection(_ sender: ConnectionSender) throws -> EmbeddedChannel {
        let (gate, parser) = (InboundGate(), ByteToMessageHandler(HTTPRequestDecoder()))
        return try .connection(
            from: "203.0.113.7",
            [
                HTTPResponseEncoder(), gate, parser, RequestHeadHandler(gate),
                DepartureHandler(sender, pause: .seconds(1)),
            ]
        )
    }

    private func ask(_ channel: EmbeddedChannel, _ text: String = "GET / HTTP/1.1\r\nHost: a\r\n\r\n") throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    /// Ends the sender's side of a connection.
    private func endInput(_ channel: EmbeddedChannel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func answer(_ channel: EmbeddedChannel) throws {
        try channel.writeOutbound(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok, headers: ["content-length": "0"]))
        )
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// How often the sender was looked for since the last call. Nothing but that and answers was sent.
    private func looks(_ channel: EmbeddedChannel) throws -> Int {
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
        let rest = text.replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "")
        #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n"), "\(text)")
        return text.components(separatedBy: "100 Continue").count - 1
    }

    @Test(
        "whoever has ended its side is looked for until the answer begins, more and more seldom",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        ]
    )
    func looking(_ request: String) throws {
        let sender = ConnectionSender()
        let channel = try connection(sender)
        try ask(channel, request)
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(try looks(channel) == 0, "its side is not ended")
        endInput(channel)
        var times: [Int] = []
        for second in 1...16 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if try looks(channel) > 0 { times.append(second) }
        }
        #expect(times == [1, 3, 7, 15])
        try answer(channel)
        #expect(try looks(channel) == 0)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1_000))
        #expect(try looks(channel) == 0, "it is answered")
        #expect(!sender.hasLeft)
        channel.end()
        #expect(sender.hasLeft)
    }

    @Test(
        "nobody is looked for within an answer, and whoever has sent two requests is looked for again after the first one's"
    )
    func betweenAnswers() throws {
        let channel = try connection(ConnectionSender())
        for _ in 0..<2 { try ask(channel) }
        endInput(channel)
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(try looks(channel) == 0)
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try looks(channel) == 1)
        try answer(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(try looks(channel) == 0)
    }

    @Test("whoever speaks HTTP/1.0 and has ended its side has left, and is sent nothing that its version does not have")
    func oldVersion() throws {
        let sender = ConnectionSender()
        let channel = try connection(sender)
        try ask(channel, "GET / HTTP/1.0\r\n\r\n")
        #expect(!sender.hasLeft)
        endInput(channel)
        #expect(sender.hasLeft)
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(try looks(channel) == 0)
    }

    @Test("work that begins when its sender has left already is canceled")
    func late() async throws {
        let sender = ConnectionSender()
        #expect(try await sender.untilLeaving { !Task.isCancelled })
        sender.leave()
        let isCancelled = try await sender.untilLeaving { () async throws -> Bool in
            // It goes on until it is canceled.
            let (never, source) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            source.finish()
            return Task.isCancelled
        }
        #expect(isCancelled)
    }

    // MARK: - Over the wire

    /// Says when it has begun, and goes on until it is told to end or canceled.
    private final class WaitingDecoder: UploadDecoder {
        let begun: AsyncStream<Void>
        private let began: AsyncStream<Void>.Continuation
        let cancelled: AsyncStream<Void>
        private let ended: AsyncStream<Void>.Continuation
        private let going: AsyncStream<Void>
        let go: AsyncStream<Void>.Continuation

        init() {
            (begun, began) = AsyncStream.makeStream()
            (cancelled, ended) = AsyncStream.makeStream()
            (going, go) = AsyncStream.makeStream()
        }

        func signature(reading _: FileHandle, limit _: MediaTime?) async throws(EarshotError) -> Signature {
            began.yield()
            for await _ in going { break }
            if Task.isCancelled {
                ended.yield()
                throw EarshotError(.cancelled, "Decoding was canceled.")
            }
            do {
                return try TestMusic.query(1)
            } catch {
                throw EarshotError(.internalError, "No signature.")
            }
        }
    }

    private func recognition(_ token: String, version: String = "1.1", _ fields: String = "") -> String {
        "POST /v1/recognitions HTTP/\(version)\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\(fields)"
            + "Content-Type: audio/wav\r\nContent-Length: 4\r\n\r\nRIFF"
    }

    struct Leaving: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var version = "1.1"
        var fields = ""
        /// What follows the request.
        var next = ""
        var isReset = false
    }

    @Test(
        "the decoder of a recording whose sender leaves is canceled and its turn is free; the recording counts",
        arguments: [
            Leaving(testDescription: "closed"), Leaving(testDescription: "reset", isReset: true),
            Leaving(testDescription: "closed, HTTP/1.0", version: "1.0"),
            Leaving(testDescription: "closed, as the last request", fields: "Connection: close\r\n"),
            Leaving(
                testDescription: "closed behind more requests",
                next: String(repeating: "GET /health HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)
            ),
        ]
    )
    func leaving(_ one: Leaving) async throws {
        let decoder = WaitingDecoder()
        var settings = ServiceSettings()
        settings.workers = 1
        try await TestService.run(settings, decoder: decoder) { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            var change = ClientChange()
            change.quota = 2
            let token = try await service.token(change)
            let connection = try RawConnection(port: port)
            connection.send(recognition(token, version: one.version, one.fields) + one.next)
            for await _ in decoder.begun { break }
            connection.close(isReset: one.isReset)
            for await _ in decoder.cancelled { break }
            // Of one client one turn runs, and this one waits for it.
            #expect(try await service.recognize(1, token: token).status == 200)
            #expect(try await service.recognize(1, token: token).code == "quotaExceeded")
        }
    }

    @Test("whoever sends nothing more and waits is answered")
    func waiting() async throws {
        let decoder = WaitingDecoder()
        try await TestService.run(decoder: decoder) { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let connection = try RawConnection(port: port)
            defer { connection.close() }
            connection.send(recognition(try await service.token()))
            connection.endSending()
            for await _ in decoder.begun { break }
            #expect(await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            decoder.go.finish()
            let answer = await connection.read()
            #expect(answer.contains("HTTP/1.1 200"), "\(answer.prefix(200))")
        }
    }

    @Test("requests that come one after the other by a connection are answered, whatever became of the one before")
    func keptAlive() async throws {
        let decoder = WaitingDecoder()
        decoder.go.finish()
        try await TestService.run(decoder: decoder) { (service: TestService) async throws in
            let port = try #require(URL(string: service.base)?.port)
            let request = recognition(try await service.token())
            let last = recognition(try await service.token(), version: "1.1", "Connection: close\r\n")
            let answer = try await RawConnection.answer(of: request + request + last, port: port)
            let statuses = answer.matches(of: /HTTP\/1.1 (\d+)/).map { String($0.output.1) }
            #expect(statuses == ["200", "200", "200"])
        }
    }
}
