import EarshotCatalogs
import EarshotCore
@testable import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Recognition")
struct RecognitionTests {
    @Test(
        "Samples of one, two and four bytes are recognised",
        .requirements("R-MC-054"),
        arguments: ServicePath.allCases,
        [1, 2, 4]
    )
    func depths(path: ServicePath, bytes: Int) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples(2, from: 6, bytes: bytes)
            let result = try await client.result(of: .stream(samples), configuration)
            #expect(result.best?.track.id == "t2")
            #expect(result.best?.track.title == "Copper Wire" && result.best?.album.title == "Morning Rail")
        }
    }

    @Test("6.5 s are enough, 6.4 s are not", .requirements("R-MC-055"))
    func length() async throws {
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            let enough = try await client.result(of: .stream(try TestMusic.samples(seconds: 6.5)), configuration)
            #expect(enough.best?.track.id == "t1")
            let trace = await Trace(client.begin(.stream(try TestMusic.samples(seconds: 6.4)), configuration))
            #expect(trace.failure?.failureKind == .fingerprintUnavailable)
            #expect(trace.phases == [.fingerprinting])
        }
    }

    @Test(
        "A stream is recognized from any place in it",
        .requirements("R-MC-056", "R-MC-030"),
        arguments: [0.0, 36, 72]
    )
    func anywhere(start: Double) async throws {
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            var several = configuration
            several.preferences.singleBestMatch = false
            for configuration in [configuration, several] {
                let samples = try TestMusic.samples(from: start)
                let result = try await client.result(of: .stream(samples), configuration)
                #expect(result.best?.track.id == "t1" && result.matches.first == result.best)
            }
        }
    }

    @Test("The place in the song is told for streams only", .requirements("R-MC-057"), arguments: ServicePath.allCases)
    func position(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples(from: 60)
            let stream = try await client.result(of: .stream(samples), configuration)
            let position = try #require(stream.best?.songPosition)
            #expect(abs(position.seconds - 60) <= 0.05)
            let file = try await client.result(of: .fileSamples(samples), configuration)
            #expect(file.best?.track.id == "t1" && file.best?.songPosition == nil)
        }
    }

    @Test("A place that a service tells of a file all the same is left out", .requirements("R-MC-057"))
    func positionOfFile() async throws {
        let service = FakeService { _, _ throws(EarshotError) in
            var match = MusicMatch("t1")
            match.songPosition = MediaTime(value: 1_234, timescale: 1_000)
            return [match]
        }
        try await ServicePath.http.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples()
            let stream = try await client.result(of: .stream(samples), configuration)
            let file = try await client.result(of: .fileSamples(samples), configuration)
            #expect(stream.best?.songPosition == MediaTime(value: 1_234, timescale: 1_000))
            #expect(file.best != nil && file.best?.songPosition == nil)
        }
    }

    // MARK: - Microphone

    @Test("6.5 s are recorded, to the frame", .requirements("R-MC-052", "R-MC-084"))
    func recorded() async throws {
        let meter = TestSource.Meter()
        try await ServicePath.inProcess.withClient(of: FakeService(), microphone: TestSource.microphone(meter: meter)) {
            client,
            configuration in
            let result = try await client.fingerprint(of: .microphone, configuration)
            #expect(result.fingerprint.signature.duration == RecognitionClient.Policy.recordingDuration)
            #expect(meter.read.withLock { $0.frames } == 52_000)
            #expect(meter.read.withLock { $0.isReleased })
            _ = try await client.result(of: .microphone, configuration)
            #expect(meter.read.withLock { $0.frames } == 104_000)
        }
    }

    @Test("A microphone that cannot be had, and one that ends early", .requirements("R-MC-062"))
    func refused() async throws {
        struct Busy: Error {}
        let microphones: [(RecognitionClient.Microphone?, FailureKind)] = [
            (nil, .microphoneUnavailable),
            ({ throw Busy() }, .microphoneUnavailable),
            ({ throw EarshotError(.deviceUnavailable, "It is in use.") }, .microphoneUnavailable),
            ({ TestSource([Float](repeating: 0.1, count: 8_000), rate: 8_000) }, .fingerprintUnavailable),
        ]
        for (microphone, kind) in microphones {
            try await ServicePath.inProcess.withClient(of: FakeService(), microphone: microphone) {
                client,
                configuration in
                let error = await Trace(client.begin(.microphone, configuration)).failure
                #expect(error?.failureKind == kind)
                #expect(client.hasMicrophone == (microphone != nil))
            }
        }
    }

    @Test("Who records second is refused, and the first goes on", .requirements("R-MC-063"))
    func second() async throws {
        let barrier = Barrier()
        let microphone = TestSource.microphone { number in
            if number == 5 { await barrier.pass() }
        }
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service, microphone: microphone) { client, configuration in
            let first = client.begin(.microphone, configuration)
            await barrier.arrivals(1)
            let second = await Trace(client.beginFingerprint(of: .microphone, configuration))
            #expect(second.failure?.code == .microphoneUnavailable)
            barrier.open()
            let result = try await first.value
            #expect(result.best?.track.id == "t1")
        }
    }

    // MARK: - Files

    @Test(
        "Reading a file ends behind 20 s, from its first sample on",
        .requirements("R-MC-068", "R-MC-069"),
        arguments: [20.0, 60]
    )
    func file(seconds: Double) async throws {
        let meter = TestSource.Meter()
        let files: RecognitionClient.FileOpener = { _ in
            let samples = TestMusic.pieces[0].samples(from: 0, seconds: seconds, sampleRate: 8_000)
            return TestSource(samples, rate: 8_000, meter: meter)
        }
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service, files: files) { client, configuration in
            let url = URL(fileURLWithPath: "/music/lantern.wav")
            let result = try await client.result(of: .file(url), configuration)
            #expect(result.best?.track.id == "t1")
            #expect(meter.read.withLock { $0.frames } == 160_000)
            let placement = try #require(result.best?.placement)
            #expect(abs(placement.offset.seconds) < 0.05)
        }
    }

    @Test("Files that cannot be read say so by a code", .requirements("R-MC-070", "R-MC-071", "R-MC-076"))
    func unreadable() async throws {
        struct Odd: Error {}
        let errors: [(any Error, FailureKind)] = [
            (EarshotError(.codecUnsupported, "It has moving pictures."), .fingerprintUnavailable),
            (EarshotError(.assetUnreadable, "It is text."), .fingerprintUnavailable),
            (EarshotError(.fileAccessDenied, "Somebody calls."), .fileAccessDenied),
            (EarshotError(.readFailed, "It ends early."), .fingerprintGenerationFailed),
            (Odd(), .fingerprintGenerationFailed),
        ]
        for (error, kind) in errors {
            let service = FakeService()
            try await ServicePath.inProcess.withClient(of: service, files: { _ in throw error }) {
                client,
                configuration in
                let trace = await Trace(client.begin(.file(URL(fileURLWithPath: "/music/x.mp3")), configuration))
                #expect(trace.failure?.failureKind == kind)
                #expect(service.calls.isEmpty)
                // The client is as good as before.
                let after = try await client.result(of: .track("t1"), configuration)
                #expect(after.best != nil)
            }
        }
    }

    @Test(
        "Ten of twelve candidates are told, or the best alone",
        .requirements("R-MC-130", "R-MC-131", "R-MC-082"),
        arguments: ServicePath.allCases
    )
    func candidates(path: ServicePath) async throws {
        let service = FakeService { _, _ throws(EarshotError) in (1...12).map { MusicMatch("t\($0)") } }
        try await path.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples()
            var several = configuration
            try several.setValue("false", forKey: "content.recognition.queryPreference.singleBestMatch")
            for request in [SearchRequest.stream(samples), .fileSamples(samples)] {
                let single = try await client.result(of: request, configuration)
                #expect(single.matches.count == 1)
                let ten = try await client.result(of: request, several)
                #expect(ten.matches.count == 10 && ten.best?.track.id == "t1")
            }
            #expect(service.preferences.map(\.singleBestMatch) == [true, false, true, false])
            // A search by fingerprint gives candidates, whatever recognitions do.
            let fingerprint = try await client.fingerprint(of: .samples(samples, .stream), configuration).fingerprint
            let candidates = try await client.result(of: .fingerprint(fingerprint), configuration)
            #expect(candidates.matches.count == 10)
        }
    }

    @Test(
        "Samples of a wrong shape are refused",
        arguments: [(3, 1, 8_000), (2, 0, 8_000), (2, 1, 0), (2, 2, 8_000), (0, 1, 8_000)]
    )
    func shapes(bytes: Int, channels: Int, rate: Int) {
        let data = Data(count: 6)
        #expect(
            code { _ = try PCMBuffer(data, bytesPerSample: bytes, channelCount: channels, sampleRate: rate) }
                == .audioFormatInvalid
        )
    }
}
