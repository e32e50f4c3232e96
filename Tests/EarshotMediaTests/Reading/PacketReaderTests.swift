import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Sound in its own encoding")
struct PacketReaderTests {
    private func packets(_ url: URL, range: Range<MediaTime>? = nil) async throws -> [EncodedPacket] {
        var all: [EncodedPacket] = []
        for try await packet in try await PacketReader(url, range: range) { all.append(packet) }
        return all
    }

    @Test("The packets of an AAC stream are the frames between its headers", .requirements("R-MR-018"))
    func frames() async throws {
        let bytes = try Fixtures.bytes("chirp.aac")
        var frames: [[UInt8]] = []
        var place = 0
        while place + 7 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xF0 == 0xF0 {
            let length = Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5]) >> 5
            frames.append(Array(bytes[place..<place + length]))
            place += length
        }
        #expect(frames.count > 10 && place == bytes.count)
        let read = try await packets(Fixtures.url("chirp.aac"))
        #expect(read.map(\.bytes) == frames)
        #expect(zip(read, read.dropFirst()).allSatisfy { $0.time.map { $0 + read[0].duration } == $1.time })
    }

    @Test("The packets of an MP4 file are the pieces of its data", .requirements("R-MR-018"))
    func pieces() async throws {
        let bytes = try Fixtures.bytes("tagged.m4a")
        let table = try #require(Self.box("stsz", in: bytes))
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let sizes = (0..<number(table.lowerBound + 8)).map { number(table.lowerBound + 12 + 4 * $0) }
        let data = try #require(Self.box("mdat", in: bytes))
        let reader = try await PacketReader(Fixtures.url("tagged.m4a"))
        #expect(reader.format.codec == "aac" && reader.format.sampleRate == 44_100 && reader.format.channelCount == 2)
        #expect(!reader.format.configuration.isEmpty)
        let read = try await packets(Fixtures.url("tagged.m4a"))
        #expect(read.map(\.bytes.count) == sizes)
        #expect(Array(read.flatMap(\.bytes)) == Array(bytes[data].prefix(sizes.reduce(0, +))))
        // What only the decoder hears comes before the begin.
        #expect(try #require(read[0].time) < .zero)
    }

    /// The content of the first box of a kind.
    private static func box(_ name: String, in bytes: [UInt8]) -> Range<Int>? {
        let kind = Array(name.utf8)
        guard let place = (4..<bytes.count - 4).first(where: { bytes[$0..<$0 + 4].elementsEqual(kind) }) else {
            return nil
        }
        let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        return place + 4..<place - 4 + size
    }

    private static let copies: [(String, String)] = [
        ("tagged.m4a", "a.m4a"), ("alac.m4a", "a.m4a"), ("tagged.mp3", "a.mp3"), ("chirp.opus", "a.opus"),
        ("chirp.opus", "a.ogg"), ("long.ogg", "a.ogg"), ("chirp.flac", "a.flac"), ("wav24.wav", "a.wav"),
    ]

    @Test(
        "A copy has the packets of its source, by a session and by a writer alike",
        .requirements("R-MR-046"),
        arguments: copies
    )
    func copied(_ name: String, _ result: String) async throws {
        let folder = try TemporaryFolder()
        let source = Fixtures.url(name)
        let exported = folder.url.appendingPathComponent("session-" + result)
        try await ExportSession(source, preset: .passthrough, to: exported).export()
        let reader = try await PacketReader(source)
        let written = folder.url.appendingPathComponent("writer-" + result)
        let writer = try AssetWriter(to: written)
        let input = try writer.addPacketInput(reader.format)
        try await writer.start()
        try await input.append(contentsOf: reader)
        try await writer.finish()
        #expect(reader.state == .completed && writer.state == .completed)
        let payload = try await packets(source).flatMap(\.bytes)
        #expect(!payload.isEmpty)
        for copy in [exported, written] {
            let isSame = try await packets(copy).flatMap(\.bytes) == payload
            #expect(isSame, "\(copy.lastPathComponent)")
            // And they are heard as they were.
            let (before, after) = (try await Recording.read(source), try await Recording.read(copy))
            #expect(after.error == nil && after.frameCount == before.frameCount)
            #expect(after.channel(0) == before.channel(0))
        }
    }

    @Test("A part has the packets that reach into it")
    func part() async throws {
        let url = Fixtures.url("long.flac")
        let range = MediaTime.seconds(1)..<MediaTime.seconds(2)
        let (all, some) = (try await packets(url), try await packets(url, range: range))
        let expected = all.filter { packet in
            guard let time = packet.time else { return false }
            return time < range.upperBound && time + packet.duration > range.lowerBound
        }
        #expect(!some.isEmpty && some.count < all.count && some == expected)
    }

    @Test("A type that does not hold the encoding refuses it, and nothing is made", .requirements("R-MR-012"))
    func refused() async throws {
        let folder = try TemporaryFolder()
        let format = try await PacketReader(Fixtures.url("tagged.mp3")).format
        let writer = try AssetWriter(to: folder.url.appendingPathComponent("a.flac"))
        let error = #expect(throws: EarshotError.self) { try writer.addPacketInput(format) }
        #expect(error?.code == .pipelineRefused && error?.message.contains("mp3") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("It ends as other readers do: canceled, protected, broken off")
    func endings() async throws {
        let reader = try await PacketReader(Fixtures.url("long.flac"))
        #expect(reader.state == .unknown)
        reader.cancel()
        let error = await #expect(throws: EarshotError.self) { for try await _ in reader {} }
        #expect(error?.code == .cancelled && reader.state == .cancelled)
        let protected = await #expect(throws: EarshotError.self) {
            for try await _ in try await PacketReader(Fixtures.url("protected.mp4")) {}
        }
        #expect(protected?.code == .assetProtected)
        let none = await #expect(throws: EarshotError.self) { _ = try await PacketReader(Fixtures.url("silent.mp4")) }
        #expect(none?.code == .noAudioStream)
    }
}
