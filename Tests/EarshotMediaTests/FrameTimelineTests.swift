import CFFmpeg
import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Places on the timeline, and stated ends")
struct FrameTimelineTests {
    /// A timeline in milliseconds with packets of 10 ms, each at a byte position of its own.
    private struct Feed {
        var timeline = FrameTimeline(timeBase: AVRational(num: 1, den: 1_000), zero: 0, sampleRate: 48_000)
        var packets: Int64 = 0

        mutating func append(_ timestamp: Int64, sampleRate: Int32 = 48_000, bytePosition: Int64? = nil) {
            timeline.append(
                FrameTimeline.Frame(
                    timestamp: timestamp,
                    count: sampleRate / 100,
                    sampleRate: sampleRate,
                    bytePosition: bytePosition ?? packets
                )
            )
            packets += 1
        }

        /// Finishes, and returns the starts of all frames.
        mutating func starts() -> [Int64] {
            timeline.finish()
            var starts: [Int64] = []
            while let placement = timeline.nextPlacement() {
                #expect(placement.isContinuous == (starts.last.map { $0 + 480 == placement.start } ?? false))
                starts.append(placement.start)
            }
            return starts
        }
    }

    /// The starts of `count` frames with timestamps made of their number.
    private func starts(_ count: Int64, _ timestamp: (Int64) -> Int64) -> [Int64] {
        var feed = Feed()
        for index in 0..<count { feed.append(timestamp(index)) }
        return feed.starts()
    }

    private func counted(_ range: Range<Int64>, behind gap: Int64 = 0) -> [Int64] {
        range.map { $0 * 480 + gap * 48 }
    }

    @Test("Timestamps that are taken back do not move samples", arguments: [5, 25, 35, 400, -25, -400])
    func takenBack(_ milliseconds: Int64) {
        // For one packet, for several, again and again, and for the last one as far as errors reach.
        #expect(starts(200) { $0 * 10 + ($0 == 100 ? milliseconds : 0) } == counted(0..<200))
        #expect(starts(200) { $0 * 10 + ((100..<130).contains($0) ? milliseconds : 0) } == counted(0..<200))
        #expect(starts(200) { $0 * 10 + ($0 % 50 >= 30 ? milliseconds : 0) }.dropLast(20) == counted(0..<180)[...])
        guard abs(milliseconds) <= 50 else { return }
        #expect(starts(200) { $0 * 10 + ($0 == 199 ? milliseconds : 0) } == counted(0..<200))
    }

    @Test("Timestamps of one byte position count as one")
    func pages() {
        // Pages of a second each; one of them states a time 25 ms late.
        var feed = Feed()
        for index in 0..<500 {
            let page = Int64(index / 100)
            feed.append(Int64(index) * 10 + (page == 2 ? 25 : 0), bytePosition: page)
        }
        #expect(feed.starts() == counted(0..<500))
    }

    @Test("A jump that later timestamps confirm is a gap, at its place", arguments: [15, 50, 90, 5_000])
    func gap(_ milliseconds: Int64) {
        let expected = counted(0..<100) + counted(100..<200, behind: milliseconds)
        #expect(starts(200) { $0 * 10 + ($0 < 100 ? 0 : milliseconds) } == expected)
        // Two of them, the second before the first is certain.
        let twice =
            counted(0..<100) + counted(100..<110, behind: milliseconds) + counted(110..<200, behind: 2 * milliseconds)
        #expect(starts(200) { $0 * 10 + ($0 < 100 ? 0 : $0 < 110 ? milliseconds : 2 * milliseconds) } == twice)
        // A little before the end.
        let late = counted(0..<197) + counted(197..<200, behind: milliseconds)
        #expect(starts(200) { $0 * 10 + ($0 < 197 ? 0 : milliseconds) } == late)
    }

    @Test("A jump by less than a packet is none, and one by a packet is", arguments: [12, 18, 22, 26])
    func packets(_ milliseconds: Int64) {
        var timeline = FrameTimeline(timeBase: AVRational(num: 1, den: 1_000), zero: 0, sampleRate: 48_000)
        for index in 0..<Int64(200) {
            // Packets of 21.3 ms, as of AAC, rounded to milliseconds.
            let timestamp = index * 1_024 / 48 + (index < 100 ? 0 : milliseconds)
            timeline.append(
                FrameTimeline.Frame(timestamp: timestamp, count: 1_024, sampleRate: 48_000, bytePosition: index)
            )
        }
        timeline.finish()
        var gaps = 0
        for index in 0..<200 {
            let placement = timeline.nextPlacement()
            if index > 0, placement?.isContinuous == false { gaps += 1 }
        }
        #expect(gaps == (milliseconds > 20 ? 1 : 0))
    }

    @Test("Frames behind a jump wait until it is certain, and no longer")
    func waits() {
        var feed = Feed()
        for index in 0..<10 { feed.append(Int64(index) * 10) }
        #expect(!feed.timeline.isUndecided)
        feed.append(10 * 10 + 200)
        #expect(feed.timeline.isUndecided)
        for index in 11..<59 { feed.append(Int64(index) * 10 + 200) }
        #expect(feed.timeline.isUndecided)
        for index in 59..<61 { feed.append(Int64(index) * 10 + 200) }
        #expect(!feed.timeline.isUndecided)
        #expect(feed.starts() == counted(0..<10) + counted(10..<61, behind: 200))
        // Where nothing tells timestamps apart, waiting ends nevertheless.
        feed = Feed()
        for index in 0..<1_200 { feed.append(Int64(index) * 10 + (index < 10 ? 0 : 200), bytePosition: 7) }
        #expect(!feed.timeline.isUndecided)
    }

    @Test("Slow clocks and rounding do not move samples", arguments: [-3, -1, 1, 3])
    func drift(_ perThousand: Int64) {
        #expect(starts(5_000) { $0 * 10 + $0 * 10 * perThousand / 1_000 } == counted(0..<5_000))
    }

    @Test("Live timestamps that waver do not add time")
    func wavering() {
        // Up to 20 ms to and fro without order, as packets come through a network.
        let starts = starts(6_000) { $0 * 10 + ($0 * 7_919 % 41) - 20 }
        #expect(abs((starts.last ?? 0) - (starts.first ?? 0) - 5_999 * 480) <= 20 * 48)
    }

    @Test("A clock set back goes on counting, and later gaps are measured on it")
    func setBack() {
        let starts = starts(300) { $0 * 10 + ($0 < 100 ? 7_000 : $0 < 200 ? 0 : 100) }
        #expect(starts == counted(0..<200, behind: 7_000) + counted(200..<300, behind: 7_100))
    }

    @Test("Wild timestamps neither trap nor move anything", arguments: [Int64.min + 1, .min / 2, .max / 2, .max])
    func wild(_ timestamp: Int64) {
        #expect(starts(200) { $0 == 100 ? timestamp : $0 * 10 } == counted(0..<200))
        #expect(starts(200) { $0 < 100 ? $0 * 10 : timestamp } == counted(0..<200))
        var feed = Feed()
        for index in 0..<100 {
            feed.append(
                index % 3 == 0 ? timestamp : Int64.max - Int64(index),
                sampleRate: index % 2 == 0 ? 48_000 : 44_100
            )
        }
        feed.timeline.finish()
        var places = 0
        while feed.timeline.nextPlacement() != nil { places += 1 }
        #expect(places == 100)
    }

    @Test(
        "Ogg pages that state a late position, taken back by the next, do not put silence into the sound",
        arguments: ["long.ogg", "bursts.ogg", "chirp.opus"]
    )
    func latePages(_ name: String) async throws {
        let pages = try OggPages(Fixtures.bytes(name))
        let folder = try TemporaryFolder()
        let plain = try await Recording.read(Fixtures.url(name))
        let rate = Int64(plain.format.sampleRate)
        #expect(pages.pages.count > 8)
        for late in [rate / 40, rate / 20, -rate / 40] {
            // Each third page, but not the first, which sets the time, and not the last, which cuts the end.
            let last = pages.pages.count - 4
            let shifted = pages.shifted { $0 > 0 && $0 < last && $0 % 3 == 2 ? late : 0 }
            let recording = try await Recording.read(folder.write(shifted.bytes, as: "late-\(name)"))
            #expect(recording.frameCount == plain.frameCount)
            #expect(recording.end == plain.end)
            #expect(recording.interleaved == plain.interleaved)
        }
    }

    @Test("Ogg pages that all state a later position from one on are a gap", arguments: ["long.ogg"])
    func lastingJump(_ name: String) async throws {
        let pages = try OggPages(Fixtures.bytes(name))
        let folder = try TemporaryFolder()
        let plain = try await Recording.read(Fixtures.url(name))
        let rate = Int64(plain.format.sampleRate)
        let shifted = pages.shifted { $0 >= 3 ? rate / 2 : 0 }
        let recording = try await Recording.read(folder.write(shifted.bytes, as: "gap-\(name)"))
        #expect(recording.interleaved == plain.interleaved)
        let jumps = zip(recording.blocks, recording.blocks.dropFirst())
            .map { ($1.time - ($0.time + $0.buffer.duration)).seconds }
            .filter { $0 != 0 }
        #expect(jumps == [0.5])
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
        // The end stays where it was, but for the packet that misses the one before it.
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
}
