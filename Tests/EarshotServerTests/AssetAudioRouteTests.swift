import EarshotAPI
import EarshotCore
import EarshotMedia
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Audio of media folders for players")
struct AssetAudioRouteTests {
    private func path(_ file: String) -> String { "/v1/assets/\(TestMedia.escaped("music/\(file)"))/audio" }

    /// The samples behind the header of a WAVE file.
    private func samples(_ bytes: Data) -> [Int16] {
        bytes.dropFirst(WaveLayout.headSize).withUnsafeBytes { raw in
            (0..<raw.count / 2).map {
                Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
            }
        }
    }

    @Test(
        "what browsers play is sent as it is",
        arguments: [
            ("Album/tagged.mp3", "audio/mpeg"), ("Album/tagged.m4a", "audio/mp4"), ("Album/tagged.ogg", "audio/ogg"),
            ("Album/long.flac", "audio/flac"), ("surround.wav", "audio/wav"),
        ]
    )
    func playable(file: String, type: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let bytes = try Data(contentsOf: media.music.appendingPathComponent(file))
            let whole = try await service.ask(.GET, path(file), token: service.admin)
            #expect(whole.status == 200 && whole.bytes == bytes)
            #expect(whole.headers.first(name: "Content-Type") == type)
            let part = try await service.ask(
                .GET,
                path(file),
                token: service.admin,
                headers: [("Range", "bytes=100-299")]
            )
            #expect(part.status == 206 && part.bytes == bytes[100..<300])
            #expect(part.headers.first(name: "Content-Range") == "bytes 100-299/\(bytes.count)")
            #expect(part.headers.first(name: "Cache-Control") == "private, no-cache")
        }
    }

    @Test("what they do not play becomes WAVE, any part of which is the same part of the whole")
    func converted() async throws {
        try await TestMedia.run { (service: TestService, _: TestMedia) async throws in
            let whole = try await service.ask(.GET, path("late.mkv"), token: service.admin)
            #expect(whole.status == 200 && whole.headers.first(name: "Content-Type") == "audio/wav")
            #expect(whole.headers.first(name: "Accept-Ranges") == "bytes")
            #expect(samples(whole.bytes).contains { $0 != 0 })
            // Odd places, inside of the header and of frames.
            for (first, last) in [(0, 10), (40, 50), (44, 44), (1_001, 70_002), (300_003, 300_010)]
            where last < whole.bytes.count {
                let part = try await service.ask(
                    .GET,
                    path("late.mkv"),
                    token: service.admin,
                    headers: [("Range", "bytes=\(first)-\(last)")]
                )
                #expect(part.status == 206)
                #expect(part.bytes == whole.bytes[first...last], "\(first)")
            }
            let behind = try await service.ask(
                .GET,
                path("late.mkv"),
                token: service.admin,
                headers: [("Range", "bytes=\(whole.bytes.count)-")]
            )
            #expect(behind.status == 416)
            let tag = try #require(whole.headers.first(name: "ETag"))
            let same = try await service.ask(
                .GET,
                path("late.mkv"),
                token: service.admin,
                headers: [("If-None-Match", tag)]
            )
            #expect(same.status == 304)
        }
    }

    @Test("WAVE can be had of everything, and is what the file decodes to")
    func wave() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let reply = try await service.ask(.GET, path("Album/long.flac") + "?format=wave", token: service.admin)
            var options = AssetReader.Options()
            options.sampleType = .int16
            var decoded: [Int16] = []
            for try await block in try await AssetReader(
                media.music.appendingPathComponent("Album/long.flac"),
                options: options
            ) {
                if case .int16(let part) = block.buffer.samples { decoded += part }
            }
            #expect(samples(reply.bytes) == decoded)
            let surround = try await service.ask(.GET, path("surround.wav") + "?format=wave", token: service.admin)
            #expect(surround.status == 200 && surround.bytes[22] == 2)
            let other = try await service.ask(.GET, path("surround.wav") + "?format=mp3", token: service.admin)
            #expect(other.status == 400)
        }
    }

    @Test("whoever asks for all from a place on gets some of it, so that no paused player keeps an answer open")
    func limitedParts() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            try media.addLongFile("hours.wav")
            for (query, most) in [("", 4 << 20), ("?format=wave", 1 << 20)] {
                let reply = try await service.ask(
                    .GET,
                    path("hours.wav") + query,
                    token: service.admin,
                    headers: [("Range", "bytes=0-")]
                )
                #expect(reply.status == 206 && (1...most).contains(reply.bytes.count), "\(reply.bytes.count)")
                let range = reply.headers.first(name: "Content-Range") ?? ""
                #expect(range.hasPrefix("bytes 0-\(reply.bytes.count - 1)/"), "\(range)")
            }
        }
    }

    @Test("what is no media is not sent, whatever it is called")
    func noMedia() async throws {
        try await TestMedia.run { (service: TestService, _: TestMedia) async throws in
            let reply = try await service.ask(.GET, path("damaged.mp3"), token: service.admin)
            #expect(reply.status == 422)
            #expect(!String(decoding: reply.bytes, as: UTF8.self).contains("This is no music"))
        }
    }

    @Test("a layout holds every sound, at a lower rate where it is very long")
    func layout() throws {
        let usual = try #require(WaveLayout(seconds: 10, rate: 44_100, channels: 6))
        #expect(usual.channels == 2 && usual.size == 44 + 441_000 * 4 && usual.head.count == 44)
        let long = try #require(WaveLayout(seconds: 40_000, rate: 44_100, channels: 2))
        #expect(long.channels == 1 && long.rate == 32_000 && long.size <= Int(UInt32.max))
        #expect(WaveLayout(seconds: 0, rate: 44_100, channels: 2) == nil)
        #expect(WaveLayout(seconds: .infinity, rate: 44_100, channels: 2) == nil)
        #expect(WaveLayout(seconds: 1e9, rate: 0, channels: 0) == nil)
        for range in [0..<44, 0..<45, 43..<47, 44..<48, 45..<47, 100..<usual.size] {
            let runs = usual.runs(of: range)
            #expect(runs.first?.lowerBound == range.lowerBound && runs.last?.upperBound == range.upperBound)
            #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
        #expect(usual.frames(of: 45..<47) == 0..<1 && usual.frames(of: 47..<49) == 0..<2)
    }
}
