import AsyncHTTPClient
import EarshotAPI
import EarshotCore
import EarshotSignatures
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Uploads that are not what they should be")
struct UploadTests {
    @Test(
        "each is refused with its own status, and the service lives",
        arguments: [
            ("text/plain", "hello", 415, "mediaTypeUnsupported"),
            ("audio/wav", "hello, this is no audio", 422, "assetUnreadable"),
            ("audio/mpeg", "", 400, "requestInvalid"), (ServiceAPI.signatureType, "EARSHSIG", 422, "signatureInvalid"),
            (ServiceAPI.signatureType, "x", 422, "signatureInvalid"),
            ("multipart/form-data; boundary=b", "--b--", 400, "requestInvalid"),
            ("multipart/form-data", "--b--", 400, "requestInvalid"),
            ("application/json", "{}", 415, "mediaTypeUnsupported"),
            ("audio/x-mpegurl", "#EXTM3U\nfile:///etc/passwd\n", 422, "assetUnreadable"),
        ]
    )
    func refusals(type: String, body: String, status: Int, code: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: token,
                type: type,
                body: Data(body.utf8)
            )
            #expect(reply.status == status)
            #expect(reply.code == code)
            #expect(try await service.recognize(1, token: token).status == 200)
        }
    }

    @Test("a large upload that keeps the least pace has more time than a small one")
    func slow() async throws {
        var settings = ServiceSettings()
        settings.uploadTime = .milliseconds(300)
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.token()
            // A megabyte may take 15 s besides.
            let whole = TestMusic.wave(TestMusic.samples(1, from: 5, duration: 32))
            #expect(whole.count > 8 * PaceMeter.leastPace)
            for (count, isLate) in [(whole.count, false), (4_096, true)] {
                var request = HTTPClientRequest(url: "\(service.base)/v1/recognitions")
                request.method = .POST
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
                request.headers.add(name: "Content-Type", value: "audio/wav")
                let (parts, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
                feed.yield(ByteBuffer(bytes: whole.prefix(count / 2)))
                Task {
                    try await Task.sleep(for: .milliseconds(900))
                    feed.yield(ByteBuffer(bytes: whole[count / 2..<count]))
                    feed.finish()
                }
                request.body = .stream(parts, length: .known(Int64(count)))
                let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
                // A decoder has limits of its own, which a busy machine may reach.
                #expect((response.status == .requestTimeout) == isLate, "\(response.status)")
            }
        }
    }

    @Test("what is larger than it may be is refused, announced or not")
    func tooLarge() async throws {
        var settings = ServiceSettings()
        settings.uploadLimit = 1 << 20
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.token()
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: token,
                type: "audio/wav",
                body: Data(count: (1 << 20) + 1)
            )
            #expect(reply.status == 413)
            #expect(reply.code == "uploadTooLarge")
            let fits = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: token,
                type: "audio/wav",
                body: Data(count: 1 << 20)
            )
            #expect(fits.status == 422)
        }
    }

    @Test("damaged signatures are refused or answered, and nothing else happens")
    func damagedSignatures() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let good = [UInt8](try TestMusic.query(1).data)
            let seed = UInt64.random(in: 0...UInt64.max)
            print("damaged signatures: seed \(seed)")
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<60 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                }
                if Bool.random(using: &generator) {
                    bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                }
                let reply = try await service.ask(
                    .POST,
                    "/v1/recognitions",
                    token: token,
                    type: ServiceAPI.signatureType,
                    body: Data(bytes)
                )
                #expect([200, 400, 422].contains(reply.status), "seed \(seed)")
            }
        }
    }

    @Test("too short a recording is refused")
    func tooShort() async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await service.ask(
                .POST,
                "/v1/recognitions",
                token: try await service.token(),
                type: "audio/wav",
                body: TestMusic.wave(TestMusic.samples(1, from: 10, duration: 0.5))
            )
            #expect(reply.status == 422)
            #expect(reply.code == "signatureDurationInvalid")
        }
    }

    @Test("a service that has too much to do says so at once, and serves again afterwards")
    func overload() async throws {
        /// Decodes when it is told to.
        final class SlowDecoder: UploadDecoder {
            let stream: AsyncStream<Void>
            let go: AsyncStream<Void>.Continuation
            init() { (stream, go) = AsyncStream.makeStream(of: Void.self) }
            func signature(reading _: FileHandle, limit _: MediaTime?) async throws(EarshotError) -> Signature {
                var iterator = stream.makeAsyncIterator()
                _ = await iterator.next()
                do {
                    return try TestMusic.query(1)
                } catch {
                    throw EarshotError(.internalError, "No signature.")
                }
            }
        }
        let decoder = SlowDecoder()
        var settings = ServiceSettings()
        settings.workers = 1
        settings.queueLimit = 1
        try await TestService.run(settings, decoder: decoder) { (service: TestService) async throws in
            let token = try await service.token()
            @Sendable func upload() async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v1/recognitions",
                    token: token,
                    type: "audio/wav",
                    body: Data("RIFF".utf8)
                )
            }
            async let running = upload()
            async let waiting = upload()
            func load() async throws -> String {
                String(decoding: try await service.ask(.GET, "/metrics").bytes, as: UTF8.self)
            }
            while !(try await load().contains("earshot_work_waiting 1")) {}
            let refused = try await upload()
            #expect(refused.status == 429)
            #expect(refused.code == "serviceBusy")
            #expect(refused.headers.first(name: "Retry-After") != nil)
            decoder.go.finish()
            #expect(try await running.status == 200)
            #expect(try await waiting.status == 200)
            #expect(try await upload().status == 200)
        }
    }
}
