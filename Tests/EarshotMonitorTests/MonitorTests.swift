@testable import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMonitor

/// A service that answers what it is told to, and counts who asks.
final class CountingService: RecognitionService {
    private struct State {
        var broadcasts = 0
        var musicQueries: [Signature] = []
    }

    private let state = Mutex(State())
    private let answer: BroadcastAnswer
    private let musicAnswer: [MusicMatch]

    init(_ answer: BroadcastAnswer = BroadcastAnswer(), music: [MusicMatch] = []) {
        self.answer = answer
        musicAnswer = music
    }

    var broadcasts: Int { state.withLock { $0.broadcasts } }
    var music: Int { musicQueries.count }
    /// What was asked about music, in order.
    var musicQueries: [Signature] { state.withLock { $0.musicQueries } }

    func recognizeBroadcast(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> BroadcastAnswer
    {
        state.withLock { $0.broadcasts += 1 }
        return answer
    }

    func recognize(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> [MusicMatch]
    {
        state.withLock { $0.musicQueries.append(query.signature) }
        return musicAnswer
    }

    func search(_ query: MusicQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch] {
        []
    }
    func search(_ query: LyricQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch] {
        []
    }
    func track(_ id: EntityID<Track>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch? {
        nil
    }
    func album(_ id: EntityID<Album>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch? {
        nil
    }
    func content(at address: String) async throws(EarshotError) -> ContentAnswer { ContentAnswer(status: 404) }
}

@Suite("A monitor")
struct MonitorTests {
    private func monitor(
        _ local: MonitorEngine.LocalLookup? = { _ in .success([.work("film")]) },
        service: (any RecognitionService)? = nil,
        options: Monitor.Options = Monitor.Options()
    ) throws -> Monitor {
        try Monitor(registration: .local, local: local, service: service, options: options)
    }

    /// Waits until something holds; a machine may be slow, so it waits long.
    private func eventually(_ body: () async -> Bool) async -> Bool {
        for _ in 0..<3_000 {
            if await body() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test("It is made with a registration for monitoring", .requirements("R-ACR-021"))
    func registration() throws {
        _ = try Monitor(registration: .local, store: nil, service: nil)
        let music = Registration(modules: [.music], service: "http://example.com", client: "1", user: "u.s")
        #expect(code { _ = try Monitor(registration: music, store: nil, service: nil) } == .registrationMismatch)
    }

    @Test(
        "Nothing goes in before the start, nor after the stop",
        .requirements("R-ACR-023", "R-ACR-051", "R-ACR-106", "R-ACR-195")
    )
    func life() throws {
        let monitor = try monitor()
        #expect(monitor.state == .created)
        #expect(code { try monitor.start() } == .notStarted)
        #expect(code { try monitor.submit([0, 0] as [UInt8]) } == .notStarted)
        #expect(code { try monitor.lookUpNow() } == .notStarted)
        try monitor.initializeAudio()
        #expect(monitor.state == .ready)
        #expect(code { try monitor.submit(Data([0, 0])) } == .notStarted)
        try monitor.start()
        #expect(monitor.state == .running)
        try monitor.submit(Data())
        try monitor.submit(Data([1]))
        #expect(code { try monitor.initializeAudio() } == .configurationInvalid)
        monitor.stop()
        #expect(monitor.state == .stopped)
        #expect(code { try monitor.submit(noise(1)) } == .notStarted)
        #expect(code { try monitor.initializeAudio(AudioConfiguration(channels: 3)) } == .audioFormatInvalid)
    }

    @Test(
        "Receivers are told of their own kind, off the main thread, and once of the audio's start",
        .requirements("R-ACR-022", "R-ACR-026", "R-ACR-072")
    )
    func receivers() async throws {
        final class Receiver: MonitorStatusReceiver, MonitorResultReceiver {
            let kinds = Mutex<[StatusEvent.Kind]>([])
            let results = Mutex<[MonitorResult]>([])
            let wasOnMain = Mutex(false)

            func monitor(_ monitor: Monitor, didReport event: StatusEvent) {
                kinds.withLock { $0.append(event.kind) }
                if MainQueue.isCurrent { wasOnMain.withLock { $0 = true } }
            }

            func monitor(_ monitor: Monitor, didRecognize result: MonitorResult) {
                results.withLock { $0.append(result) }
                if MainQueue.isCurrent { wasOnMain.withLock { $0 = true } }
            }
        }
        let receiver = Receiver()
        let monitor = try monitor()
        monitor.setStatusReceiver(receiver)
        monitor.setResultReceiver(receiver)
        try monitor.initializeAudio()
        try monitor.start()
        try monitor.start()
        try monitor.submit(noise(7))
        #expect(await eventually { receiver.results.withLock { !$0.isEmpty } })
        monitor.stop()
        monitor.stop()
        #expect(await eventually { receiver.kinds.withLock { $0.contains(.audioStopped) } })
        #expect(receiver.kinds.withLock { $0.filter { $0 == .audioStarted } }.count == 1)
        #expect(receiver.results.withLock { $0.count } == 1)
        #expect(!receiver.wasOnMain.withLock { $0 })
    }

    @Test("A stop drops what is under way", .requirements("R-ACR-024"))
    func stopping() async throws {
        let gate = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        let monitor = try monitor { _ in
            began.signal()
            gate.wait()
            return .success([.work("film")])
        }
        let results = monitor.results
        try monitor.initializeAudio()
        try monitor.start()
        try monitor.submit(noise(7))
        let count = Mutex(0)
        let reader = Task { for await _ in results { count.withLock { $0 += 1 } } }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                began.wait()
                continuation.resume()
            }
        }
        monitor.stop()
        gate.signal()
        // A second run gives a result, and it is the first.
        try monitor.start()
        try monitor.submit(noise(7))
        gate.signal()
        #expect(await eventually { count.withLock { $0 == 1 } })
        reader.cancel()
    }

    @Test("A receiver that is behind is told nothing after a stop but its last words", .requirements("R-ACR-024"))
    func stoppedReceiver() async throws {
        final class Receiver: MonitorStatusReceiver, MonitorResultReceiver {
            let kinds = Mutex<[StatusEvent.Kind]>([])
            let results = Mutex(0)
            let gate = DispatchSemaphore(value: 0)
            func monitor(_ monitor: Monitor, didReport event: StatusEvent) {
                let isFirst = kinds.withLock { kinds in
                    kinds.append(event.kind)
                    return kinds.count == 1
                }
                if isFirst { gate.wait() }
            }
            func monitor(_ monitor: Monitor, didRecognize result: MonitorResult) { results.withLock { $0 += 1 } }
        }
        let receiver = Receiver()
        let number = Mutex(0)
        let monitor = try monitor { _ in
            number.withLock { $0 += 1 }
            return .success([.work("film")])
        }
        monitor.properties.onlineInterval = 0
        monitor.setStatusReceiver(receiver)
        monitor.setResultReceiver(receiver)
        try monitor.initializeAudio()
        try monitor.start()
        // Two results and all that goes with them wait behind the first call, and a third lookup is under way.
        for round in 0..<3 {
            try monitor.submit(noise(6.5, seed: UInt64(round)))
            #expect(await eventually { number.withLock { $0 == round + 1 } })
            if round < 2 { try monitor.lookUpNow() }
        }
        monitor.stop()
        receiver.gate.signal()
        await monitor.settled()
        #expect(receiver.kinds.withLock { $0.dropFirst() } == [.audioStopped])
        #expect(receiver.results.withLock { $0 } == 0)
        // A run that follows at once takes nothing from the last words, and says its own.
        try monitor.start()
        try monitor.submit(noise(1))
        await monitor.settled()
        #expect(receiver.kinds.withLock { $0.contains(.audioStarted) })
        monitor.stop()
    }

    @Test("An ingest through a monitor is told as it goes, up to the size of the bundle", .requirements("R-ACR-139"))
    func ingest() async throws {
        final class Receiver: MonitorStatusReceiver {
            let counts = Mutex<[Double]>([])
            func monitor(_ monitor: Monitor, didReport event: StatusEvent) {
                if event.kind == .ingestProgress { counts.withLock { $0.append(event.value) } }
            }
        }
        try await withTemporaryFolder { folder in
            let monitor = try monitor()
            let receiver = Receiver()
            monitor.setStatusReceiver(receiver)
            let file = folder.appendingPathComponent("a.earbundle")
            let bytes = try BundleSamples.full()
            try Data(bytes).write(to: file)
            let store = BundleStore(folder: folder.appendingPathComponent("store"))
            let report = try await monitor.ingest(try FileBundleSource(file), into: store)
            await monitor.settled()
            let counts = receiver.counts.withLock { $0 }
            #expect(counts == counts.sorted() && counts.last == Double(bytes.count))
            #expect(report.byteCount == bytes.count)
        }
    }

    @Test("Two monitors go their own ways at the same time", .requirements("R-ACR-027"))
    func independence() async throws {
        final class Seen: Sendable {
            let queries = Mutex<[String: [MediaTime]]>([:])
            let titles = Mutex<[String: [String]]>([:])
        }
        // On a clock that stands still no pause between two blocks is one of the audio.
        let (seen, clock) = (Seen(), ManualClock())
        func named(_ name: String) throws -> Monitor {
            try monitor(
                { signature in
                    seen.queries.withLock { $0[name, default: []].append(signature.duration) }
                    return .success([.work(name)])
                },
                options: .init(clock: clock.clock)
            )
        }
        func read(_ results: MonitorEvents<MonitorResult>, _ name: String) -> Task<Void, Never> {
            Task {
                for await result in results {
                    seen.titles.withLock { $0[name, default: []] += result.matches.compactMap(\.title) }
                }
            }
        }
        let (first, second) = (try named("a"), try named("b"))
        second.properties.optimization = .speed
        let readers = [read(first.results, "a"), read(second.results, "b")]
        let audio = [noise(7, seed: 1), noise(7, seed: 2)]
        for monitor in [first, second] {
            monitor.properties.onlineInterval = 0
            try monitor.initializeAudio(AudioConfiguration(sampleRate: 8_000))
            try monitor.start()
        }
        // In turns, a second each.
        for place in stride(from: 0, to: audio[0].frameCount, by: 16_000) {
            try first.submit(audio[0].frames(place..<place + 16_000))
            try second.submit(audio[1].frames(place..<place + 16_000))
        }
        #expect(await eventually { seen.titles.withLock { $0.count == 2 } })
        for monitor in [first, second] {
            await monitor.settled()
            monitor.stop()
        }
        #expect(seen.titles.withLock { $0 } == ["a": ["a"], "b": ["b"]])
        let lengths = [MediaTime(value: 6, timescale: 1), MediaTime(value: 7, timescale: 2)]
        #expect(seen.queries.withLock { $0 } == ["a": [lengths[0]], "b": [lengths[1]]])
        #expect(first.properties.optimization == .accuracy)
        readers.forEach { $0.cancel() }
    }

    @Test("Audio is taken while nobody looks at it, and the oldest is dropped", .requirements("R-ACR-052", "R-ACR-053"))
    func overload() async throws {
        let gate = DispatchSemaphore(value: 0)
        let monitor = try monitor()
        let statuses = monitor.statuses
        try monitor.initializeAudio()
        try monitor.start()
        monitor.engine.hold { gate.wait() }
        // The queue stands still: fourteen seconds are handed in all the same.
        for second in 0..<14 { try monitor.submit(noise(1, seed: UInt64(second))) }
        gate.signal()
        var gap: StatusEvent?
        for await event in statuses where event.kind == .audioGap {
            gap = event
            break
        }
        #expect(gap?.value == 4_000)
        monitor.stop()
    }

    @Test("Bytes that were handed in are the app's as before", .requirements("R-ACR-054", "R-ACR-049"))
    func ownership() throws {
        let bytes = Data((0..<44_100).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let before = bytes
        let monitor = try monitor()
        try monitor.initializeAudio()
        try monitor.start()
        try monitor.submit(bytes)
        #expect(bytes == before)
        monitor.stop()
    }

    @Test(
        "A receiver that is blocked for 30 s gets every result in order, and makes no audio go missing",
        .requirements("R-ACR-070", "R-ACR-073")
    )
    func slowReceiver() async throws {
        final class Sleeper: MonitorResultReceiver {
            let titles = Mutex<[String]>([])
            let begun = Mutex(0)
            let gate = DispatchSemaphore(value: 0)
            func monitor(_ monitor: Monitor, didRecognize result: MonitorResult) {
                let isFirst = begun.withLock { begun in
                    begun += 1
                    return begun == 1
                }
                if isFirst { gate.wait() }
                titles.withLock { $0.append(result.matches.first?.title ?? "") }
            }
        }
        let (sleeper, clock) = (Sleeper(), ManualClock())
        let number = Mutex(0)
        let monitor = try monitor(
            { _ in
                let title = number.withLock { number in
                    number += 1
                    return "\(number)"
                }
                return .success([.work(title)])
            },
            options: .init(clock: clock.clock)
        )
        let gaps = Mutex(0)
        let statuses = monitor.statuses
        let reader = Task { for await event in statuses where event.kind == .audioGap { gaps.withLock { $0 += 1 } } }
        monitor.setResultReceiver(sleeper)
        monitor.properties.onlineInterval = 0
        try monitor.initializeAudio()
        try monitor.start()
        // The first round ends with the receiver in its call; the others take more than 30 s.
        var blockedAt = MediaTime.zero
        for round in 0..<6 {
            let audio = noise(6.5, seed: UInt64(round))
            for first in stride(from: 0, to: audio.frameCount, by: audio.sampleRate) {
                let block = audio.frames(first..<min(first + audio.sampleRate, audio.frameCount))
                clock.advance(by: block.duration.seconds)
                try monitor.submit(block)
                await monitor.engine.waitForRoom()
            }
            #expect(await eventually { number.withLock { $0 == round + 1 } })
            if round == 0 {
                #expect(await eventually { sleeper.begun.withLock { $0 == 1 } })
                blockedAt = clock.now
            }
            if round < 5 { try monitor.lookUpNow() }
        }
        #expect((clock.now - blockedAt).seconds >= 30)
        #expect(sleeper.titles.withLock { $0.isEmpty } && sleeper.begun.withLock { $0 == 1 })
        sleeper.gate.signal()
        // What is still to be handed out at a stop is dropped, so that comes later.
        await monitor.settled()
        monitor.stop()
        #expect(sleeper.titles.withLock { $0 } == ["1", "2", "3", "4", "5", "6"])
        #expect(gaps.withLock { $0 } == 0)
        reader.cancel()
    }

    @Test(
        "A reader may be slow: levels give way to later ones, all else waits",
        .requirements("R-ACR-070", "R-ACR-069")
    )
    func mailbox() async {
        let mailbox = EventMailbox<StatusEvent> { $0.kind.isLevel && $0.kind == $1.kind }
        for second in 0..<30 {
            mailbox.append(StatusEvent(.audioLevel, value: Double(second)))
            if second % 10 == 0 { mailbox.append(StatusEvent(.match, value: Double(second))) }
            // A kind that this version does not have is passed on like any other.
            if second == 15 { mailbox.append(StatusEvent(.init(rawValue: "lateNews"))) }
        }
        mailbox.finish()
        var seen: [(String, Double)] = []
        while let event = await mailbox.next() { seen.append((event.kind.rawValue, event.value)) }
        #expect(seen.filter { $0.0 == "match" }.map(\.1) == [0, 10, 20])
        #expect(seen.filter { $0.0 == "audioLevel" }.map(\.1) == [29])
        #expect(seen.contains { $0.0 == "lateNews" })
        #expect(!StatusEvent.Kind.all.contains(.init(rawValue: "lateNews")))
    }

    @Test("The service is asked when the store has nothing, and answers with what it knows")
    func service() async throws {
        let service = CountingService(.archive("film"))
        let monitor = try monitor({ _ in .success([]) }, service: service)
        let results = monitor.results
        try monitor.initializeAudio()
        try monitor.start()
        try monitor.submit(noise(7))
        var iterator = results.makeAsyncIterator()
        let result = await iterator.next()
        #expect(result?.source == .archive)
        #expect(result?.matches.first?.work?.id == "film")
        #expect(service.broadcasts == 1)
        monitor.stop()
    }

    @Test(
        "Nobody is asked about music unless that is wanted, and then once in 30 s, with the audio before that",
        .requirements("R-ACR-118", "R-ACR-117")
    )
    func automaticMusic() async throws {
        final class Receiver: MonitorStatusReceiver {
            let moments = Mutex(0)
            func monitor(_ monitor: Monitor, didReport event: StatusEvent) {
                if event.kind == .music { moments.withLock { $0 += 1 } }
            }
        }
        let (clock, receiver) = (ManualClock(), Receiver())
        let (service, other) = (CountingService(), CountingService())
        let music = SyntheticMusic(seed: 5, duration: 40).buffer()
        let plain = try monitor({ _ in .success([]) }, service: service, options: .init(clock: clock.clock))
        let asking = try monitor(
            { _ in .success([]) },
            service: service,
            options: .init(clock: clock.clock, musicService: other)
        )
        asking.setStatusReceiver(receiver)
        for monitor in [plain, asking] {
            try monitor.initializeAudio()
            try monitor.start()
        }
        // The times at which a question came, and how often one might have come.
        var (times, moments): ([Double], [Int]) = ([], [])
        for second in 0..<100 {
            clock.advance(by: 1)
            let first = second % 40 * 16_000
            for monitor in [plain, asking] {
                try monitor.submit(music.frames(first..<first + 16_000))
                await monitor.engine.settleMusic()
            }
            await asking.settled()
            if other.music > times.count {
                times += [Double](repeating: clock.now.seconds, count: other.music - times.count)
                moments.append(receiver.moments.withLock { $0 })
            }
        }
        #expect(times.count >= 3)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 30 }, "\(times)")
        // Music was heard all the time between two questions.
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 10 }, "\(moments)")
        #expect(service.music == 0)
        // All of a question was heard before the event that it was made on.
        for (query, time) in zip(other.musicQueries, times) {
            #expect(query.duration.seconds >= 2.9 && query.duration.seconds <= time, "\(query.duration)")
        }
        plain.stop()
        asking.stop()
    }

    @Test("The guide warns of short intervals, with their figures", .requirements("R-ACR-041", "R-ACR-072"))
    func guide() throws {
        let page = try String(contentsOf: packageFolder.appendingPathComponent("Docs/monitor.md"), encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Each figure with its reason.
        for words in [
            "An online interval of about 10 s or less asks without pause, because a fingerprint and its answer take about as long",
            "The same holds for a local interval of about 7 s or less.",
            "An online interval below 60 s loads a service so much that its operator has to agree.",
        ] { #expect(page.contains(words), "\(words)") }
        #expect(page.contains("off the main thread"))
    }
}
