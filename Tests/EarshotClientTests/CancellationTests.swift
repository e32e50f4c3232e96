import EarshotCore
@testable import EarshotMusic
import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Cancelling")
struct CancellationTests {
    @Test("One of two is cancelled, the other goes on", .requirements("R-MC-044", "R-MC-045", "R-MC-050"))
    func oneOfTwo() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            // A step that cannot be interrupted.
            await barrier.pass()
            return [MusicMatch("t1")]
        }
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            let (first, second) = (client.begin(.track("a"), configuration), client.begin(.track("b"), configuration))
            await barrier.arrivals(2)
            first.cancel()
            // The call came back though the step is still under way.
            #expect(first.isCancelling && !first.isFinished)
            barrier.open()
            let trace = await Trace(first)
            #expect(trace.failure?.code == .cancelled)
            #expect(trace.outcomes.count == 1 && !trace.phases.contains(.done))
            let told1 = try await second.value.best?.track.id
            #expect(told1 == "t1")
        }
    }

    @Test("Cancelling what is over, twice or early does nothing more", .requirements("R-MC-051"))
    func finished() async throws {
        try await ServicePath.inProcess.withClient(of: FakeService()) { client, configuration in
            let operation = client.begin(.track("a"), configuration)
            let told2 = try await operation.value.best?.track.id
            #expect(told2 == "t1")
            operation.cancel()
            operation.cancel()
            let told3 = try await operation.value.best?.track.id
            #expect(told3 == "t1")
            #expect(!operation.isCancelling)
            #expect(await Trace(operation).outcomes.count == 1)
        }
    }

    @Test("Cancelling a recording frees the microphone", .requirements("R-MC-046"))
    func microphone() async throws {
        let (meter, barrier) = (TestSource.Meter(), Barrier())
        let microphone = TestSource.microphone(meter: meter) { number in
            if number == 20 { await barrier.pass() }
        }
        try await ServicePath.inProcess.withClient(of: FakeService(), microphone: microphone) { client, configuration in
            let operation = client.begin(.microphone, configuration)
            await barrier.arrivals(1)
            operation.cancel()
            #expect(!meter.read.withLock { $0.isReleased })
            barrier.open()
            #expect(await Trace(operation).failure?.code == .cancelled)
            #expect(meter.read.withLock { $0.isReleased })
            // No more than the block that was under way was read.
            #expect(meter.read.withLock { $0.frames } <= 21 * 800)
            #expect(await Trace(client.begin(.microphone, configuration)).failure == nil)
        }
    }

    @Test("A task that waits and is canceled cancels the operation")
    func task() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            return [MusicMatch("t1")]
        }
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            let task = Task { await client.begin(.track("a"), configuration).outcome }
            await barrier.arrivals(1)
            task.cancel()
            barrier.open()
            guard case .failure(let error) = await task.value else {
                Issue.record("a match came after canceling")
                return
            }
            #expect(error.code == .cancelled)
        }
    }

    @Test("What waits for its turn is canceled at once")
    func waiting() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            return []
        }
        var policy = RecognitionClient.Policy()
        policy.runningLimit = 1
        try await ServicePath.inProcess.withClient(of: service, policy: policy) { client, configuration in
            let first = client.begin(.track("a"), configuration)
            await barrier.arrivals(1)
            let second = client.begin(.track("b"), configuration)
            second.cancel()
            #expect(await Trace(second).failure?.code == .cancelled)
            barrier.open()
            _ = try await first.value
            #expect(service.calls == [.track("a")])
        }
    }
}
