import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMonitor

/// Blocks as a decoded file gives them.
private struct DecodedFile: AudioSource {
    typealias Element = AudioBlock
    let blocks: [AudioBlock]
    var expectedDuration: MediaTime? { blocks.last?.endTime }

    /// A file of 16-bit mono at 8,000 Hz, in blocks of so many frames.
    init(_ samples: [Int16], blockFrames: Int) {
        blocks = stride(from: 0, to: samples.count, by: blockFrames).map { first in
            let part = Array(samples[first..<Swift.min(first + blockFrames, samples.count)])
            return AudioBlock(
                AudioBuffer(part, sampleRate: 8_000),
                at: MediaTime(frames: Int64(first), sampleRate: 8_000)
            )
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: blocks[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<AudioBlock>
        mutating func next() async throws -> AudioBlock? { rest.popFirst() }
    }
}

@Suite("Where the audio of a monitor comes from")
struct MonitorSourcesTests {
    /// The query that a monitor makes of what it is given.
    private func query(_ give: @Sendable (Monitor) async throws -> Void) async throws -> Signature {
        // On a clock that stands still no pause between two pieces is one of the audio.
        let clock = ManualClock()
        let queries = Mutex<[Signature]>([])
        let monitor = try Monitor(
            registration: .local,
            local: { signature in
                queries.withLock { $0.append(signature) }
                return .success([.work("film")])
            },
            service: nil,
            options: .init(clock: clock.clock)
        )
        monitor.properties.onlineInterval = 0
        try monitor.initializeAudio(AudioConfiguration(sampleRate: 8_000))
        let results = monitor.results
        try await give(monitor)
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next()?.matches.first?.title == "film")
        monitor.stop()
        return try #require(queries.withLock { $0.first })
    }

    @Test(
        "A decoded file, a microphone and bytes give one query, and one match",
        .requirements("R-ACR-049")
    )
    func origins() async throws {
        let reference = SyntheticMusic(seed: 8, duration: 40)
        let configuration = AudioConfiguration(sampleRate: 8_000)
        let bytes = MonitorIntakeTests.bytes(reference.samples(from: 20, seconds: 7, sampleRate: 8_000), .pcm16)
        let samples = stride(from: 0, to: bytes.count, by: 2).map { place in
            Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
        }
        let file = try await query { monitor in try await monitor.run(DecodedFile(samples, blockFrames: 1_000)) }
        let microphone = try await query { monitor in
            try monitor.start()
            for first in stride(from: 0, to: bytes.count, by: 1_600) {
                Array(bytes[first..<min(first + 1_600, bytes.count)])
                    .withUnsafeBytes { monitor.receive($0, as: configuration) }
            }
        }
        let submitted = try await query { monitor in
            try monitor.start()
            for first in stride(from: 0, to: bytes.count, by: 777) {
                try monitor.submit(Data(bytes[first..<min(first + 777, bytes.count)]))
            }
        }
        #expect(file == microphone && file == submitted)
        var catalog = Catalog()
        try catalog.add(try reference.signature(), representing: [], id: "piece")
        let match = try #require(try catalog.match(file))
        #expect(abs(match.references[0].offset.seconds - 20) < 0.1)
    }

    @Test("Both algorithms are taken", .requirements("R-ACR-043"), arguments: AudioConfiguration.Algorithm.allCases)
    func algorithms(_ algorithm: AudioConfiguration.Algorithm) throws {
        let monitor = try Monitor(registration: .local, store: nil, service: nil)
        try monitor.initializeAudio(AudioConfiguration(algorithm: algorithm))
        #expect(monitor.state == .ready)
        #expect(AudioConfiguration.Algorithm.allCases == [.microphone, .lineIn])
    }

    @Test(
        "With the store alone a monitor needs no license, and asks nobody on a network",
        .requirements("R-ACR-004")
    )
    func storeAlone() async throws {
        let service = CountingService(.archive("film"))
        let registration = try Registration(serialized: Registration.local.serialized)
        #expect(registration.service == nil && registration.user == nil)
        let monitor = try Monitor(registration: registration, local: { _ in .success([]) }, service: service)
        monitor.properties.cacheOnly = true
        let results = monitor.results
        try monitor.initializeAudio()
        try monitor.start()
        var iterator = results.makeAsyncIterator()
        for trigger in [LookupTrigger.start, .manual] {
            if trigger == .manual { try monitor.lookUpNow() }
            try monitor.submit(noise(7))
            let result = try #require(await iterator.next())
            #expect(result.trigger == trigger && result.kind == .localOnly && result.matches.isEmpty)
        }
        await monitor.settled()
        monitor.stop()
        #expect(service.broadcasts == 0 && service.music == 0)
    }
}
