import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Exporting")
struct ExportTests {
    /// The samples of a file in the type that keeps them.
    private func samples(_ url: URL, range: Range<MediaTime>? = nil) throws -> (run: SampleBuffer, facts: SourceFormat)
    {
        var options = AssetReader.Options()
        options.range = range
        let decoder = try AudioDecoder(exact: url, options: options, cancellation: Cancellation())
        var all = SampleBuffer(decoder.type)
        while let block = try decoder.nextDecoded() { all.append(block.samples) }
        return (all, decoder.sourceFacts)
    }

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private static let exactCases: [(String, FileType, AudioEncoding?)] =
        [
            "wav16.wav", "wav24.wav", "aiff.aiff", "surround.wav", "chirp.flac", "alac.m4a", "chirp.wv",
        ].flatMap { name in
            [
                (name, .caf, nil), (name, .wav, nil), (name, .aiff, nil), (name, .flac, nil),
                (name, .m4a, .alac(bits: nil)),
                (name, .ogg, .flac(bits: nil)),
            ]
        } + [
            ("wavfloat.wav", .caf, nil), ("wavfloat.wav", .wav, nil), ("wavfloat.wav", .aiff, nil),
            ("loud.wav", .caf, nil),
        ]

    /// Channels by the bits of WAVE_FORMAT_EXTENSIBLE: 3.0, 2.1, quadraphonic, 4.0, and 5.1 with the surround at the sides or behind.
    private static let masks: [UInt64] = [0x07, 0x0B, 0x33, 0x107, 0x60F, 0x3F]

    @Test(
        "Every encoding takes one to eight channels as far as it has places for them",
        .requirements("R-MR-024"),
        arguments: 1...8
    )
    func counts(_ channels: Int) async throws {
        try await inFolder { folder in
            let source = folder.appendingPathComponent("source.wav")
            let frames = (0..<9_600 * channels).map { Int16(truncatingIfNeeded: $0 &* 37) }
            try Self.wave(mask: UInt32(1 << channels) - 1, samples: frames).write(to: source)
            for type in [FileType.flac, .m4a, .ogg, .opus] {
                let result = folder.appendingPathComponent("result.\(type.fileExtensions[0])")
                _ = try await ExportSession(source, to: result).export()
                #expect(try samples(result).facts.channelCount == channels, "\(type)")
            }
        }
    }

    @Test("Channels keep their places", .requirements("R-MR-024"), arguments: masks, [FileType.wav, .caf, .flac])
    func places(_ mask: UInt64, _ type: FileType) async throws {
        try await inFolder { folder in
            let source = folder.appendingPathComponent("source.wav")
            let channels = mask.nonzeroBitCount
            let frames = (0..<4_410 * channels).map { Int16(truncatingIfNeeded: $0 &* 517) }
            try Self.wave(mask: UInt32(mask), samples: frames).write(to: source)
            let result = folder.appendingPathComponent("result.\(type.fileExtensions[0])")
            _ = try await ExportSession(source, to: result).export()
            let (before, after) = (try samples(source), try samples(result))
            #expect(before.facts.channelMask == mask)
            // CAF has one name for a square, and one for 5.1, wherever the surround stands; it is read as that at the sides.
            let kept: UInt64 = type == .caf ? [0x33: 0x603, 0x3F: 0x60F][mask, default: mask] : mask
            #expect(after.facts.channelMask == kept)
            #expect(after.run.isEqual(to: before.run))
        }
    }

    /// A WAV file of 16 bits at 44,100 Hz with the places of its channels.
    private static func wave(mask: UInt32, rate: Int = 44_100, samples: [Int16]) -> Data {
        let channels = mask.nonzeroBitCount
        var bytes = Data("WAVEfmt ".utf8)
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        add(UInt32(40))
        add(UInt16(0xFFFE))
        add(UInt16(channels))
        add(UInt32(rate))
        add(UInt32(rate * channels * 2))
        add(UInt16(channels * 2))
        add(UInt16(16))
        add(UInt16(22))
        add(UInt16(16))
        add(mask)
        bytes.append(contentsOf: [1, 0, 0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113])
        bytes.append(contentsOf: Data("data".utf8))
        add(UInt32(samples.count * 2))
        for sample in samples { add(sample) }
        var file = Data("RIFF".utf8)
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { file.append(contentsOf: $0) }
        return file + bytes
    }

    @Test("What keeps the source gives every sample back as it was", arguments: exactCases)
    func exact(_ name: String, _ type: FileType, _ encoding: AudioEncoding?) async throws {
        try await inFolder { folder in
            let source = Fixtures.url(name)
            let url = folder.appendingPathComponent("result.\(type.fileExtensions[0])")
            var settings = ExportSettings()
            settings.encoding = encoding
            let session = ExportSession(source, settings: settings, to: url)
            let file = try await session.export()
            #expect(session.status == .completed)
            let (before, after) = (try samples(source), try samples(url))
            #expect(after.facts.channelCount == before.facts.channelCount)
            #expect(after.facts.sampleRate == before.facts.sampleRate)
            #expect(after.run.count == before.run.count)
            #expect(after.run.isEqual(to: before.run), "\(before.facts) \(after.facts)")
            #expect(file.frameCount == Int64(before.run.count / before.facts.channelCount))
            let size = try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int64)
            #expect(file.byteCount == size)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [url.lastPathComponent])
        }
    }

    private static let lossyCases: [(FileType, AudioEncoding.Kind)] = [
        (.m4a, .aac), (.mp3, .mp3), (.ogg, .vorbis), (.opus, .opus), (.ogg, .opus),
    ]

    @Test(
        "Short files are as long as their source",
        arguments: [FileType.ogg, .opus, .mp3, .m4a],
        [4_000, 13_230, 39_690, 48_000]
    )
    func short(_ type: FileType, _ count: Int) async throws {
        try await inFolder { folder in
            let (source, result) = (
                folder.appendingPathComponent("source.wav"),
                folder.appendingPathComponent("result.\(type.fileExtensions[0])")
            )
            let frames = (0..<2 * count).map { Int16(truncatingIfNeeded: $0 &* 37) }
            try Self.wave(mask: 3, rate: 48_000, samples: frames).write(to: source)
            _ = try await ExportSession(source, to: result).export()
            #expect(try samples(result).run.count == 2 * count)
        }
    }

    @Test("What leaves something out is as long as the source, and like it", arguments: lossyCases)
    func alike(_ type: FileType, _ kind: AudioEncoding.Kind) async throws {
        try await inFolder { folder in
            let source = Fixtures.url("long.flac")
            let url = folder.appendingPathComponent("result.\(type.fileExtensions[0])")
            var settings = ExportSettings()
            settings.encoding = kind.usual
            try await ExportSession(source, settings: settings, to: url).export()
            let before = try await Recording.read(source, options: .init(sampleRate: kind == .opus ? 48_000 : nil))
            let after = try await Recording.read(url)
            #expect(after.error == nil)
            #expect(after.frameCount == before.frameCount)
            let lag = TestSignal.lag(of: after.channel(0), behind: before.channel(0), atMost: 2_000)
            #expect(lag.frames == 0)
            #expect(lag.likeness > 0.99)
        }
    }

    /// None of them a whole number of milliseconds at 44.1 kHz, nor of packets.
    @Test("A file of AAC ends with the last frame of its source", arguments: [5_000, 10_007, 44_101, 100_003])
    func endOfAAC(_ frames: Int) async throws {
        try await inFolder { folder in
            let source = folder.appendingPathComponent("source.wav")
            let url = folder.appendingPathComponent("result.m4a")
            let sound = WaveFile.chirps(sampleRate: 44_100, frames: frames)
            try Data(WaveFile.bytes(sound, sampleRate: 44_100, channelCount: 2)).write(to: source)
            try await ExportSession(source, preset: .aac, to: url).export()
            let read = try await Recording.read(url)
            #expect(read.error == nil)
            #expect(read.frameCount == frames)
        }
    }

    /// Damaged files decode to such samples, and LAME ended the process.
    @Test("What is louder than any sound is encoded and not the end of the process", arguments: lossyCases)
    func loudest(_ type: FileType, _ kind: AudioEncoding.Kind) async throws {
        try await inFolder { folder in
            let source = folder.appendingPathComponent("source.wav")
            let url = folder.appendingPathComponent("result.\(type.fileExtensions[0])")
            var bytes = WaveFile.header(sampleRate: 44_100, channelCount: 1, dataBytes: 44_100 * 4)
            // 32-bit floating point, four bytes to a frame.
            (bytes[20], bytes[32], bytes[34]) = (3, 4, 32)
            for frame in 0..<44_100 {
                let sample = Float(1e15 * sin(2 * Double.pi * 1_000 * Double(frame) / 44_100))
                withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
            try Data(bytes).write(to: source)
            var settings = ExportSettings()
            settings.encoding = kind.usual
            let file = try await ExportSession(source, settings: settings, to: url).export()
            #expect(file.duration.seconds == 1)
        }
    }

    @Test("AIFF of stated bits has the highest byte first, as AIFF itself has it", arguments: [8, 16, 24, 32])
    func orderInAIFF(_ bits: Int) async throws {
        try await inFolder { folder in
            let url = folder.appendingPathComponent("result.aiff")
            var settings = ExportSettings()
            settings.bits = bits
            try await ExportSession(Fixtures.url("wav24.wav"), settings: settings, to: url).export()
            let head = try Data(contentsOf: url).prefix(12)
            #expect(head.suffix(4) == Data("AIFF".utf8))
        }
    }
}

extension SampleBuffer {
    mutating func append(_ other: SampleBuffer) {
        switch (self, other) {
        case (.int16(let mine), .int16(let more)): self = .int16(mine + more)
        case (.int32(let mine), .int32(let more)): self = .int32(mine + more)
        case (.float32(let mine), .float32(let more)): self = .float32(mine + more)
        case (.float64(let mine), .float64(let more)): self = .float64(mine + more)
        default: break
        }
    }

    /// Whether the samples are the same, whatever type they are in.
    func isEqual(to other: SampleBuffer) -> Bool {
        func doubles(_ run: SampleBuffer) -> [Double] {
            switch run {
            case .int16(let samples): samples.map { Double($0) / 32_768 }
            case .int32(let samples): samples.map { Double($0) / 2_147_483_648 }
            case .float32(let samples): samples.map { Double($0) }
            case .float64(let samples): samples
            }
        }
        return doubles(self) == doubles(other)
    }
}
