import Dispatch
import EarshotCore
import EarshotMonitor
import EarshotMusic
@testable import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("A microphone, played by doubles")
struct MicrophoneTests {
    /// A second of stereo music, as a device gives it.
    private static let second = AudioBuffer(
        SyntheticMusic(seed: 3, duration: 1).samples(sampleRate: 44_100).flatMap { [$0, $0] },
        sampleRate: 44_100,
        channelCount: 2
    )

    /// What a microphone heard, until it ended.
    private func run(_ configuration: AudioConfiguration, _ backend: MicrophoneBackend) async throws -> Hearer {
        let microphone = Microphone(configuration, from: backend)
        let hearer = Hearer()
        microphone.add(hearer)
        let events = microphone.events
        try await microphone.start()
        _ = await events.untilEnd()
        return hearer
    }

    @Test("A second of sound is 44,100 frames, however the device cuts it", .requirements("R-ACR-095"))
    func lengths() async throws {
        for blockFrames in [441, 1_000, 44_100] {
            let backend = MicrophoneBackend.source(BlockSource(Self.second, blockFrames: blockFrames))
            let hearer = try await run(AudioConfiguration(), backend)
            #expect(hearer.byteCount == 88_200)
        }
    }

    @Test("Bytes come in whole frames", .requirements("R-ACR-096"), arguments: [1, 2])
    func frames(channels: Int) async throws {
        let configuration = AudioConfiguration(channels: channels)
        let backend = MicrophoneBackend.source(BlockSource(Self.second, blockFrames: 777))
        let hearer = try await run(configuration, backend)
        #expect(hearer.byteCount == 44_100 * 2 * channels)
        #expect(hearer.lengths.allSatisfy { $0.isMultiple(of: 2 * channels) && $0 > 0 })
    }

    @Test("A device that is not there is an error of the start", .requirements("R-ACR-097"))
    func absent() async throws {
        let device = CaptureDevice(id: "none", name: "None", system: .pulse, isDefault: false, server: "unix:/nowhere")
        let microphone = Microphone(from: .device(device))
        let error = await #expect(throws: EarshotError.self) { try await microphone.start() }
        #expect(error?.code == .microphoneUnavailable)
        #expect(error?.message.contains("None") == true)
        #expect(microphone.state == .stopped)
    }

    @Test("A refusal is an error with the reason, whoever refuses", .requirements("R-ACR-103"))
    func refused() async throws {
        struct Denied: Error, CustomStringConvertible { let description = "the user said no" }
        let own = EarshotError(.microphoneUnavailable, "The device may not be used (the user said no): allow it.")
        for refusal in [Denied(), own] as [any Error] {
            let microphone = Microphone(from: MicrophoneBackend { _ in throw refusal })
            let error = await #expect(throws: EarshotError.self) { try await microphone.start() }
            #expect(error?.code == .microphoneUnavailable)
            #expect(error?.message.contains("the user said no") == true)
        }
    }

    @Test("When stop returns, no receiver is being called, and none will be", .requirements("R-ACR-098"))
    func stopping() async throws {
        let log = Mutex<[String]>([])
        let microphone = Microphone(from: .source(EndlessSource(buffer: Self.second)))
        let stopped = AsyncStream.makeStream(of: Void.self)
        let begun = Mutex(false)
        let hearer = Hearer {
            // The first call is under way while another thread stops the microphone.
            let isFirst = begun.withLock { begun in
                defer { begun = true }
                return !begun
            }
            guard isFirst else { return log.withLock { $0.append("delivered") } }
            DispatchQueue.global().async {
                microphone.stop()
                log.withLock { $0.append("stopped") }
                stopped.continuation.finish()
            }
            Thread.sleep(forTimeInterval: 0.05)
            log.withLock { $0.append("delivered") }
        }
        microphone.add(hearer)
        try await microphone.start()
        for await _ in stopped.stream {}
        #expect(log.withLock { $0 } == ["delivered", "stopped"])
        let heard = hearer.byteCount
        for _ in 0..<1_000 { await Task.yield() }
        #expect(hearer.byteCount == heard)
        #expect(microphone.state == .stopped)
    }

    @Test("A receiver may stop the microphone that calls it, and it can be started again")
    func stoppingFromWithin() async throws {
        let holder = Mutex<Microphone?>(nil)
        let hearer = Hearer { holder.withLock { $0 }?.stop() }
        let late = Hearer()
        let microphone = Microphone(from: .source(EndlessSource(buffer: Self.second)))
        holder.withLock { $0 = microphone }
        microphone.add(hearer)
        microphone.add(late)
        for round in 1...3 {
            let events = microphone.events
            try await microphone.start()
            let all = await events.untilEnd()
            #expect(all.count == 2 && all.last == "ended", "\(all)")
            #expect(hearer.lengths.count == round)
        }
        #expect(late.lengths.isEmpty)
        holder.withLock { $0 = nil }
    }

    @Test("Whoever heard an earlier run is told that this one does not follow on it, however soon it begins")
    func startedAgain() async throws {
        let clock = ManualClock()
        let microphone = Microphone(from: .source(BlockSource(Self.second, blockFrames: 4_410)), clock: clock.clock)
        let early = Hearer()
        let late = Hearer()
        microphone.add(early)
        for round in 0..<3 {
            if round == 2 {
                microphone.add(late)
                clock.advance(by: 5)
            }
            let events = microphone.events
            try await microphone.start()
            _ = await events.untilEnd()
            #expect(early.gaps.count == round)
        }
        // Five seconds from the end of the second run to the end of the third's first block, which is 0.1 s.
        #expect(early.gaps.map(\.seconds) == [0.01, 4.9])
        #expect(late.gaps.isEmpty)
        #expect(late.byteCount == 88_200)
    }

    @Test("Stopped while it is being opened, it does not start")
    func stoppedEarly() async throws {
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        let (gate, door) = AsyncStream.makeStream(of: Void.self)
        let ended = Mutex(false)
        let microphone = Microphone(
            from: MicrophoneBackend { _ in
                opening.finish()
                for await _ in gate {}
                return .init(EndlessSource(buffer: Self.second), stop: { ended.withLock { $0 = true } })
            }
        )
        let starting = Task { () -> EarshotError.Code? in
            do throws(EarshotError) {
                try await microphone.start()
                return nil
            } catch {
                return error.code
            }
        }
        for await _ in opened {}
        #expect(microphone.state == .starting)
        microphone.stop()
        door.finish()
        #expect(await starting.value == .cancelled)
        #expect(ended.withLock { $0 })
        #expect(microphone.state == .stopped)
    }

    @Test("Receivers are never called on the main thread", .requirements("R-ACR-099"))
    @MainActor
    func background() async throws {
        // Started and stopped on the main actor, which would be the nearest to call them on.
        let microphone = Microphone(from: .source(BlockSource(Self.second, blockFrames: 441)))
        let hearer = Hearer()
        microphone.add(hearer)
        let events = microphone.events
        try await microphone.start()
        _ = await events.untilEnd()
        microphone.stop()
        #expect(hearer.lengths.count == 100)
        #expect(hearer.onMainThread == 0)
    }

    @Test("A monitor, a query for music, memory and a file get the same", .requirements("R-ACR-100"))
    func sinks() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("heard.wav")
        let music = SyntheticMusic(seed: 5, duration: 8).buffer(sampleRate: 44_100)
        let microphone = Microphone(from: .source(BlockSource(music, blockFrames: 2_205)))
        let monitor = try Monitor(registration: .local, store: nil, service: nil)
        try monitor.initializeAudio()
        try monitor.start()
        let (query, memory) = (SignatureHearer(), AudioMemory())
        let file = try AudioFile(url)
        let receivers: [any AudioReceiver] = [monitor, query, memory, file]
        for receiver in receivers { microphone.add(receiver) }
        let events = microphone.events
        try await microphone.start()
        _ = await events.untilEnd()
        try file.finish()

        let bytes = music.bytes(as: AudioConfiguration())
        #expect(memory.bytes == Data(bytes))
        #expect(try Data(contentsOf: url).dropFirst(44) == Data(bytes))
        let heard = try #require(memory.audio)
        var generator = SignatureGenerator()
        try generator.append(heard)
        #expect(query.signature == generator.signature())
        #expect(await monitor.recentAudio(MediaTime(value: 15, timescale: 1)) == heard)
        // What was written is a file that can be read.
        let read = try await drain(AssetReader(url, options: .init(sampleType: .int16)))
        #expect(AudioBuffer.joined(read.blocks.map(\.buffer)) == heard)
    }

    @Test("An interruption and another device are told, and sound comes again", .requirements("R-ACR-101"))
    func interruption() async throws {
        let gate = DispatchSemaphore(value: 0)
        let device = DeviceDouble([
            .steps(Tone.steps(10) + [.loss], route: "Built in"),
            .steps(Tone.steps(10, from: 10) + [.silence(gate)], route: "Headset"),
        ])
        var options = CaptureSource.Options()
        options.stallDuration = nil
        let clock = InstantClock().clock
        let (wanted, choice) = (options, device)
        let microphone = Microphone(
            AudioConfiguration(sampleRate: 8_000),
            from: MicrophoneBackend { _ in
                let source = try await CaptureSource(options: wanted, clock: clock) {
                    cancellation throws(EarshotError) in
                    try choice.open(cancellation)
                }
                return .init(source, events: source.events, route: { source.route }, stop: { source.stop() })
            }
        )
        let hearer = Hearer()
        microphone.add(hearer)
        let events = microphone.events
        try await microphone.start()
        await hearer.hears(20 * 800)
        var told: [String] = []
        for await event in events {
            told.append("\(event)")
            if case .resumed = event { microphone.stop() }
            if case .ended = event { break }
        }
        gate.signal()
        #expect(hearer.byteCount == 20 * 800)
        #expect(hearer.gaps == [.seconds(1)])
        #expect(told.dropFirst() == ["interrupted: deviceLost", "route changed: Headset", "resumed", "ended"])
    }

    @Test("A back-end that gives another rate is an error with both, and ends the run")
    func anotherRate() async throws {
        let microphone = Microphone(
            AudioConfiguration(sampleRate: 16_000),
            from: .source(BlockSource(Self.second, blockFrames: 441))
        )
        let hearer = Hearer()
        microphone.add(hearer)
        let events = microphone.events
        try await microphone.start()
        let all = await events.untilEnd()
        #expect(all.contains { $0.contains("44100 Hz") && $0.contains("16000 Hz") }, "\(all)")
        #expect(hearer.byteCount == 0)
    }

    @Test("Memory keeps the newest whole frames")
    func memory() {
        let memory = AudioMemory(limit: 10)
        let configuration = AudioConfiguration(channels: 2)
        let bytes = (0..<24).map { UInt8($0) }
        for first in stride(from: 0, to: 24, by: 8) {
            Array(bytes[first..<first + 8]).withUnsafeBytes { memory.receive($0, as: configuration) }
        }
        #expect(memory.bytes == Data(bytes[16...]))
        [UInt8](repeating: 1, count: 4).withUnsafeBytes { memory.receive($0, as: AudioConfiguration()) }
        #expect(memory.audio?.frameCount == 2)
        memory.clear()
        #expect(memory.audio == nil && memory.bytes.isEmpty)
    }

    @Test("Memory with a limit holds little more, however much it is given")
    func memoryOfADay() {
        let memory = AudioMemory(limit: 10_001)
        let configuration = AudioConfiguration(channels: 1)
        var last = 0
        for round in 0..<2_000 {
            let block = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 4_096)
            block.withUnsafeBytes { memory.receive($0, as: configuration) }
            last = max(last, memory.heldCount)
        }
        #expect(last <= 10_001 + 65_536 + 4_096)
        #expect(memory.bytes.count == 10_000)
        #expect(memory.bytes.last == UInt8(truncatingIfNeeded: 1_999))
        #expect(memory.audio?.frameCount == 10_000 / configuration.bytesPerFrame)
    }

    @Test("A file that could not be written is an error of its finish, and there is none")
    func failedFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("mixed.wav")
        let file = try AudioFile(url)
        [UInt8](repeating: 0, count: 4).withUnsafeBytes { file.receive($0, as: AudioConfiguration()) }
        [UInt8](repeating: 0, count: 4).withUnsafeBytes { file.receive($0, as: AudioConfiguration(channels: 2)) }
        #expect(throws: EarshotError.self) { try file.finish() }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(throws: EarshotError.self) { try AudioFile(folder.url.appendingPathComponent("no/where.wav")) }
    }
}
