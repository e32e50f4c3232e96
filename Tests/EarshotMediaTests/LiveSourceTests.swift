import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Live: streams of a server on this machine")
struct LiveSourceTests {
    /// Three seconds of a stream whose header promises hours. FFmpeg looks at 64 KiB before it believes such a header.
    private let endless = WaveFile.bytes(
        WaveFile.chirps(sampleRate: 8_000, frames: 24_000),
        sampleRate: 8_000,
        channelCount: 2,
        statedBytes: 0x7000_0000
    )

    private func options(attempts: Int? = nil) -> LiveSource.Options {
        var options = LiveSource.Options()
        options.reconnecting.jitter = 0
        options.reconnecting.attempts = attempts
        options.stallDuration = nil
        return options
    }

    @Test("A stream that breaks off is opened again and goes on behind a gap as long as the time lost")
    func reconnecting() async throws {
        let server = try LoopbackServer([
            .reply(200, endless, type: "audio/wav"), .reply(503, [], type: "text/plain"),
            .reply(200, endless, type: "audio/wav"),
        ])
        defer { server.close() }
        let source = try await LiveSource(server.url(), options: options(attempts: 3), clock: InstantClock().clock)
        let heard = await drain(source)
        // One second before the attempt that failed, two before the one that did not.
        #expect(heard.blocks.gaps == [.seconds(3)])
        #expect(heard.blocks.first?.time == .zero)
        #expect(heard.blocks.map(\.buffer.frameCount).reduce(0, +) == 48_000)
        #expect(heard.error?.position == .seconds(9))
        #expect(heard.error?.code == .assetNotFound)
        let events = await drain(source.events)
        #expect(
            events == [.started(source.format), .interrupted(.failed), .resumed, .interrupted(.failed), .ended]
        )
    }

    @Test("A stream that its server closes is opened again too")
    func closing() async throws {
        let ogg = try Fixtures.bytes("long.ogg")
        let server = try LoopbackServer([
            .chunks(ogg, type: "audio/ogg"), .chunks(ogg, type: "audio/ogg"),
        ])
        defer { server.close() }
        let source = try await LiveSource(server.url(), options: options(attempts: 1), clock: InstantClock().clock)
        let heard = await drain(source)
        #expect(heard.blocks.gaps == [.seconds(1)])
        #expect(heard.error?.code == .readFailed)
        let events = await drain(source.events)
        #expect(
            events == [.started(source.format), .interrupted(.closed), .resumed, .interrupted(.closed), .ended]
        )
    }

    @Test("Without reconnecting a stream that is closed has ended")
    func noReconnecting() async throws {
        let server = try LoopbackServer([.chunks(Fixtures.bytes("long.ogg"), type: "audio/ogg")])
        defer { server.close() }
        let source = try await LiveSource(server.url(), options: .init(reconnects: false))
        let heard = await drain(source)
        #expect(heard.error?.description == nil)
        #expect(!heard.blocks.isEmpty && heard.blocks.gaps.isEmpty)
        #expect(server.requestCount == 1)
    }

    @Test("A stream that falls silent counts as lost")
    func stalling() async throws {
        let server = try LoopbackServer([
            .silence(after: endless, type: "audio/wav"), .reply(200, endless, type: "audio/wav"),
        ])
        defer { server.close() }
        let clock = ManualClock()
        var options = options(attempts: 1)
        options.stallDuration = .seconds(10)
        let source = try await LiveSource(server.url(), options: options, clock: clock.clock)
        let events = Task { await drain(source.events) }
        let reading = Task { await drain(source) }
        let pump = Task.detached {
            while !Task.isCancelled {
                clock.advance(by: 1)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        let heard = await reading.value
        let told = await events.value
        pump.cancel()
        await pump.value
        clock.advance(by: 1_000)
        #expect(told.prefix(3) == [.started(source.format), .interrupted(.stalled), .resumed])
        #expect(told.last == .ended)
        #expect(heard.blocks.gaps.count == 1)
        #expect(heard.blocks.gaps.allSatisfy { $0 >= .seconds(11) })
    }

    @Test("What cannot be opened at first fails at once")
    func notFound() async throws {
        let server = try LoopbackServer([])
        let missing = await #expect(throws: EarshotError.self) { _ = try await LiveSource(server.url("none.mp3")) }
        #expect(missing?.code == .assetNotFound)
        #expect(missing?.message.contains("/none.mp3") == true)
        #expect(server.requestCount == 1)
        server.close()
        let refused = await #expect(throws: EarshotError.self) { _ = try await LiveSource(server.url()) }
        #expect(refused?.code == .assetNotFound)
    }

    @Test("A server that never answers is given up")
    func noAnswer() async throws {
        let server = try LoopbackServer([.silence(after: [], type: "audio/wav")])
        defer { server.close() }
        let clock = ManualClock()
        let pump = Task.detached {
            while !Task.isCancelled {
                clock.advance(by: 1)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        let error = await #expect(throws: EarshotError.self) {
            _ = try await LiveSource(server.url(), clock: clock.clock)
        }
        pump.cancel()
        await pump.value
        clock.advance(by: 1_000)
        #expect(error?.code == .assetNotFound)
        #expect(error?.message.contains("10 s") == true)
    }

    @Test("A playlist from the network cannot name a file of this machine")
    func localFiles() async throws {
        let secret = Fixtures.url("chirp.aac")
        for address in ["file:" + secret.path, secret.absoluteString, secret.path] {
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n\(address)\n#EXT-X-ENDLIST\n"
            let server = try LoopbackServer([.reply(200, Array(list.utf8), type: "application/vnd.apple.mpegurl")])
            defer { server.close() }
            await #expect(throws: EarshotError.self) { _ = try await LiveSource(server.url("list.m3u8")) }
        }
    }

    @Test("Reading a silent stream can be canceled")
    func cancelling() async throws {
        let server = try LoopbackServer([.silence(after: endless, type: "audio/wav")])
        defer { server.close() }
        let source = try await LiveSource(server.url(), options: options())
        let reading = Task { await drain(source) }
        var events = source.events.makeAsyncIterator()
        #expect(await events.next() == .started(source.format))
        reading.cancel()
        #expect(await reading.value.error?.code == .cancelled)
    }
}
