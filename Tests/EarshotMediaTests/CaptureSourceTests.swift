import Dispatch
import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Capture: a device, played by a double")
struct CaptureSourceTests {
    private func source(
        _ answers: [DeviceDouble.Answer],
        options: CaptureSource.Options = .init(),
        clock: MediaClock = InstantClock().clock
    ) async throws -> CaptureSource {
        let device = DeviceDouble(answers)
        // On a clock without waits, watching for silence would never pause.
        var options = options
        if options.stallDuration == CaptureSource.Options().stallDuration { options.stallDuration = nil }
        return try await CaptureSource(options: options, clock: clock) { cancellation throws(EarshotError) in
            try device.open(cancellation)
        }
    }

    @Test("Blocks follow each other from zero on, wherever the device's own time begins", .requirements("R-CC-089"))
    func contiguous() async throws {
        let late = Tone.blocks(30).map { AudioBlock($0.buffer, at: $0.time + .seconds(77)) }
        var options = CaptureSource.Options(reconnects: false)
        options.stallDuration = nil
        let source = try await source([.steps(late.map { .block($0) } + [.end])], options: options)
        #expect(source.format == Tone.format)
        let heard = await drain(source)
        #expect(heard.blocks == Tone.blocks(30))
        #expect(heard.error == nil)
        #expect(await drain(source.events) == [.started(Tone.format), .deviceLost, .ended])
    }

    @Test("A lost device is tried again until it is back, and the time lost is a gap", .requirements("R-CC-089"))
    func lossAndReturn() async throws {
        let away = EarshotError(.deviceUnavailable, "The device is away: bring it back.")
        var options = CaptureSource.Options()
        options.reconnecting.attempts = 4
        let source = try await source(
            [
                .steps(Tone.steps(10) + [.loss]), .refusal(away), .refusal(away),
                .steps(Tone.steps(10, from: 10) + [.loss]),
            ],
            options: options
        )
        let heard = await drain(source)
        #expect(heard.blocks.map(Tone.number) == Array(0..<20))
        // The pauses 1, 2 and 4 s.
        #expect(heard.blocks.gaps == [.seconds(7)])
        #expect(heard.error?.code == .deviceUnavailable)
        #expect(heard.error?.position == .seconds(8))
        let events = await drain(source.events)
        #expect(events == [.started(Tone.format), .deviceLost, .deviceBack, .deviceLost, .ended])
    }

    @Test("Without reconnecting a lost device ends the sequence with an error")
    func noReconnecting() async throws {
        let options = CaptureSource.Options(reconnects: false)
        let source = try await source([.steps(Tone.steps(3) + [.loss]), .steps(Tone.steps(3))], options: options)
        let heard = await drain(source)
        #expect(heard.blocks.count == 3)
        #expect(heard.error?.code == .deviceUnavailable)
        #expect(heard.error?.position == .milliseconds(150))
        #expect(await drain(source).blocks.isEmpty)
    }

    @Test("A refusal, or no device, is told when a source is opened", .requirements("R-CC-088"))
    func refusal() async throws {
        let device = CaptureDevice(id: "desk", system: .pulse, name: "Desk")
        for isDefault in [true, false] {
            let refused = Demuxer.deviceError(-13, device, isDefault: isDefault)
            #expect(refused.code == .microphoneUnavailable)
            let error = await #expect(throws: EarshotError.self) { _ = try await source([.refusal(refused)]) }
            #expect(error?.code == .microphoneUnavailable)
        }
        #expect(Demuxer.deviceError(-5, device, isDefault: true).code == .microphoneUnavailable)
        #expect(Demuxer.deviceError(-5, device, isDefault: false).code == .deviceUnavailable)
        let none = #expect(throws: EarshotError.self) { try CaptureDevice.choose(from: []) }
        #expect(none?.code == .microphoneUnavailable)
    }

    @Test("A device without a sound server is not there, and the list is empty", .requirements("R-CC-088"))
    func noServer() async throws {
        let folder = try TemporaryFolder()
        let server = "unix:\(folder.url.path)/none"
        #expect(await CaptureDevice.all(server: server).isEmpty)
        let device = CaptureDevice(id: "desk", name: "Desk", system: .pulse, isDefault: false, server: server)
        let error = await #expect(throws: EarshotError.self) { _ = try await CaptureSource(device) }
        #expect(error?.code == .deviceUnavailable)
        #expect(error?.message.contains("Desk (desk)") == true)
    }

    @Test("A rate that cannot be used is refused")
    func rate() async throws {
        let error = await #expect(throws: EarshotError.self) {
            _ = try await CaptureSource(options: .init(sampleRate: 7))
        }
        #expect(error?.code == .audioFormatInvalid)
    }

    @Test("Of a reader that is too slow the oldest sound is dropped, and told")
    func slowReader() async throws {
        let gate = DispatchSemaphore(value: 0)
        var options = CaptureSource.Options()
        options.capacity = .seconds(1)
        let source = try await source(
            [.steps(Tone.steps(25) + [.silence(gate)] + Tone.steps(25, from: 25))],
            options: options
        )
        // Once this has been told, 25 blocks were there and five of them are not.
        var events = source.events.makeAsyncIterator()
        #expect(await events.next() == .started(Tone.format))
        #expect(await events.next() == .overload(lost: .milliseconds(150)))
        #expect(await events.next() == .overload(lost: .milliseconds(150)))
        var blocks = source.makeAsyncIterator()
        let first = try #require(try await blocks.next())
        #expect(Tone.number(first) == 6)
        #expect(first.time == .milliseconds(300))
        source.stop()
        gate.signal()
    }

    @Test("Silence is told, and sound after it")
    func silence() async throws {
        let gate = DispatchSemaphore(value: 0)
        let clock = ManualClock()
        let device = DeviceDouble([.steps(Tone.steps(1) + [.silence(gate)] + Tone.steps(2))])
        let source = try await CaptureSource(clock: clock.clock) { cancellation throws(EarshotError) in
            try device.open(cancellation)
        }
        var events = source.events.makeAsyncIterator()
        #expect(await events.next() == .started(Tone.format))
        var blocks = source.makeAsyncIterator()
        _ = try await blocks.next()
        let pump = Task.detached {
            while !Task.isCancelled {
                clock.advance(by: 1)
                await Task.yield()
            }
        }
        #expect(await events.next() == .interrupted(.stalled))
        pump.cancel()
        await pump.value
        gate.signal()
        #expect(await events.next() == .resumed)
        source.stop()
        while await events.next() != nil {}
        // Nobody is left waiting on the clock.
        clock.advance(by: 1_000)
    }

    @Test("A canceled reader ends at once, though the driver is silent")
    func cancelling() async throws {
        let gate = DispatchSemaphore(value: 0)
        let source = try await source([.steps(Tone.steps(1) + [.silence(gate)] + Tone.steps(1))])
        let reading = Task { await drain(source) }
        var events = source.events.makeAsyncIterator()
        #expect(await events.next() == .started(Tone.format))
        reading.cancel()
        let heard = await reading.value
        #expect(heard.error?.code == .cancelled)
        #expect(heard.blocks.count <= 1)
        gate.signal()
    }

    @Test("What was captured before stopping is still delivered")
    func stopping() async throws {
        let gate = DispatchSemaphore(value: 0)
        var options = CaptureSource.Options()
        options.capacity = .milliseconds(200)
        let source = try await source([.steps(Tone.steps(5) + [.silence(gate)] + Tone.steps(5))], options: options)
        var events = source.events.makeAsyncIterator()
        #expect(await events.next() == .started(Tone.format))
        #expect(await events.next() == .overload(lost: .milliseconds(100)))
        source.stop()
        let heard = await drain(source)
        #expect(heard.blocks.map(Tone.number) == [2, 3, 4])
        #expect(heard.error == nil)
        #expect(await events.next() == .ended)
        #expect(await events.next() == nil)
        gate.signal()
    }

    @Test("A source that nobody holds lets go of its device with the next packet")
    func release() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (closed, closing) = AsyncStream.makeStream(of: Void.self)
        do {
            var options = CaptureSource.Options()
            options.stallDuration = nil
            let source = try await CaptureSource(options: options) { _ throws(EarshotError) in
                MicrophoneDouble(Tone.steps(1) + [.silence(gate)] + Tone.steps(100)) { closing.finish() }
            }
            var blocks = source.makeAsyncIterator()
            #expect(try await blocks.next() != nil)
        }
        gate.signal()
        // Ends when the device is closed; never, if a thread still held it.
        for await _ in closed {}
    }
}
