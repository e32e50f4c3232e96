import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Settings of an export")
struct ExportSettingsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func destination(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private static let presets: [(ExportPreset, Int)] = [
        (.pcm16Stereo44100, 2), (.pcmSource, 2), (.floatSource, 2), (.mono16000, 1),
    ]

    @Test(
        "depth and rate of a preset are changed one by one, and what is not named stays",
        .requirements("R-MR-047"),
        arguments: presets
    )
    func overridden(_ preset: ExportPreset, channels: Int) async throws {
        let before = ExportSettings(preset)
        var settings = before
        settings.encoding = .pcm(try PCMLayout(bits: 24))
        #expect(settings.sampleRate == before.sampleRate && settings.channels == before.channels)
        settings.sampleRate = 48_000
        let url = destination("\(preset.rawValue).caf")
        try await ExportSession(Fixtures.url("wav16.wav"), settings: settings, to: url).export()
        let stream = try #require(try await Asset.load(url).streams.first)
        #expect(stream.codec == "pcm_s24le" && stream.sampleRate == 48_000 && stream.channelCount == channels)
    }

    @Test(
        "bits and bit rate of encodings that compress are changed too",
        .requirements("R-MR-047"),
        arguments: [
            (ExportPreset.flac, AudioEncoding.flac(bits: 24), "a.flac"),
            (.alac, .alac(bits: 24), "a.m4a"), (.aac, .aac(bitRate: 96_000), "a.m4a"),
            (.mp3, .mp3(bitRate: 96_000), "a.mp3"), (.opus, .opus(bitRate: 48_000), "a.opus"),
            (.vorbis, .vorbis(bitRate: 96_000), "a.ogg"),
        ]
    )
    func compressed(_ preset: ExportPreset, _ encoding: AudioEncoding, _ name: String) async throws {
        var settings = ExportSettings(preset)
        settings.encoding = encoding
        settings.sampleRate = 48_000
        let session = ExportSession(Fixtures.url("wav16.wav"), settings: settings, to: destination(name))
        let plan = try await session.plan()
        #expect(plan.encoding == encoding && plan.sampleRate == 48_000)
        try await session.export()
        #expect(try await Asset.load(destination(name)).streams.first?.sampleRate == 48_000)
    }

    @Test("a stated type makes a file of that type, whatever its name", .requirements("R-MR-031"))
    func statedType() async throws {
        let magic: [(FileType, String)] = [(.wav, "RIFF"), (.caf, "caff"), (.aiff, "FORM"), (.flac, "fLaC")]
        for (type, begin) in magic {
            let url = destination("without-\(type.rawValue)")
            let session = ExportSession(Fixtures.url("wav16.wav"), to: url, as: type)
            #expect(try await session.export().type == type)
            #expect(try Data(contentsOf: url).starts(with: Data(begin.utf8)))
        }
    }

    @Test("fewer bits are dithered unless that is switched off, the same each time", .requirements("R-MR-029"))
    func dithered() async throws {
        func exported(_ settings: ExportSettings, _ name: String) async throws -> Data {
            try await ExportSession(Fixtures.url("wavfloat.wav"), settings: settings, to: destination(name)).export()
            return try Data(contentsOf: destination(name))
        }
        var settings = ExportSettings()
        settings.bits = 16
        let noisy = try await exported(settings, "a.wav")
        #expect(try await exported(settings, "b.wav") == noisy)
        settings.dithers = false
        let plain = try await exported(settings, "c.wav")
        #expect(try await exported(settings, "d.wav") == plain)
        #expect(noisy.count == plain.count && noisy != plain)
        // Without noise every sample is the nearest one.
        let source = try await Recording.read(Fixtures.url("wavfloat.wav")).channel(0)
        let read = try await Recording.read(destination("c.wav")).channel(0)
        #expect(TestSignal.largestDifference(source, read) <= 0.5001 / 32_768)
    }
}
