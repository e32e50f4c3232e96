import AsyncHTTPClient
import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("Events of a log of plays, over HTTP")
struct PlayEventServerTests {
    /// An event as a listener reads it.
    private struct Event: Equatable {
        var id: String?
        var name: String?
        var data = ""
    }

    /// Reads a stream of events line by line, comments too.
    private struct Listener {
        private var parts: AsyncStream<String>.Iterator
        private let reading: Task<Void, any Error>
        private var text = ""
        private(set) var comments = 0

        init(_ body: HTTPClientResponse.Body) {
            let (stream, continuation) = AsyncStream<String>.makeStream()
            parts = stream.makeAsyncIterator()
            reading = Task {
                defer { continuation.finish() }
                for try await buffer in body { continuation.yield(String(buffer: buffer)) }
            }
        }

        func stop() { reading.cancel() }

        mutating func next() async throws -> Event {
            while true {
                if let end = text.range(of: "\n\n") {
                    let block = String(text[..<end.lowerBound])
                    text = String(text[end.upperBound...])
                    var event = Event()
                    for line in block.split(separator: "\n") {
                        if line.hasPrefix(":") { comments += 1 }
                        if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                        if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
                    }
                    if event.name != nil { return event }
                    if comments > 0 { return event }
                    continue
                }
                guard let part = await parts.next(isolation: #isolation) else { throw CancellationError() }
                text += part
            }
        }
    }

    private static func play(_ number: Int, channel: String = "one") -> PlayRecord {
        let start = Date(timeIntervalSince1970: 1_777_660_200 + Double(number) * 300)
        return PlayRecord(
            channel: PlayChannel(id: EntityID(channel)),
            start: start,
            end: start.addingTimeInterval(100),
            referenceID: ReferenceID("song-\(number)"),
            kind: .song,
            state: .final
        )
    }

    /// Serves a log, and calls a body with the address.
    private static func serving(
        _ store: any PlaylogStore,
        heartbeat: Double = 60,
        listeners: Int = 4,
        _ body: @Sendable @escaping (String) async throws -> Void
    ) async throws {
        let (ports, announce) = AsyncStream<Int>.makeStream()
        var options = PlayEventServer.Options()
        (options.pollInterval, options.heartbeat, options.listenerLimit) = (0.01, heartbeat, listeners)
        options.onRunning = { announce.yield($0) }
        let server = PlayEventServer(store: store, options: options) { Data(#"{"stations":[]}"#.utf8) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await server.run() }
            let port = try #require(await ports.first { _ in true })
            try await body("http://127.0.0.1:\(port)")
            group.cancelAll()
        }
    }

    private static func listen(_ address: String, headers: HTTPHeaders = [:]) async throws -> Listener {
        var request = HTTPClientRequest(url: address)
        request.headers = headers
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        #expect(answer.status == .ok)
        #expect(answer.headers.first(name: "content-type") == "text/event-stream")
        return Listener(answer.body)
    }

    @Test("A change is told with number, name and JSON, and Last-Event-ID goes on behind what was heard")
    func events() async throws {
        let store = MemoryPlaylogStore()
        try await store.put(Self.play(0))
        try await Self.serving(store) { base in
            var first = try await Self.listen(base + "/events")
            // It is heard from now on; what was before is not repeated.
            try await store.put(Self.play(1))
            let event = try await first.next()
            #expect(event.id == "2")
            #expect(event.name == "play.ended")
            let change = try PlaylogJSON.decode(PlayChange.self, from: Data(event.data.utf8))
            #expect(change.sequence == 2)
            #expect(change.channel.id == "one")

            // Nobody listens while these change.
            try await store.put([Self.play(2), Self.play(3)])
            var second = try await Self.listen(base + "/events", headers: ["last-event-id": "2"])
            #expect(try await second.next().id == "3")
            #expect(try await second.next().id == "4")
            var third = try await Self.listen(base + "/events?after=0")
            #expect(try await third.next().id == "1")
        }
    }

    @Test("Channels are chosen, silence is broken by comments, and what is no longer kept is told")
    func details() async throws {
        let store = MemoryPlaylogStore()
        try await store.put([Self.play(0), Self.play(1, channel: "two"), Self.play(2)])
        _ = try await store.remove(before: Self.play(1).start)
        try await Self.serving(store, heartbeat: 0.02) { base in
            var listener = try await Self.listen(base + "/events?after=0&channel=two")
            #expect(try await listener.next().name == "log.incomplete")
            #expect(try await listener.next().id == "2")
            _ = try await listener.next()
            #expect(listener.comments > 0)
        }
    }

    @Test("What is asked for wrongly, and too many listeners, are refused; the state of stations is JSON")
    func refusals() async throws {
        let store = MemoryPlaylogStore()
        try await Self.serving(store, listeners: 1) { base in
            func status(_ path: String) async throws -> (UInt, Data) {
                let request = HTTPClientRequest(url: base + path)
                let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
                guard answer.headers.first(name: "content-type") != "text/event-stream" else { return (200, Data()) }
                return (answer.status.code, Data(try await answer.body.collect(upTo: 1 << 20).readableBytesView))
            }
            #expect(try await status("/events?after=x").0 == 400)
            #expect(try await status("/nothing").0 == 404)
            let stations = try await status("/stations")
            #expect(stations.0 == 200)
            #expect(stations.1 == Data(#"{"stations":[]}"#.utf8))
            let listener = try await Self.listen(base + "/events")
            #expect(try await status("/events").0 == 503)
            listener.stop()
        }
    }
}
