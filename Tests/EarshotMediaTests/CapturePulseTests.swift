import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotSignatures
import Foundation
import TestSupport
import Testing

/// With a real sound server, where one is installed; `scripts/checks/capture` runs these alone.
@Suite("Capture: a PulseAudio server", .serialized, .enabled(if: SoundServer.isHere))
struct CapturePulseTests {
    private func song(_ name: String) -> URL {
        packageFolder.appendingPathComponent("Samples/Music").appendingPathComponent(name)
    }

    @Test(
        "What an output plays is captured with contiguous times and recognised",
        .requirements("R-CC-089", "R-CC-091")
    )
    func recognition() async throws {
        var catalog = Catalog()
        let beginning = AssetReader.Options(range: .zero..<(.seconds(12)))
        for name in ["snodom.ogg", "win-game.ogg"] {
            let signature = try await SignatureGenerator.signature(from: AssetReader(song(name), options: beginning))
            try catalog.add(signature, representing: [MediaItem(properties: [.title: .string(name)])])
        }
        let server = try SoundServer()
        try await server.start()
        let devices = await CaptureDevice.all(server: server.address)
        #expect(devices.map(\.id) == ["earshot.monitor"])
        #expect(devices.first?.isMonitor == true)
        let source = try await CaptureSource(devices.first)
        try server.play(song("snodom.ogg"))
        let overload = Task { await source.events.reduce(MediaTime.zero) { $0 + $1.lostToOverload } }
        var blocks: [AudioBlock] = []
        for try await block in source {
            blocks.append(block)
            if block.endTime >= .seconds(8) { break }
        }
        source.stop()
        #expect(blocks.first?.time == .zero)
        // A busy machine may lose sound, and says so.
        #expect(blocks.gaps.reduce(.zero, +) <= (await overload.value))
        #expect(blocks.allSatisfy { $0.buffer.duration == .milliseconds(50) || !blocks.gaps.isEmpty })
        var generator = SignatureGenerator()
        for block in blocks { try generator.append(block.buffer) }
        let match = try catalog.match(generator.signature())
        #expect(match?.mediaItems.first?.title == "snodom.ogg")
    }

    @Test("A server that is killed and started again is a device lost and back, with a gap", .requirements("R-CC-091"))
    func restart() async throws {
        let server = try SoundServer()
        try await server.start()
        let source = try await CaptureSource(server.monitor)
        var events = source.events.filter(\.isOfDevice).makeAsyncIterator()
        #expect(await events.next() == .started(source.format))
        var iterator = source.makeAsyncIterator()
        var blocks: [AudioBlock] = []
        while blocks.count < 10, let block = try await iterator.next() { blocks.append(block) }
        server.stop()
        #expect(await events.next() == .deviceLost)
        try await server.start()
        #expect(await events.next() == .deviceBack)
        while blocks.gaps.allSatisfy({ $0 < .seconds(1) }), let block = try await iterator.next() {
            blocks.append(block)
        }
        for _ in 0..<10 { if let block = try await iterator.next() { blocks.append(block) } }
        #expect(blocks.gaps.count { $0 >= .seconds(1) } == 1)
        source.stop()
        while let event = await events.next() { #expect(event == .ended) }
    }

    @Test("A device that is taken away and given back is lost and back, with a gap")
    func removal() async throws {
        let server = try SoundServer()
        try await server.start()
        let source = try await CaptureSource(server.monitor)
        var events = source.events.filter(\.isOfDevice).makeAsyncIterator()
        #expect(await events.next() == .started(source.format))
        var iterator = source.makeAsyncIterator()
        var blocks = [try #require(try await iterator.next())]
        try server.removeOutput()
        #expect(await events.next() == .deviceLost)
        try server.addOutput()
        #expect(await events.next() == .deviceBack)
        while blocks.gaps.allSatisfy({ $0 < .seconds(1) }), let block = try await iterator.next() {
            blocks.append(block)
        }
    }

    @Test("A device that is not there is refused, and a lost one too when it is not tried again")
    func refusal() async throws {
        let server = try SoundServer()
        try await server.start()
        let unknown = CaptureDevice(id: "none", name: "None", system: .pulse, isDefault: false, server: server.address)
        let error = await #expect(throws: EarshotError.self) { _ = try await CaptureSource(unknown) }
        #expect(error?.code == .deviceUnavailable)
        let source = try await CaptureSource(server.monitor, options: .init(reconnects: false))
        var iterator = source.makeAsyncIterator()
        _ = try await iterator.next()
        server.stop()
        let lost = await #expect(throws: EarshotError.self) { while try await iterator.next() != nil {} }
        #expect(lost?.code == .deviceUnavailable)
    }

    @Test("Canceling ends a capture, and it can be opened again at once")
    func cancelling() async throws {
        let server = try SoundServer()
        try await server.start()
        for _ in 0..<5 {
            let source = try await CaptureSource(server.monitor)
            let reading = Task { () -> EarshotError? in
                do {
                    for try await _ in source {}
                    return nil
                } catch {
                    return error as? EarshotError
                }
            }
            reading.cancel()
            #expect(await reading.value?.code == .cancelled)
        }
    }
}

extension CaptureEvent {
    /// How much sound a machine too busy for it has lost.
    fileprivate var lostToOverload: MediaTime {
        if case .overload(let lost) = self { lost } else { .zero }
    }

    /// Whether it tells of the device, and not of how busy the machine is.
    fileprivate var isOfDevice: Bool {
        switch self {
        case .overload, .interrupted, .resumed: false
        default: true
        }
    }
}
