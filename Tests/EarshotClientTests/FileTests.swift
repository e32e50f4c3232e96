import EarshotCore
import EarshotMedia
import EarshotMusic
@testable import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Files through the decoder")
struct FileTests {
    private static let files: RecognitionClient.FileOpener = { try await AssetReader.recording($0) }

    /// A file of 16-bit samples.
    private static func wave(rate: Int, channels: Int, seconds: Double = 21) -> Data {
        let mono = TestMusic.pieces[0].samples(from: 0, seconds: seconds, sampleRate: rate)
        var data = Data()
        func number(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        let size = UInt32(mono.count * channels * 2)
        data.append(contentsOf: "RIFF".utf8)
        number(size + 36)
        data.append(contentsOf: "WAVEfmt ".utf8)
        number(UInt32(16))
        number(UInt16(1))
        number(UInt16(channels))
        number(UInt32(rate))
        number(UInt32(rate * channels * 2))
        number(UInt16(channels * 2))
        number(UInt16(16))
        data.append(contentsOf: "data".utf8)
        number(size)
        for sample in mono {
            for _ in 0..<channels { number(Int16(min(max(sample * 32_000, -32_000), 32_000))) }
        }
        return data
    }

    @Test(
        "Every rate, mono and stereo, is recognised",
        .requirements("R-MC-064", "R-MC-066", "R-MC-067"),
        arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
        [1, 2]
    )
    func rates(rate: Int, channels: Int) async throws {
        let service = try await TestMusic.shared.value.service
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("lantern.wav")
            try Self.wave(rate: rate, channels: channels).write(to: url)
            try await ServicePath.inProcess.withClient(of: service, files: Self.files) { client, configuration in
                let result = try await client.result(of: .file(url), configuration)
                #expect(result.best?.track.id == "t1")
            }
        }
    }

    @Test(
        "Moving pictures, text and what is not there are refused without a question",
        .requirements("R-MC-070", "R-MC-071")
    )
    func refused() async throws {
        let service = FakeService()
        let video = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/late.mp4")
        try await withTemporaryFolder { folder in
            let text = folder.appendingPathComponent("song.mp3")
            try Data("This is a text and no music. ".utf8).write(to: text)
            try await ServicePath.inProcess.withClient(of: service, files: Self.files) { client, configuration in
                for (url, kind) in [
                    (video, FailureKind.fingerprintUnavailable), (text, .fingerprintUnavailable),
                    (folder.appendingPathComponent("none.mp3"), .fileAccessDenied),
                ] {
                    let error = await Trace(client.begin(.file(url), configuration)).failure
                    #expect(error?.failureKind == kind, "\(url.lastPathComponent)")
                }
                #expect(service.calls.isEmpty)
            }
        }
    }

    @Test("What the library cannot decode is given as samples", .requirements("R-MC-072"))
    func decoded() async throws {
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples(seconds: 25, rate: 16_000, bytes: 4)
            let result = try await client.result(of: .fileSamples(samples), configuration)
            #expect(result.best?.track.id == "t1" && result.best?.songPosition == nil)
        }
    }
}
