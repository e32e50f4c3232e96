import EarshotAPI
import EarshotAnalysis
import EarshotClient
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Facts and waveforms over HTTP")
struct MediaFactRouteTests {
    @Test("a file's duration is told as value and timescale, with its tracks and tags")
    func facts() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let record = try await http.asset("music/Album/tagged.m4a")
            #expect(record.id == "music/Album/tagged.m4a")
            #expect(record.duration?.timescale == 44_100)
            #expect(record.duration?.value == 88_200)
            #expect(record.duration?.seconds == 2)
            #expect(record.tracks.map(\.codec) == ["aac"])
            #expect(record.tracks.first?.channels == 2)
            #expect(record.tags["title"] == "夜の音 “Earshot”")
            #expect(record.hasPicture)
            #expect(record.size == 18_428)
            for (id, status, code) in [
                ("music/damaged.mp3", 422, "assetUnreadable"), ("music/none.wav", 404, "entityNotFound"),
                ("other/none.wav", 404, "entityNotFound"),
            ] {
                let reply = try await service.ask(
                    .GET,
                    "/v1/assets/\(TestMedia.escaped(id))",
                    token: service.admin
                )
                #expect(reply.status == status)
                #expect(reply.code == code)
                #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(media.folder.path))
            }
        }
    }

    @Test("a waveform comes as JSON or as a data file, and anew when the file has changed")
    func waveforms() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let url = media.music.appendingPathComponent("Album/long.flac")
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/waveform"
            let reader = try await AssetReader(url)
            var maker = WaveformMaker(sampleRate: 44_100, channelCount: 2)
            for try await block in reader { maker.append(block.buffer) }
            let wanted = maker.waveform
            let record = try await http.waveform(of: "music/Album/long.flac", buckets: 100)
            #expect(record.length <= 100 && record.length > 50)
            #expect(record.channels == 1)
            #expect(record.data.count == record.length * 2)
            let data = try await service.ask(
                .GET,
                path + "?samplesPerPixel=512&channels=1&bits=16",
                token: service.admin,
                headers: [("Accept", ServiceAPI.waveformType)]
            )
            #expect(data.headers.first(name: "Content-Type") == ServiceAPI.waveformType)
            #expect(Array(data.bytes) == wanted.coarser(by: 2).dataFile(.bits16))
            let json = try await service.ask(.GET, path, token: service.admin)
            #expect(String(decoding: json.bytes, as: UTF8.self) == (try wanted.mono.json()))
            let odd = try await service.ask(.GET, path + "?samplesPerPixel=100", token: service.admin)
            #expect(try odd.decoded(WaveformRecord.self).samplesPerPixel == 100)
            let tag = try #require(json.headers.first(name: "ETag"))
            let again = try await service.ask(.GET, path, token: service.admin, headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(
                try await service.ask(.GET, path + "?buckets=5&samplesPerPixel=5", token: service.admin).status == 400
            )
            #expect(try await service.ask(.GET, path + "?bits=9", token: service.admin).status == 400)

            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(at: TestMedia.fixtures.appendingPathComponent("chirp.flac"), to: url)
            let other = try await service.ask(.GET, path, token: service.admin, headers: [("If-None-Match", tag)])
            #expect(other.status == 200)
            #expect(other.bytes != json.bytes)
        }
    }

    @Test("a waveform that is kept is made once for all who ask at a time, and gives way to newer ones")
    func caching() async throws {
        let cache = WaveformCache(limit: 1)
        @Sendable func waveform() -> Waveform {
            var maker = WaveformMaker(sampleRate: 1_000, channelCount: 1, framesPerBucket: 1)
            maker.append(AudioBuffer([Float](repeating: 0.5, count: 100), sampleRate: 1_000))
            return maker.waveform
        }
        let made = Counter()
        @Sendable func ask(_ path: String, _ stamp: String = "1") async throws -> Waveform {
            let key = WaveformCache.Key(path: path, stamp: stamp, frames: 1)
            return try await cache.waveform(key) { () async throws(EarshotError) in
                made.add()
                await Task.yield()
                return waveform()
            }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await ask("a").length } }
            for try await length in group { #expect(length == 100) }
        }
        #expect(made.count == 1)
        _ = try await ask("b")
        _ = try await ask("b")
        #expect(made.count == 2)
        // It was too much for two.
        _ = try await ask("a")
        #expect(made.count == 3)
        _ = try await ask("a", "2")
        #expect(made.count == 4)
    }
}

/// Counts from any thread.
private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
}
