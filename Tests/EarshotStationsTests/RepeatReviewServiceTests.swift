import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
@testable import EarshotStations
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Repeats and last hours of stations")
struct RepeatReviewServiceTests {
    private static let channel: EntityID<BroadcastChannel> = "one"
    private static let advert = SyntheticMusic(seed: 900, duration: 12).samples()

    /// A programme in which the advert is played at 20 and at 352 s, which is more than five minutes, and nothing else twice.
    private static let programme: [Float] = {
        let rate = StationSound.rate
        let music = (1...7).flatMap { SyntheticMusic(seed: UInt64($0), duration: 60).samples() }
        return Array(music[..<(20 * rate)]) + advert + Array(music[(20 * rate)..<(340 * rate)]) + advert
            + Array(music[(340 * rate)..<(380 * rate)])
    }()

    private static func feed(_ tap: any StationObserver, _ samples: [Float], from date: Date = StationSound.evening) {
        let size = StationSound.rate / 2
        for start in stride(from: 0, to: samples.count, by: size) {
            let part = Array(samples[start..<min(samples.count, start + size)])
            tap.hear(
                AudioBuffer(part, sampleRate: StationSound.rate),
                at: date.addingTimeInterval(Double(start) / Double(StationSound.rate)),
                of: channel
            )
        }
    }

    private static var options: RepeatReviewService.Options {
        var options = RepeatReviewService.Options()
        // Nearer than what is broadcast repeats.
        options.finding.leastDistance = MediaTime(value: 60, timescale: 1)
        return options
    }

    private func within(_ seconds: Double, _ body: () async throws -> Bool) async throws {
        while try await !body() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("What repeats is offered with a recording, and named it is a reference that is found, and offered no more")
    func naming() async throws {
        try await withTemporaryFolder { url in
            let folder = RepeatFolder(url.appendingPathComponent("repeats"))
            let desk = try RepeatReviewService(folder, options: Self.options)
            let catalogs = Mutex<[Catalog]>([])
            desk.onNaming { catalog in catalogs.withLock { $0.append(catalog) } }
            Self.feed(desk, Self.programme)
            await desk.finish()
            let offered = try folder.offered()
            let audio = try #require(offered.first)
            #expect(offered.count == 1)
            #expect(audio.count == 2)
            #expect(audio.channels == [Self.channel])
            #expect(abs(audio.length - 12) < 1)
            #expect(abs(audio.firstHeard.timeIntervalSince(StationSound.evening) - 20) < 1)
            #expect(abs(audio.lastHeard.timeIntervalSince(StationSound.evening) - 352) < 1)
            let clip = try #require(audio.clip)
            let wave = try Data(contentsOf: folder.url.appendingPathComponent(clip))
            #expect(abs(Double(wave.count - 44) / 32_000 - audio.length) < 0.1)
            // It is the advert: found by its own signature.
            let samples = stride(from: 44, to: wave.count - 1, by: 2).map { (place: Int) -> Float in
                let bits = UInt16(wave[place]) | (UInt16(wave[place + 1]) << 8)
                return Float(Int16(bitPattern: bits)) / 32_768
            }
            var known = Catalog()
            try known.add(Signature.of(Self.advert), representing: [], id: "advert")
            #expect(try known.match(Signature.of(samples))?.references.first?.id == "advert")

            #expect(throws: EarshotError.self) { try folder.leave(RepeatOrder(name: "repeat-99", title: "None")) }
            try folder.leave(RepeatOrder(name: audio.id, title: "Soap", kind: "advertisement"))
            desk.refresh()
            try await within(10) { try folder.offered().isEmpty }
            let catalog = try folder.catalog()
            #expect(catalog.count == 1)
            let reference = try #require(try catalog.reference(ReferenceID(audio.id)))
            #expect(reference.items.first?.title == "Soap")
            #expect(try catalog.match(Signature.of(Self.advert))?.references.first?.id == ReferenceID(audio.id))
            #expect(catalogs.withLock(\.count) == 1)
            #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(clip).path))
        }
    }

    @Test("An order that cannot be carried out for now stays, is told once, and is carried out later")
    func waitingOrder() async throws {
        try await withTemporaryFolder { url in
            let folder = RepeatFolder(url)
            let failures = Mutex<[EarshotError.Code]>([])
            let desk = try RepeatReviewService(folder, options: Self.options) { error in
                failures.withLock { $0.append(error.code) }
            }
            Self.feed(desk, Self.programme)
            await desk.finish()
            let id = try #require(try folder.offered().first?.id)
            try Data("no catalog".utf8).write(to: folder.catalogURL)
            try folder.leave(RepeatOrder(name: id, title: "Soap"))
            for _ in 0..<3 { desk.refresh() }
            await desk.finish()
            #expect(failures.withLock { $0.count } == 1)
            #expect(try folder.offered().count == 1)
            try FileManager.default.removeItem(at: folder.catalogURL)
            desk.refresh()
            await desk.finish()
            #expect(try folder.offered().isEmpty)
            #expect(try folder.catalog().count == 1)
        }
    }

    @Test("What plays explain is not offered, and what is dismissed is offered no more, over restarts too")
    func explained() async throws {
        try await withTemporaryFolder { url in
            let folder = RepeatFolder(url)
            let desk = try RepeatReviewService(folder, options: Self.options)
            // The first time is told to be a play while the pieces of it still wait.
            let start = StationSound.evening.addingTimeInterval(20)
            let play = PlayRecord(
                channel: PlayChannel(id: Self.channel),
                start: start,
                end: start.addingTimeInterval(12),
                referenceID: "advert"
            )
            desk.note(play, isWithdrawn: false)
            Self.feed(desk, Self.programme)
            await desk.finish()
            #expect(try folder.offered().isEmpty)

            let other = RepeatFolder(url.appendingPathComponent("other"))
            let first = try RepeatReviewService(other, options: Self.options)
            first.note(play, isWithdrawn: false)
            first.note(play, isWithdrawn: true)
            Self.feed(first, Self.programme)
            await first.finish()
            let id = try #require(try other.offered().first?.id)
            try other.leave(RepeatOrder(dismiss: id))
            // Nobody runs: the next one carries it out.
            let second = try RepeatReviewService(other, options: Self.options)
            #expect(second.offered.isEmpty)
            #expect(try other.offered().isEmpty)
            #expect(try other.catalog().isEmpty)
        }
    }

    @Test("Recordings keep within their limit on the disk")
    func limit() async throws {
        try await withTemporaryFolder { url in
            let folder = RepeatFolder(url)
            var options = Self.options
            options.clipBytes = 1_000
            let desk = try RepeatReviewService(folder, options: options)
            Self.feed(desk, Self.programme)
            await desk.finish()
            #expect(try folder.offered().map(\.clip) == [nil])
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent("clips").path)
            #expect(names ?? [] == [])
        }
    }

    @Test("The last hours of a station are kept, and found again after a restart")
    func lastHours() async throws {
        try await withTemporaryFolder { url in
            let hours = MediaTime(value: 7_200, timescale: 1)
            let shelf = LiveIndexRecorder(url, retention: hours, now: StationSound.evening)
            let music = SyntheticMusic(seed: 4, duration: 60).samples()
            Self.feed(shelf, music)
            await shelf.finish()
            let now = StationSound.evening.addingTimeInterval(120)
            let query = try Signature.of(Array(music[(20 * StationSound.rate)..<(28 * StationSound.rate)]))
            for index in [shelf.index, LiveIndexRecorder(url, retention: hours, now: now).index] {
                let match = try #require(try index.lookup(query, now: now).first)
                #expect(match.channel == Self.channel)
                #expect(abs(match.broadcast.timeIntervalSince(StationSound.evening) - 20) < 0.1)
            }
        }
    }
}
