import EarshotAPI
import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Server-sent events")
struct EventLineTests {
    private let text =
        "retry: 2000\n\nevent: export\r\ndata: {\"a\":\r\ndata:1}\r\n\r\n: waiting\n\ndata: ö\n\ndata: half"

    @Test("events are read in whatever pieces they come, and comments are passed over")
    func pieces() {
        let bytes = Array(text.utf8)
        property("pieces") { random in
            var lines = EventLines()
            var events: [String] = []
            var place = 0
            while place < bytes.count {
                let end = min(bytes.count, place + Int.random(in: 1...9, using: &random))
                events += lines.append(bytes[place..<end]).map { String(decoding: $0, as: UTF8.self) }
                place = end
            }
            return events == ["{\"a\":\n1}", "ö"]
        }
    }

    @Test("an event without an end is not kept for ever")
    func limit() {
        var lines = EventLines()
        for _ in 0..<5 { _ = lines.append([UInt8](repeating: 0x61, count: 1 << 20)) }
        #expect(lines.isTooLarge)
    }

    @Test("listening goes on when the connection breaks off, until the export is over", .requirements("R-MR-136"))
    func breaking() async throws {
        var record = ExportRecord(
            id: "x",
            asset: "music/a.flac",
            name: "a.wav",
            type: "wav",
            plan: ExportRecord.Plan(encoding: "pcm", sampleRate: 44_100, channels: 2),
            created: Date(timeIntervalSince1970: 1_800_000_000)
        )
        func event(_ record: ExportRecord) throws -> String {
            "event: export\ndata: \(String(decoding: try ServiceAPI.encoder().encode(record), as: UTF8.self))\n\n"
        }
        record.status = .exporting
        let first = Data((try event(record)).utf8)
        record.status = .completed
        let last = Data((try event(record)).utf8)
        let state = Attempts()
        try await StubServer.with { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            let headers = [("content-type", "text/event-stream")]
            return state.next() == 1
                ? StubServer.Response(headers: headers, body: first + first, cutLength: first.count)
                : StubServer.Response(headers: headers, body: last)
        } _: { server in
            var options = ServiceServer.patient
            options.retry = RetryPolicy(attempts: 4, firstDelay: MediaTime(value: 1, timescale: 1000))
            let service = HTTPRecognitionService(
                server.url,
                configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
                options: options
            )
            var statuses: [ExportRecord.Status] = []
            for try await update in service.exportUpdates("x") { statuses.append(update.status) }
            #expect(statuses == [.exporting, .completed])
            #expect(server.paths == ["/v1/tokens", "/v1/exports/x/events", "/v1/exports/x/events"])
        }
    }
}

/// Counts attempts from any thread.
private final class Attempts: Sendable {
    private let state = Mutex(0)
    func next() -> Int {
        state.withLock { count in
            count += 1
            return count
        }
    }
}
