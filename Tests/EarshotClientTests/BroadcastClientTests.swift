import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("What is on, over a network")
struct BroadcastClientTests {
    private func service(_ server: StubServer) throws -> HTTPRecognitionService {
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        return HTTPRecognitionService(server.url, configuration: configuration, options: ServiceServer.patient)
    }

    @Test("recognitions send a fingerprint and no audio", .requirements("R-ACR-191"))
    func traffic() async throws {
        let piece = SyntheticMusic(seed: 3, duration: 12)
        let signature = try piece.signature(from: 0, seconds: 12)
        let samples = piece.samples(from: 0, seconds: 12)
        let handler: StubServer.Handler = { request in
            request.path == "/v1/tokens"
                ? ServiceServer.tokens(request)
                : request.path.hasPrefix("/v1/broadcasts")
                    ? ServiceServer.json(BroadcastAnswer()) : ServiceServer.json(MatchList([]))
        }
        try await StubServer.with(handler) { server in
            let service = try service(server)
            _ = try await service.recognizeBroadcast(RecognitionQuery(signature), ContentPreferences())
            _ = try await service.recognize(RecognitionQuery(signature), ContentPreferences())
            let sent = server.requests.filter { $0.path.hasSuffix("recognitions") }
            #expect(sent.count == 2)
            for request in sent {
                #expect(request.headers["content-type"] == ServiceAPI.signatureType)
                #expect(try Signature(data: request.body) == signature)
            }
            // A hundredth of a second of the audio, as 16-bit or floating point samples, is nowhere in what was sent.
            let part = samples[16_000..<16_160]
            let int16 = part.flatMap { sample -> [UInt8] in
                let value = Int16(max(-1, min(1, sample)) * 32_767)
                return withUnsafeBytes(of: value.littleEndian) { Array($0) }
            }
            let float = part.flatMap { sample in withUnsafeBytes(of: sample) { Array($0) } }
            for request in server.requests {
                #expect(request.body.range(of: Data(int16)) == nil)
                #expect(request.body.range(of: Data(float)) == nil)
                #expect(request.body.count < samples.count * 2 / 10)
            }
        }
    }

    @Test("long spans of a guide are asked for in parts, and what two parts tell counts once")
    func airings() async throws {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let channel = BroadcastChannel(id: "a,b &c", name: Name("A"))
        // An airing an hour for 70 days, the first of them begun before.
        let all = (0..<70 * 24).map { hour in
            Airing(
                start: begin + Double(hour) * 3_600 - 1_800.5,
                end: begin + Double(hour + 1) * 3_600 - 1_800.5,
                channel: channel,
                program: Program(id: EntityID("p\(hour)"), title: Name("P"))
            )
        }
        let handler: StubServer.Handler = { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            guard request.query["channel"] == "a,b &c", let from = ServiceAPI.date(of: request.query["from"] ?? ""),
                let to = ServiceAPI.date(of: request.query["to"] ?? ""), to.timeIntervalSince(from) <= 32 * 86_400
            else { return ServiceServer.failure(.requestInvalid, "No.", status: 400) }
            let found = all.filter { $0.start < to && $0.end > from }
            return ServiceServer.json(AiringList(Array(found.prefix(1_000))))
        }
        try await StubServer.with(handler) { server in
            let service = try service(server)
            let found = try await service.airings(on: ["a,b &c"], from: begin, to: begin + 70 * 86_400)
            #expect(found.map(\.program.id) == all.map(\.program.id))
            #expect(found.map(\.start) == all.map(\.start))
            #expect(try await service.airings(on: ["a,b &c"], from: begin, to: begin + 86_400, limit: 3).count == 3)
            let now = try await service.airing(on: "a,b &c", at: begin + 10 * 3_600)
            #expect(now?.program.id == "p10")
            #expect(try await service.airing(on: "a,b &c", at: begin - 86_400) == nil)
        }
    }

    @Test("no channels have no airings, and many are asked for in groups")
    func channels() async throws {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let asked = Mutex<[Int]>([])
        let handler: StubServer.Handler = { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            let number = asked.withLock { asked in
                asked.append(1)
                return asked.count
            }
            let channel = BroadcastChannel(id: EntityID("c\(number)"), name: Name("C"))
            let program = Program(id: "p", title: Name("P"))
            let start = begin - Double(number)
            return ServiceServer.json(
                AiringList([Airing(start: start, end: begin + 9, channel: channel, program: program)])
            )
        }
        try await StubServer.with(handler) { server in
            let service = try service(server)
            #expect(try await service.airings(on: [], from: begin, to: begin + 1).isEmpty)
            #expect(asked.withLock { $0.isEmpty })
            let many = (0..<25).map { EntityID<BroadcastChannel>("c\($0)") }
            let found = try await service.airings(on: many, from: begin, to: begin + 1)
            #expect(found.map(\.channel.id) == ["c3", "c2", "c1"])
            #expect(asked.withLock { $0.count } == 3)
        }
    }

    @Test("more airings at once than an answer holds are an error, and not left out")
    func tooMany() async throws {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let all = (0..<1_000).map { number in
            Airing(
                start: begin - 60,
                end: begin + 9_000,
                channel: BroadcastChannel(id: EntityID("c\(number)"), name: Name("C")),
                program: Program(id: "p", title: Name("P"))
            )
        }
        let handler: StubServer.Handler = { request in
            request.path == "/v1/tokens" ? ServiceServer.tokens(request) : ServiceServer.json(AiringList(all))
        }
        try await StubServer.with(handler) { server in
            let service = try service(server)
            await #expect(throws: EarshotError.self) {
                try await service.airings(on: nil, from: begin, to: begin + 60, limit: 5_000)
            }
        }
    }

    @Test("dates keep their milliseconds over the wire, and zones are understood")
    func dates() throws {
        for seconds in [0, 1_800_000_000, 1_800_000_000.25, -1.5, 253_402_300_799.999] {
            let date = Date(timeIntervalSince1970: seconds)
            let back = try #require(ServiceAPI.date(of: ServiceAPI.text(of: date)))
            #expect(abs(back.timeIntervalSince(date)) < 0.0005)
        }
        #expect(ServiceAPI.text(of: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(ServiceAPI.date(of: "1970-01-01T02:00:00+02:00") == Date(timeIntervalSince1970: 0))
        for wrong in ["", "now", "1970-01-01", "1970-13-01T00:00:00Z", String(repeating: "1", count: 50)] {
            #expect(ServiceAPI.date(of: wrong) == nil)
        }
    }
}
