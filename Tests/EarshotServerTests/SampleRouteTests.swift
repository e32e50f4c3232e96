import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMedia
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Samples over HTTP")
struct SampleRouteTests {
    @Test(
        "a run of samples is the same run of the whole decoded file",
        .requirements("R-MR-137"),
        arguments: ["Album/tagged.mp3", "Album/tagged.m4a", "Album/tagged.ogg", "Album/long.flac", "surround.wav"]
    )
    func samples(file: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let url = media.music.appendingPathComponent(file)
            let whole = try await TestMedia.decoded(url)
            let channels = try await AssetReader(url).format.channelCount
            let frames = whole.count / channels
            var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
            for round in 0..<6 {
                let start = round == 0 ? 0 : Int.random(in: 0..<frames, using: &random)
                let length = round == 1 ? 1 : Int.random(in: 1...30_000, using: &random)
                let buffer = try await http.samples(of: "music/\(file)", from: Int64(start), length: length)
                let wanted = whole.dropFirst(start * channels).prefix(length * channels)
                #expect(buffer.samples == .float32(Array(wanted)), "from \(start), \(length) frames")
            }
        }
    }

    @Test("samples come in the rate, channels and format that were asked for", .requirements("R-MR-137"))
    func formats() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let url = media.music.appendingPathComponent("Album/long.flac")
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/samples"
            let reply = try await service.ask(
                .GET,
                "\(path)?start=8000&length=4000&rate=16000&channels=1",
                token: service.admin
            )
            #expect(reply.status == 200)
            #expect(reply.headers.first(name: "Content-Type") == ServiceAPI.samplesType)
            #expect(reply.headers.first(name: "X-Sample-Rate") == "16000")
            #expect(reply.headers.first(name: "X-Channels") == "1")
            #expect(reply.headers.first(name: "X-Sample-Format") == "float32")
            let whole = try await TestMedia.decoded(url, AssetReader.Options(sampleRate: 16_000, channels: .mono))
            #expect(TestMedia.floats(reply.bytes) == Array(whole[8_000..<12_000]))
            let http = try await TestMedia.client(service)
            let integers = try await http.samples(of: "music/Album/long.flac", from: 10, length: 5, as: .int16)
            guard case .int16(let values) = integers.samples else {
                Issue.record("they are no integers")
                return
            }
            #expect(values.count == 10)
            #expect(integers.sampleRate == 44_100)
            // What begins late begins with silence.
            let late = try await http.samples(of: "music/late.mkv", from: 0, length: 8_000)
            guard case .float32(let heard) = late.samples else { return }
            #expect(heard.prefix(4_000 * 2).allSatisfy { $0 == 0 })
            #expect(heard.dropFirst(4_000 * 2).contains { $0 != 0 })
        }
    }

    @Test("a run behind the end is 416, and one that is longer than may be is refused")
    func bounds() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/samples"
            func status(_ query: String) async throws -> Int {
                try await service.ask(.GET, path + query, token: service.admin).status
            }
            let behind = try await service.ask(.GET, path + "?start=200214&length=10", token: service.admin)
            #expect(behind.status == 416)
            #expect(behind.code == "requestInvalid")
            #expect(try await status("?start=99999999999&length=10") == 416)
            let last = try await service.ask(.GET, path + "?start=200213&length=10", token: service.admin)
            #expect(last.status == 200)
            #expect(last.bytes.count == 8)
            #expect(try await status("") == 400)
            #expect(try await status("?length=0") == 400)
            #expect(try await status("?start=-1&length=1") == 400)
            #expect(try await status("?length=\(ServiceAPI.samplesLimit + 1)") == 400)
            #expect(try await status("?length=1&format=mp3") == 400)
            #expect(try await status("?length=1&channels=9") == 400)
            #expect(try await status("?length=1&rate=1") == 400)
            #expect(try await service.ask(.GET, "/metrics").bytes.count > 0)
        }
    }

    @Test(
        "a path that leads out of the media folders is refused with 403",
        .requirements("R-MR-138"),
        arguments: [
            "music%2F..%2Fsecret.wav", "..%2Fsecret.wav", "music%2F%2E%2E%2Fsecret.wav", "%2Fetc%2Fpasswd",
            "music%2F%2Fetc%2Fpasswd", "music%2F%252e%252e%252fsecret.wav", "music%2Fin.flac%00.wav",
            "music%2Fout%2Finside.wav", "music%2Fout.wav", "music%2Flost", "music%2F..", "..", "%2e%2e",
        ]
    )
    func refused(id: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            for part in ["", "/samples?length=10", "/waveform", "/analyses"] {
                let reply = try await service.ask(.GET, "/v1/assets/\(id)\(part)", token: service.admin)
                #expect(reply.status == 403, "\(part)")
                #expect(reply.code == "accessDenied")
                let message = try reply.decoded(Failure.self).error.message
                #expect(message.contains("refused because"))
                #expect(!message.contains(media.folder.path))
            }
        }
    }
}
