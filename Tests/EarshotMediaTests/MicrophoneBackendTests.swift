import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

/// What every back-end has to do, whatever it is.
@Suite("Back-ends of a microphone")
struct MicrophoneBackendTests {
    private static let configuration = AudioConfiguration(sampleRate: 16_000)
    private static let song = packageFolder.appendingPathComponent("Samples/Music/snodom.ogg")

    /// Listens for two seconds, and stops.
    private func drive(_ backend: MicrophoneBackend) async throws {
        let microphone = Microphone(Self.configuration, from: backend)
        let (hearer, memory) = (Hearer(), AudioMemory())
        microphone.add(memory)
        microphone.add(hearer)
        let events = microphone.events
        try await microphone.start()
        await hearer.hears(2 * 32_000)
        microphone.stop()
        let told = await events.untilEnd()
        #expect(told.first?.hasPrefix("started") == true && told.last == "ended", "\(told)")
        #expect(hearer.lengths.allSatisfy { $0.isMultiple(of: 2) })
        #expect(hearer.onMainThread == 0)
        #expect(memory.bytes.count == hearer.byteCount)
        // It is sound, and not silence.
        guard case .int16(let samples) = memory.audio?.samples else { throw CocoaError(.fileReadCorruptFile) }
        #expect(samples.contains { abs(Int($0)) > 100 })
    }

    @Test("A file", .requirements("R-ACR-102"))
    func file() async throws { try await drive(.file(Self.song, speed: nil)) }

    @Test("A stream that is a file")
    func stream() async throws { try await drive(.stream(Self.song)) }

    @Test("A descriptor, such as standard input", .requirements("R-ACR-102"))
    func descriptor() async throws {
        let options = AssetReader.Options(
            sampleRate: 16_000,
            channels: .mono,
            sampleType: .int16,
            range: .zero..<(.seconds(6))
        )
        var bytes: [UInt8] = []
        for try await block in try await AssetReader(Self.song, options: options) {
            bytes += block.buffer.bytes(as: Self.configuration)
        }
        let pipe = Pipe()
        // Whoever reads may stop early: writing goes on only as long as somebody does.
        signal(SIGPIPE, SIG_IGN)
        let data = Data(bytes)
        let writing = Task.detached {
            try? pipe.fileHandleForWriting.write(contentsOf: data)
            try? pipe.fileHandleForWriting.close()
        }
        try await drive(.descriptor(pipe.fileHandleForReading.fileDescriptor))
        try pipe.fileHandleForReading.close()
        await writing.value
    }

    @Test(
        "A sound server",
        .requirements("R-ACR-102"),
        .enabled(if: SoundServer.isHere, "There is no PulseAudio here: install pulseaudio and pulseaudio-utils.")
    )
    func soundServer() async throws {
        let server = try SoundServer()
        try await server.start()
        try server.play(Self.song)
        try await drive(.device(server.monitor))
    }

    @Test("A file that is not there keeps its own error")
    func missing() async throws {
        let microphone = Microphone(from: .file(URL(fileURLWithPath: "/nowhere.wav")))
        let error = await #expect(throws: EarshotError.self) { try await microphone.start() }
        #expect(error?.code == .assetNotFound)
    }
}
