import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
@testable import EarshotMusic
@testable import EarshotStations
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Stations whose source falls silent")
struct StationLossTests {
    /// A station of which the test gives each second of audio and moves the clock.
    private final class Studio: Sendable {
        private struct Source: AudioSource {
            typealias Element = AudioBlock
            let blocks: AsyncStream<AudioBlock>

            struct Iterator: AsyncIteratorProtocol {
                var base: AsyncStream<AudioBlock>.Iterator
                mutating func next() async throws -> AudioBlock? { await base.next(isolation: #isolation) }
            }

            func makeAsyncIterator() -> Iterator { Iterator(base: blocks.makeAsyncIterator()) }
        }

        let clock = ManualClock()
        let store = MemoryPlaylogStore()
        let monitor: StationMonitor
        private let events = Mutex<[StationEvent.Content]>([])
        private let sent = Mutex(0.0)
        private let feed: AsyncStream<AudioBlock>.Continuation

        init() async throws {
            let clock = clock
            monitor = StationMonitor(
                store: store,
                clock: clock.clock,
                now: { StationSound.evening.addingTimeInterval(clock.now.seconds) }
            )
            let (blocks, feed) = AsyncStream.makeStream(of: AudioBlock.self)
            self.feed = feed
            let stream = monitor.events(levels: false)
            Task { [weak self] in for await event in stream { self?.events.withLock { $0.append(event.content) } } }
            try await monitor.add(
                Station(channel: StationSound.channel, catalog: try StationSound.whole.get()) {
                    Source(blocks: blocks)
                }
            )
        }

        var statistics: StationStatistics { monitor.statistics(of: "one") ?? StationStatistics() }

        /// Whether the source was told to be silent.
        var isSilent: Bool { events.withLock { $0.contains { if case .silent = $0 { true } else { false } } } }

        /// Waits for something that follows by itself.
        func wait(_ isThere: () async throws -> Bool) async throws {
            while try await !isThere() { try await Task.sleep(for: .milliseconds(2)) }
        }

        /// Sends audio as it comes from a server: a second each second, or all at once.
        func send(_ name: String, _ range: Range<Int>, atOnce: Bool = false) async throws {
            for second in range {
                if !atOnce { clock.advance(by: 1) }
                let samples = StationSound.song(name, Double(second)..<Double(second + 1))
                let time = MediaTime(seconds: sent.withLock(\.self), preferredTimescale: 16_000)
                feed.yield(AudioBlock(AudioBuffer(samples, sampleRate: StationSound.rate), at: time))
                let end = sent.withLock { sent in
                    sent += 1
                    return sent
                }
                try await wait { statistics.audio > end - 0.01 }
            }
        }

        /// Lets time pass, in steps that a task that sleeps can follow.
        func pass(_ seconds: Double) async throws {
            for _ in 0..<Int(seconds * 2) {
                clock.advance(by: 0.5)
                try await Task.sleep(for: .milliseconds(4))
            }
        }

        func gaps() async throws -> [StreamGap] { try await store.gaps(PlayQuery(), after: nil, limit: 9).items }
        func records() async throws -> [PlayRecord] { try await store.records(PlayQuery(), after: nil, limit: 9).items }
        func events(_ name: PlayEvent) async throws -> [PlayChange] {
            try await store.changes(after: 0, limit: 500).changes.filter { $0.event == name }
        }
    }

    private func seconds(_ date: Date?) -> Double { date?.timeIntervalSince(StationSound.evening) ?? -1 }

    @Test("A source that stays open and gives nothing is lost: the log has the gap and until when the play was heard")
    func silent() async throws {
        let studio = try await Studio()
        try await studio.send("amber", 0..<30)
        #expect(studio.statistics.isLive && studio.statistics.lostSince == nil)
        try await studio.pass(4.5)
        try await studio.wait { try await !studio.gaps().isEmpty }
        #expect(studio.isSilent && !studio.statistics.isLive)
        #expect(abs(seconds(studio.statistics.lostSince) - 30) < 0.1)
        let gap = try #require(try await studio.gaps().first)
        #expect(abs(seconds(gap.start) - 30) < 0.1 && gap.end == nil && gap.reason == .streamLost)
        #expect(try await studio.events(.streamLost).count == 1)
        let play = try #require(try await studio.store.openRecords().first)
        #expect(play.referenceID == "amber" && seconds(play.end) > 24 && seconds(play.end) < 30.1)
        try await studio.monitor.stop()
    }

    @Test("A play goes on as the same one when the source speaks again within the time that a break may last")
    func back() async throws {
        let studio = try await Studio()
        try await studio.send("amber", 0..<30)
        try await studio.pass(20)
        try await studio.wait { studio.isSilent }
        // The station went on meanwhile.
        try await studio.send("amber", 50..<75)
        #expect(studio.statistics.isLive)
        try await studio.wait { studio.statistics.lostSince == nil }
        try await studio.monitor.stop(finish: true)
        let plays = try await studio.records()
        #expect(plays.map(\.referenceID) == ["amber"] && plays.map(\.state) == [.final])
        let play = try #require(plays.first)
        #expect(seconds(play.end) > 70 && play.playedDuration < 58)
        let gaps = try await studio.gaps()
        #expect(gaps.count == 1 && abs(seconds(gaps.first?.start) - 30) < 0.1)
        #expect(abs(seconds(gaps.first?.end) - 50) < 0.6)
        #expect(try await studio.events(.streamBack).count == 1)
    }

    @Test("A play whose source stays silent ends at the last audio, because the stream was lost")
    func ended() async throws {
        let studio = try await Studio()
        try await studio.send("amber", 0..<30)
        try await studio.pass(130)
        try await studio.wait { try await studio.records().first?.state == .final }
        let play = try #require(try await studio.records().first)
        #expect(play.endReason == .streamLost && abs(seconds(play.end) - 30) < 1.5)
        #expect(try await studio.gaps().map(\.end) == [nil])
        try await studio.monitor.stop()
    }

    @Test("Audio that was only late leaves a gap without length")
    func late() async throws {
        let studio = try await Studio()
        try await studio.send("amber", 0..<30)
        try await studio.pass(8)
        try await studio.wait { studio.isSilent }
        // What the network held back comes at once, and then the stream goes on.
        try await studio.send("amber", 30..<38, atOnce: true)
        try await studio.send("amber", 38..<50)
        try await studio.monitor.stop(finish: true)
        #expect(try await studio.records().map(\.referenceID) == ["amber"])
        let gap = try #require(try await studio.gaps().first)
        #expect(gap.end == gap.start)
    }
}
