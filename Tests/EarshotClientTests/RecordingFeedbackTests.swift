import EarshotClient
import EarshotCore
import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Recognizer

@Suite("The end of a recording")
struct RecordingFeedbackTests {
    private final class Counter: RecordingFeedback {
        private let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func recordingCompleted() { calls.withLock { $0 += 1 } }
    }

    private func configuration() throws -> ClientConfiguration {
        try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
    }

    @Test("A person is told once for each recording, before the service is asked", .requirements("R-MC-241"))
    func told() async throws {
        let counter = Counter()
        let calls = Mutex<[Int]>([])
        let service = FakeService { _, _ throws(EarshotError) in
            calls.withLock { $0.append(counter.count) }
            return [MusicMatch("t1")]
        }
        let client = RecognitionClient(service: service, microphone: TestSource.microphone(), feedback: counter)
        _ = try await client.result(of: .microphone, try configuration())
        #expect(counter.count == 1)
        #expect(calls.withLock { $0 } == [1])
        _ = try await client.fingerprint(of: .microphone, try configuration())
        #expect(counter.count == 2)
    }

    @Test("Nobody is told of samples, nor of a recording that ends early")
    func silent() async throws {
        let counter = Counter()
        let client = RecognitionClient(
            service: FakeService(),
            microphone: { TestSource([Float](repeating: 0.1, count: 8_000), rate: 8_000) },
            feedback: counter
        )
        _ = try await client.result(of: .stream(try TestMusic.samples()), try configuration())
        let failure = await Trace(client.begin(.microphone, try configuration())).failure
        #expect(failure?.code == .signatureDurationInvalid)
        #expect(counter.count == 0)
    }

    @Test("Nobody is told of a recording that is canceled")
    func cancelled() async throws {
        let (counter, barrier) = (Counter(), Barrier())
        let microphone = TestSource.microphone { number in
            if number == 20 { await barrier.pass() }
        }
        let client = RecognitionClient(service: FakeService(), microphone: microphone, feedback: counter)
        let operation = client.begin(.microphone, try configuration())
        await barrier.arrivals(1)
        operation.cancel()
        barrier.open()
        #expect(await Trace(operation).failure?.code == .cancelled)
        #expect(counter.count == 0)
    }

    @MainActor
    @Test("The app in a terminal rings its bell once for each recording", .requirements("R-MC-241"))
    func bell() async throws {
        let written = Mutex("")
        let app = RecognizerApp(
            service: FakeService { _, _ throws(EarshotError) in [MusicMatch("t1")] },
            configuration: try configuration(),
            microphone: TestSource.microphone(),
            feedback: TerminalBell { text in written.withLock { $0 += text } }
        ) { _ in }
        await app.find(.microphone, as: .microphone)
        #expect(written.withLock { $0 } == "\u{7}")
        #expect(app.screen.tones == 1)
    }

    @Test("What is no terminal gets no bell")
    func file() throws {
        let handle = try #require(FileHandle(forWritingAtPath: "/dev/null"))
        #expect(TerminalBell(handle) == nil)
    }
}
