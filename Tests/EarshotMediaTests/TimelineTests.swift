import CFFmpeg
import EarshotCore
import Foundation
import Testing

@testable import EarshotMedia

@Suite("Places on the timeline, and stated ends")
struct TimelineTests {
    private func timeline(swing: Int64 = 0) -> Timeline {
        var timeline = Timeline(timeBase: AVRational(num: 1, den: 1_000), zero: 0, sampleRate: 48_000, swing: swing)
        #expect(timeline.place(timestamp: 0, count: 4_800, sampleRate: 48_000, gap: nil) == .moved)
        return timeline
    }

    @Test("Rounded timestamps do not move samples", arguments: [95, 100, 105])
    func jitter(_ milliseconds: Int64) {
        var timeline = timeline()
        #expect(timeline.place(timestamp: milliseconds, count: 480, sampleRate: 48_000, gap: nil) == .continued)
        #expect(timeline.start == 4_800)
    }

    @Test("A gap of more than ten milliseconds is one, unless the packets follow each other")
    func gap() {
        var timeline = timeline()
        let packed = timeline.place(timestamp: 150, count: 480, sampleRate: 48_000, gap: 0)
        #expect(packed == .continued)
        let missing = timeline.place(timestamp: 200, count: 480, sampleRate: 48_000, gap: 90)
        #expect(missing == .moved)
        #expect(timeline.start == 9_600)
    }

    @Test("A clock set back goes on counting, and later gaps are measured on it")
    func setBack() {
        var timeline = timeline()
        #expect(timeline.place(timestamp: 10, count: 4_800, sampleRate: 48_000, gap: nil) == .continued)
        #expect(timeline.start == 4_800)
        #expect(timeline.place(timestamp: 210, count: 480, sampleRate: 48_000, gap: nil) == .moved)
        #expect(timeline.start == 14_400)
    }

    @Test("Wild timestamps neither trap nor move anything", arguments: [Int64.min + 1, .min / 2, .max / 2, .max])
    func wild(_ timestamp: Int64) {
        var timeline = timeline()
        #expect(timeline.place(timestamp: timestamp, count: 480, sampleRate: 48_000, gap: .max) == .continued)
        #expect(timeline.place(timestamp: .max, count: 480, sampleRate: 44_100, gap: nil) == .continued)
    }

    @Test("A page lost from an Ogg file shows as a jump in time")
    func lostPages() async throws {
        let bytes = try Fixtures.bytes("long.ogg")
        let pages = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) }
        try #require(pages.count > 12)
        var holed = bytes
        holed.removeSubrange(pages[6]..<pages[9])
        let folder = try TemporaryFolder()
        let recording = try await Recording.read(folder.write(holed, as: "holed.ogg"))
        let jumps = zip(recording.blocks, recording.blocks.dropFirst())
            .map { ($1.time - ($0.time + $0.buffer.duration)).seconds }
            .filter { $0 != 0 }
        #expect(jumps.count == 1)
        #expect(jumps.allSatisfy { $0 > 0.2 && $0 < 2 })
        // The end stays where it was, but for the swing of Vorbis timestamps.
        #expect(abs((recording.end?.seconds ?? 0) - 6) < 0.06)
    }

    @Test("The last page of an Ogg file tells whether it is whole")
    func oggTail() throws {
        let bytes = try Fixtures.bytes("tagged.ogg")
        #expect(!OggTail.isCut(bytes))
        #expect(!OggTail.isCut(bytes + Array("TAG and whatever".utf8)))
        for missing in [1, 10, 100] { #expect(OggTail.isCut(bytes.dropLast(missing))) }
        #expect(OggTail.isCut(bytes + Array("Og".utf8)))
        #expect(!OggTail.isCut([]))
    }

    @Test("Matroska and WAV state where they end")
    func statedEnds() throws {
        let matroska = try Fixtures.bytes("late.mkv")
        #expect(MatroskaExtent.statedEnd(matroska) == UInt64(matroska.count))
        // A length of all ones is open: a live recording.
        let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01]
        let live = head + [UInt8](repeating: 0xFF, count: 7)
        #expect(MatroskaExtent.statedEnd(live) == nil)
        let wave = try Fixtures.bytes("wav16.wav")
        #expect(WaveExtent.statedEnd(wave) == UInt64(wave.count))
        #expect(WaveExtent.statedEnd(WaveFile.header(sampleRate: 8_000, channelCount: 1, dataBytes: 0)) == nil)
        let long = WaveFile.header(sampleRate: 8_000, channelCount: 1, dataBytes: 0xFFFF_FFFF)
        #expect(WaveExtent.statedEnd(long) == nil)
        for count in 0..<60 {
            _ = MatroskaExtent.statedEnd(Array(matroska.prefix(count)))
            _ = WaveExtent.statedEnd(Array(wave.prefix(count)))
        }
    }

    @Test("Vorbis windows are read from the header")
    func windows() {
        let header = [1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 21) + [0xB8, 1]
        #expect(VorbisWindows.swing(header) == 448)
        #expect(VorbisWindows.swing([]) == 2_048)
    }
}
