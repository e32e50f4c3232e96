import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
@testable import EarshotStations
import Foundation
import Synchronization
import TestSupport
import Testing

/// Audio that is there at once.
struct StationSource: AudioSource {
    typealias Element = AudioBlock
    var samples: [Float]
    var failure: EarshotError?
    /// Whether it waits at its end until its task is canceled.
    var waits = false
    var first = 0.0

    struct Iterator: AsyncIteratorProtocol {
        let source: StationSource
        var place = 0

        mutating func next() async throws -> AudioBlock? {
            guard place < source.samples.count else {
                if let failure = source.failure { throw failure }
                while source.waits, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
                return nil
            }
            let part = Array(source.samples[place..<Swift.min(source.samples.count, place + 16_000)])
            let time = MediaTime(seconds: source.first + Double(place) / 16_000, preferredTimescale: 16_000)
            place += part.count
            return AudioBlock(AudioBuffer(part, sampleRate: 16_000), at: time)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }
}

@Suite("Station monitors")
struct StationMonitorTests {
    private static let options: StationTracker.Options = {
        var options = StationTracker.Options()
        options.dates = .since(StationSound.evening)
        return options
    }()

    private func station(
        _ name: String,
        isFinite: Bool = true,
        open: @escaping @Sendable () async throws -> any AudioSource
    ) throws -> Station {
        Station(
            channel: PlayChannel(id: EntityID(name), name: name),
            catalog: try StationSound.whole.get(),
            options: Self.options,
            isFinite: isFinite,
            open: open
        )
    }

    /// Lets a clock run, a second every two milliseconds.
    private func walk(_ clock: ManualClock) -> Task<Void, any Error> {
        Task {
            while !Task.isCancelled {
                clock.advance(by: 1)
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    private func ends(of count: Int, in events: AsyncStream<StationEvent>) async -> Int {
        var ended = 0
        for await event in events {
            if case .ended = event.content { ended += 1 }
            if ended == count { break }
        }
        return ended
    }

    @Test("Twenty stations at once each have their own log, and one that fails at first does not hold up the others")
    func many() async throws {
        let store = MemoryPlaylogStore()
        let clock = ManualClock()
        let monitor = StationMonitor(store: store, clock: clock.clock, now: { StationSound.evening })
        let events = monitor.events()
        let attempts = Mutex(0)
        let samples = StationSound.silence(2) + StationSound.song("amber", 0..<30)
        for number in 0..<20 {
            try await monitor.add(
                station("s\(number)", isFinite: number != 3) {
                    if number == 3,
                        attempts.withLock({ attempts in
                            attempts += 1; return attempts < 3
                        })
                    {
                        throw EarshotError(.networkUnavailable, "Nobody answers: wait.")
                    }
                    return StationSource(samples: samples, waits: number == 3)
                }
            )
        }
        #expect(monitor.stations.count == 20)
        let walker = walk(clock)
        #expect(await ends(of: 19, in: events) == 19)
        while monitor.statistics(of: "s3")?.audio ?? 0 < 31.9 { try await Task.sleep(for: .milliseconds(5)) }
        walker.cancel()
        let figures = try #require(monitor.statistics(of: "s3"))
        #expect(figures.reconnects == 2 && abs(figures.audio - 32) < 0.1)
        #expect(figures.processor > 0)
        try await monitor.stop(finish: true)
        for number in 0..<20 {
            let page = try await store.records(PlayQuery(channels: [EntityID("s\(number)")]), after: nil, limit: 9)
            #expect(page.items.map(\.referenceID) == ["amber"] && page.items.map(\.state) == [.final])
        }
        let error = await #expect(throws: EarshotError.self) {
            try await monitor.add(station("late") { StationSource(samples: []) })
        }
        #expect(error?.code == .configurationInvalid)
    }

    @Test("A log that fails for a while gets everything later")
    func failingLog() async throws {
        let store = FailingPlaylogStore()
        let clock = ManualClock()
        let monitor = StationMonitor(store: store, clock: clock.clock, now: { StationSound.evening })
        let events = monitor.events()
        let samples = StationSound.song("amber", 0..<30)
        try await monitor.add(station("one") { StationSource(samples: samples) })
        store.isAway.withLock { $0 = true }
        let walker = walk(clock)
        var failures = 0
        for await event in events {
            if case .writeFailed(let error, let waiting) = event.content, waiting > 0 {
                #expect(error.code == .storeUnavailable)
                failures += 1
            }
            if failures == 3 { break }
        }
        walker.cancel()
        let error = await #expect(throws: EarshotError.self) { try await monitor.remove("one") }
        #expect(error?.code == .storeUnavailable)
        store.isAway.withLock { $0 = false }
        try await monitor.stop()
        let page = try await store.records(PlayQuery(), after: nil, limit: 9)
        #expect(page.items.map(\.state) == [.final])
    }

    @Test("A source that breaks off is opened again, and the plays go on")
    func reconnect() async throws {
        let store = MemoryPlaylogStore()
        let clock = ManualClock()
        let monitor = StationMonitor(store: store, clock: clock.clock, now: { StationSound.evening })
        let attempts = Mutex(0)
        let halves = [StationSound.song("amber", 0..<40), StationSound.song("amber", 40..<80)]
        try await monitor.add(
            station("one", isFinite: false) {
                let attempt = attempts.withLock { attempts in
                    attempts += 1; return attempts
                }
                let failure = attempt == 1 ? EarshotError(.readFailed, "It broke off.") : nil
                return StationSource(samples: halves[min(attempt, 2) - 1], failure: failure, waits: attempt > 1)
            }
        )
        let walker = walk(clock)
        while monitor.statistics(of: "one")?.audio ?? 0 < 79.9 { try await Task.sleep(for: .milliseconds(5)) }
        walker.cancel()
        try await monitor.stop(finish: true)
        let page = try await store.records(PlayQuery(), after: nil, limit: 9)
        #expect(page.items.map(\.referenceID) == ["amber"])
        #expect((page.items.first?.playedDuration ?? 0) > 78)
        #expect(try await store.gaps(PlayQuery(), after: nil, limit: 9).items.count == 1)
    }

    @Test("A finite source that fails is not opened again: its station is over, with the error, and its play was lost")
    func finiteFailure() async throws {
        let store = MemoryPlaylogStore()
        let clock = ManualClock()
        let monitor = StationMonitor(store: store, clock: clock.clock, now: { StationSound.evening })
        let events = monitor.events()
        let attempts = Mutex(0)
        let samples = StationSound.song("amber", 0..<40)
        try await monitor.add(
            station("one") {
                attempts.withLock { $0 += 1 }
                return StationSource(samples: samples, failure: EarshotError(.readFailed, "It broke off."))
            }
        )
        var failure: EarshotError?
        for await event in events {
            guard case .ended(let error) = event.content else { continue }
            failure = error
            break
        }
        try await monitor.stop()
        #expect(failure?.code == .readFailed && attempts.withLock { $0 } == 1)
        let page = try await store.records(PlayQuery(), after: nil, limit: 9)
        #expect(page.items.map(\.referenceID) == ["amber"] && page.items.map(\.state) == [.final])
        #expect(page.items.map(\.endReason) == [.streamLost])
    }

    @Test("A monitor that is stopped and started goes on with the record of the last one")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stations-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let states = try FileStationStateStore(folder: folder)
        let store = MemoryPlaylogStore()
        let song = StationSound.song("birch")
        let first = StationMonitor(store: store, states: states)
        var events = first.events()
        try await first.add(
            station("Käfer/1", isFinite: false) { StationSource(samples: Array(song[..<640_000]), waits: true) }
        )
        for await event in events { if case .playStarted = event.content { break } }
        while first.statistics(of: "Käfer/1")?.audio ?? 0 < 40 { try await Task.sleep(for: .milliseconds(5)) }
        try await first.stop()
        let open = try await store.openRecords()
        #expect(open.map(\.referenceID) == ["birch"])
        let second = StationMonitor(store: store, states: states)
        events = second.events()
        try await second.add(station("Käfer/1") { StationSource(samples: Array(song[640_000...])) })
        _ = await ends(of: 1, in: events)
        try await second.stop()
        let page = try await store.records(PlayQuery(), after: nil, limit: 9)
        #expect(page.items.map(\.id) == open.map(\.id) && page.items.map(\.state) == [.final])
        #expect((page.items.first?.playedDuration ?? 0) > 78)
        #expect(try states.load("Käfer/1") == nil)
    }

    @Test("Of a station that begins anew with each run no state is kept, and its end is waited for")
    func stateless() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stations-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let states = try FileStationStateStore(folder: folder)
        let store = MemoryPlaylogStore()
        let samples = StationSound.song("birch", 0..<40)
        var first = try station("one", isFinite: false) { StationSource(samples: samples, waits: true) }
        first.keepsState = false
        let monitor = StationMonitor(store: store, states: states)
        let levels = Mutex(0)
        let reader = Task { [events = monitor.events(levels: false)] in
            for await event in events { if case .level = event.content { levels.withLock { $0 += 1 } } }
        }
        try await monitor.add(first)
        while monitor.statistics(of: "one")?.audio ?? 0 < 39.9 { try await Task.sleep(for: .milliseconds(5)) }
        try await monitor.stop()
        await reader.value
        #expect(try states.load("one") == nil && levels.withLock { $0 } == 0)
        let open = try await store.openRecords()
        #expect(open.count == 1)

        let second = StationMonitor(store: store, states: states)
        var whole = try station("one") { StationSource(samples: samples) }
        whole.keepsState = false
        try await second.add(whole)
        try await second.add(
            station("two") { throw EarshotError(.assetUnreadable, "There is nothing.") }
        )
        let errors = await second.untilOver()
        #expect(errors.mapValues(\.code) == ["two": .assetUnreadable])
        try await second.stop()
        let page = try await store.records(PlayQuery(), after: nil, limit: 9)
        #expect(page.items.map(\.id) == open.map(\.id) && page.items.map(\.state) == [.final])
    }

    @Test("A state that cannot be read is told, and the station begins anew")
    func damaged() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stations-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let states = try FileStationStateStore(folder: folder)
        try states.save(Data("{}".utf8), of: "one")
        let monitor = StationMonitor(store: MemoryPlaylogStore(), states: states)
        let events = monitor.events()
        try await monitor.add(station("one") { StationSource(samples: StationSound.silence(1)) })
        var codes: [EarshotError.Code] = []
        for await event in events {
            if case .failed(let error) = event.content { codes.append(error.code) }
            if case .ended = event.content { break }
        }
        #expect(codes == [.storeDamaged])
        try await monitor.stop()
    }

    @Test("Pauses double up to a minute and begin anew")
    func pauses() {
        var backoff = StationRunner.backoff
        #expect((0..<8).map { _ in backoff.failed(random: 1).seconds } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(backoff.failed(random: 0).seconds == 48)
        backoff.reset()
        #expect(backoff.failed(random: 1).seconds == 1)
    }

    @Test("What waits for the log is the last word of each record, and finals outlast the rest")
    func outbox() {
        let outbox = PlaylogWriteQueue(capacity: 20)
        func play(_ number: Int, _ state: PlayState) -> PlayRecord {
            PlayRecord(
                channel: StationSound.channel,
                start: StationSound.evening.addingTimeInterval(Double(number)),
                referenceID: "amber",
                state: state
            )
        }
        outbox.add([.record(play(1, .provisional)), .record(play(2, .provisional)), .record(play(1, .final))])
        let batch = outbox.take()
        #expect(batch.records.map(\.state) == [.provisional, .final])
        outbox.add([.withdrawal(play(2, .provisional))])
        outbox.putBack(batch)
        #expect(outbox.count == 2)
        #expect(outbox.take().withdrawals == [play(2, .provisional).id])
        outbox.add((0..<12).map { .record(play($0, .final)) } + (12..<40).map { .record(play($0, .provisional)) })
        #expect(outbox.count <= 20 && outbox.takeDropped() == 0)
        #expect(outbox.take().records.count { $0.state == .final } == 12)
        outbox.add((0..<40).map { .record(play($0, .final)) })
        #expect(outbox.takeDropped() >= 20 && outbox.takeDropped() == 0)
    }
}
