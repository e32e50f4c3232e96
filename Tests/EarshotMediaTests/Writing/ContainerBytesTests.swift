import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

/// What lies in the files, read byte by byte and by a program that is not ours.
@Suite("Containers byte by byte")
struct ContainerBytesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func exported(_ source: URL, _ settings: ExportSettings, as name: String) async throws -> [UInt8] {
        let url = folder.url.appendingPathComponent(name)
        try await ExportSession(source, settings: settings, to: url).export()
        return try [UInt8](Data(contentsOf: url))
    }

    /// A second of a ramp of one in stereo: the left counts up, the right is its negative.
    private func ramp() throws -> (url: URL, samples: [Int16]) {
        let samples = (0..<44_100).flatMap { [Int16(truncatingIfNeeded: $0 % 30_000), Int16(-($0 % 30_000))] }
        let bytes = WaveFile.bytes(samples, sampleRate: 44_100, channelCount: 2)
        return (try folder.write(bytes, as: "ramp.wav"), samples)
    }

    private func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>, as: Number.Type = Number.self) -> Number
    {
        bytes.reduce(0) { $0 << 8 | Number($1) }
    }

    /// The chunks of a CAF file: name, size as it is stated, content.
    private func chunks(_ bytes: [UInt8]) -> [(name: String, size: Int64, content: ArraySlice<UInt8>)] {
        var (all, place): ([(String, Int64, ArraySlice<UInt8>)], Int) = ([], 8)
        while place + 12 <= bytes.count {
            let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            let size: Int64 = number(bytes[place + 4..<place + 12])
            let end = size < 0 ? bytes.count : min(bytes.count, place + 12 + Int(size))
            all.append((name, size, bytes[place + 12..<end]))
            place = end
        }
        return all
    }

    @Test(
        "The standard form of CAF: 44.1 kHz, stereo, 16 bits, the low byte first, interleaved",
        .requirements("R-MR-022", "R-MR-023", "R-MR-038", "R-MR-039")
    )
    func caf() async throws {
        let (url, samples) = try ramp()
        let bytes = try await exported(url, ExportSettings(.pcm16Stereo44100), as: "a.caf")
        #expect(Array(bytes[..<8]) == Array("caff".utf8) + [0, 1, 0, 0])
        let chunks = chunks(bytes)
        #expect(chunks.first?.name == "desc")
        let description = try #require(chunks.first { $0.name == "desc" })
        #expect(description.size == 32)
        let content = Array(description.content)
        #expect(Double(bitPattern: number(content[0..<8])) == 44_100)
        #expect(String(decoding: content[8..<12], as: UTF8.self) == "lpcm")
        // Integers, the low byte first; bytes and frames of a packet, channels, bits.
        #expect([12, 16, 20, 24, 28].map { number(content[$0..<$0 + 4], as: UInt32.self) } == [2, 4, 1, 2, 16])
        let layout = try #require(chunks.first { $0.name == "chan" })
        #expect(number(layout.content.prefix(4), as: UInt32.self) == 6_619_138)
        let data = try #require(chunks.first { $0.name == "data" })
        #expect(data.size == Int64(4 + samples.count * 2))
        let sound = Array(data.content.dropFirst(4))
        #expect(Array(data.content.prefix(4)) == [0, 0, 0, 0])
        let isSame = samples.enumerated().allSatisfy { index, sample in
            Int16(bitPattern: UInt16(sound[2 * index]) | UInt16(sound[2 * index + 1]) << 8) == sample
        }
        #expect(isSame)
    }

    @Test(
        "CAF in other forms says what they are",
        .requirements("R-MR-024", "R-MR-039"),
        arguments: [
            (8, false, false, 1), (16, false, true, 1), (24, false, false, 2), (24, false, true, 6),
            (32, false, false, 1),
            (32, true, false, 2), (32, true, true, 1), (64, true, false, 8),
        ] as [(Int, Bool, Bool, Int)]
    )
    func cafForms(_ bits: Int, _ isFloat: Bool, _ isBigEndian: Bool, _ channels: Int) async throws {
        var settings = ExportSettings(.pcmSource)
        settings.encoding = .pcm(try PCMLayout(bits: bits, isFloat: isFloat, isBigEndian: isBigEndian))
        settings.sampleRate = 96_000
        settings.channels = .count(channels)
        let bytes = try await exported(try ramp().url, settings, as: "a.caf")
        let description = try #require(chunks(bytes).first { $0.name == "desc" })
        let content = Array(description.content)
        #expect(Double(bitPattern: number(content[0..<8])) == 96_000)
        // A byte has no order.
        let flags = (isFloat ? 1 : 0) | (isBigEndian || bits == 8 ? 0 : 2)
        let stated = number(content[12..<16], as: UInt32.self)
        #expect(bits == 8 ? stated & 1 == 0 : stated == UInt32(flags))
        let frame = UInt32(bits / 8 * channels)
        #expect(
            [16, 20, 24, 28].map { number(content[$0..<$0 + 4], as: UInt32.self) }
                == [frame, 1, UInt32(channels), UInt32(bits)]
        )
        if channels == 1 {
            let layout = try #require(chunks(bytes).first { $0.name == "chan" })
            #expect(number(layout.content.prefix(4), as: UInt32.self) == 6_553_601)
        }
        let data = try #require(chunks(bytes).first { $0.name == "data" })
        #expect((data.size - 4) % Int64(frame) == 0 && (data.size - 4) / Int64(frame) == 96_000)
    }

    @Test("AIFF has its samples with the high byte first, and a rate of 80 bits", .requirements("R-MR-040"))
    func aiff() async throws {
        let (url, samples) = try ramp()
        let bytes = try await exported(url, ExportSettings(.pcmSource), as: "a.aiff")
        #expect(String(decoding: bytes[..<4], as: UTF8.self) == "FORM")
        #expect(Int(number(bytes[4..<8], as: UInt32.self)) == bytes.count - 8)
        #expect(String(decoding: bytes[8..<12], as: UTF8.self) == "AIFF")
        func chunk(_ name: String) -> ArraySlice<UInt8>? {
            var place = 12
            while place + 8 <= bytes.count {
                let size = Int(number(bytes[place + 4..<place + 8], as: UInt32.self))
                let content = bytes[place + 8..<min(bytes.count, place + 8 + size)]
                if bytes[place..<place + 4].elementsEqual(Array(name.utf8)) { return content }
                place += 8 + size + size % 2
            }
            return nil
        }
        let common = Array(try #require(chunk("COMM")))
        #expect(number(common[0..<2], as: UInt16.self) == 2)
        #expect(number(common[2..<6], as: UInt32.self) == 44_100)
        #expect(number(common[6..<8], as: UInt16.self) == 16)
        // 44,100 as a number of 80 bits: an exponent of 15, and the digits from the highest bit on.
        #expect(Array(common[8..<18]) == [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0])
        let sound = Array(try #require(chunk("SSND")).dropFirst(8))
        let isSame = samples.enumerated().allSatisfy { index, sample in
            Int16(bitPattern: number(sound[2 * index..<2 * index + 2], as: UInt16.self)) == sample
        }
        #expect(isSame && sound.count == samples.count * 2)
    }

    @Test(
        "Another program reads the same samples",
        .requirements("R-MR-024", "R-MR-038", "R-MR-040"),
        .enabled(if: ReferenceDecoder.isHere),
        arguments: ["caf", "aiff", "wav", "flac"]
    )
    func independent(_ suffix: String) async throws {
        let (url, samples) = try ramp()
        _ = try await exported(url, ExportSettings(), as: "b.\(suffix)")
        let decoded = try ReferenceDecoder.int16(folder.url.appendingPathComponent("b.\(suffix)"))
        #expect(decoded == samples)
    }

    @Test(
        "All samples of one channel come before those of the next where that was asked for",
        .requirements("R-MR-024")
    )
    func planes() async throws {
        let (url, samples) = try ramp()
        var settings = ExportSettings(.pcmSource)
        settings.encoding = .pcm(try PCMLayout(bits: 16, isBigEndian: true, isInterleaved: false))
        let bytes = try await exported(url, settings, as: "a.raw")
        let expected =
            stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
            + stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
        let isSame = expected.enumerated().allSatisfy { index, sample in
            Int16(bitPattern: number(bytes[2 * index..<2 * index + 2], as: UInt16.self)) == sample
        }
        #expect(isSame && bytes.count == samples.count * 2)
    }

    private func writer(_ name: String, _ type: FileType, isBigEndian: Bool) throws -> AudioStreamWriter {
        try AudioStreamWriter(
            .file(folder.url.appendingPathComponent(name), replacing: false),
            type: type,
            settings: EncoderSettings(
                encoding: .pcm(.int16.ordered(bigEndian: isBigEndian)),
                sampleRate: 44_100,
                channelCount: 1,
                significantBits: 16,
                dithers: false
            )
        )
    }

    private func block(_ number: Int64) -> DecodedBlock {
        let time = MediaTime(frames: number * 16_384, sampleRate: 44_100)
        return DecodedBlock(
            AudioBlock(AudioBuffer([Int16](repeating: 1, count: 16_384), sampleRate: 44_100), at: time)
        )
    }

    @Test("WAV beyond 4 GiB becomes RF64, whose sizes have 64 bits", .requirements("R-MR-041"))
    func large() throws {
        for (name, hole) in [("small.wav", Int64(0)), ("big.wav", 4_294_967_296)] {
            let writer = try writer(name, .wav, isBigEndian: false)
            try writer.append(block(0))
            try writer.muxer.skip(hole)
            try writer.append(block(1))
            let size = try writer.finish().byteCount
            let file = try FileHandle(forReadingFrom: folder.url.appendingPathComponent(name))
            defer { try? file.close() }
            #expect(try file.seekToEnd() == UInt64(size))
            try file.seek(toOffset: 0)
            let head = [UInt8](try file.read(upToCount: 200) ?? Data())
            func little(_ place: Int, _ count: Int) -> Int64 {
                head[place..<place + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
            }
            let samples = 2 * 2 * 16_384 + hole
            let data = try #require((12..<100).first { head[$0..<$0 + 4].elementsEqual("data".utf8) })
            #expect(Int64(data) + 8 + samples == size)
            if hole == 0 {
                #expect(head.starts(with: "RIFF".utf8) && little(4, 4) == size - 8 && little(data + 4, 4) == samples)
            } else {
                #expect(size > 4_294_967_295)
                #expect(head.starts(with: "RF64".utf8) && little(4, 4) == 0xFFFF_FFFF)
                #expect(head[8..<16].elementsEqual("WAVEds64".utf8))
                #expect(little(20, 8) == size - 8 && little(28, 8) == samples)
                #expect(little(data + 4, 4) == 0xFFFF_FFFF)
            }
        }
    }

    @Test("AIFF ends at 4 GiB, to the byte, with an error", .requirements("R-MR-041"))
    func limitOfAIFF() throws {
        let block = block(0)
        for missing in [0, 1] as [Int64] {
            let writer = try writer("edge\(missing).aiff", .aiff, isBigEndian: true)
            try writer.append(block)
            // The last block ends with the last byte that the size can name, and then one behind it.
            try writer.muxer.skip(4_294_967_295 - 2 * 16_384 - writer.byteCount + missing)
            if missing == 0 {
                try writer.append(self.block(1))
                #expect(writer.byteCount == 4_294_967_295)
            } else {
                let error = #expect(throws: EarshotError.self) { try writer.append(self.block(1)) }
                #expect(error?.code == .containerLimit)
            }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("edge") } == []
        )
    }

    @Test("A type whose sizes have 32 bits ends with an error before it lies", .requirements("R-MR-041", "R-MR-099"))
    func limited() throws {
        let url = folder.url.appendingPathComponent("big.aiff")
        let writer = try AudioStreamWriter(
            .file(url, replacing: false),
            type: .aiff,
            settings: EncoderSettings(
                encoding: .pcm(.int16.ordered(bigEndian: true)),
                sampleRate: 44_100,
                channelCount: 1,
                significantBits: 16,
                dithers: false
            ),
            sizeLimit: 100_000
        )
        try writer.append(block(0))
        let error = #expect(throws: EarshotError.self) {
            for number in 1..<5 { try writer.append(block(Int64(number))) }
        }
        #expect(error?.code == .containerLimit && error?.message.contains("big.aiff") == true)
        #expect(FileType.aiff.sizeLimit == 4_294_967_295)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }
}
