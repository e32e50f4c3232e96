import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMedia

/// With a real sound server, where one is installed.
@Suite("Playing through an output", .serialized, .enabled(if: SoundServer.isHere))
struct AudioOutputTests {
    private func device(_ server: SoundServer) -> OutputDevice {
        OutputDevice(id: "earshot", system: .pulse, server: server.address)
    }

    @Test("What is played is what the output is heard to give", .timeLimit(.minutes(1)))
    func heard() async throws {
        let server = try SoundServer()
        try await server.start()
        let source = try await CaptureSource(server.monitor)
        let heard = Task {
            var samples: [Float] = []
            for try await block in source {
                let mono = block.buffer
                if case .float32(let all) = mono.samples {
                    samples += stride(from: 0, to: all.count, by: mono.channelCount).map { all[$0] }
                }
                if samples.count > 48_000 * 4 { break }
            }
            return samples
        }
        let times = Mutex<[MediaTime]>([])
        let reader = try await AssetReader(Fixtures.url("chirp.flac"), options: .init(sampleRate: 48_000))
        try await AudioOutput(device(server)).play(reader) { time in times.withLock { $0.append(time) } }
        let samples = try await heard.value
        source.stop()
        let played = try await Recording.read(Fixtures.url("chirp.flac"), options: .init(sampleRate: 48_000)).channel(0)
        // Pieces of it are found in what was heard; on a busy machine some are torn.
        let pieces = stride(from: 0, to: played.count - 2_400, by: 2_400).map { Array(played[$0..<$0 + 2_400]) }
        #expect(pieces.contains { Self.likeness(of: $0, in: samples) > 0.95 })
        let all = times.withLock { $0 }
        #expect(all == all.sorted() && !all.isEmpty)
    }

    @Test("Ending the task ends the playing, also while it is paused", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let server = try SoundServer()
        try await server.start()
        for pauses in [false, true] {
            let output = AudioOutput(device(server))
            if pauses { output.pause() }
            let task = Task {
                let reader = try await AssetReader(Fixtures.url("long.flac"))
                try await output.play(reader)
            }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            await #expect(throws: EarshotError.self) { try await task.value }
        }
    }

    @Test("An output that is not there is named")
    func absent() async throws {
        let output = AudioOutput(OutputDevice(id: nil, system: .pulse, server: "unix:/nonexistent/native"))
        let error = await #expect(throws: EarshotError.self) {
            try await output.play(AssetReader(Fixtures.url("wav16.wav")))
        }
        #expect(error?.code == .deviceUnavailable && error?.message.contains("pulse") == true)
    }

    /// How alike a piece is to the place in a signal that it is most like; 1 is the same.
    private static func likeness(of piece: [Float], in signal: [Float]) -> Double {
        guard signal.count > piece.count else { return 0 }
        let energy = piece.reduce(0.0) { $0 + Double($1 * $1) }
        var best = 0.0
        for start in 0..<signal.count - piece.count {
            // The first tenth tells whether the rest is worth a look.
            var (product, other) = (0.0, 0.0)
            for index in stride(from: 0, to: piece.count, by: 16) {
                product += Double(piece[index] * signal[start + index])
                other += Double(signal[start + index] * signal[start + index])
            }
            guard other > 0, product * 16 > 0.5 * (energy * other * 16).squareRoot() else { continue }
            (product, other) = (0, 0)
            for index in piece.indices {
                product += Double(piece[index] * signal[start + index])
                other += Double(signal[start + index] * signal[start + index])
            }
            best = max(best, product / (energy * other).squareRoot())
        }
        return best
    }
}
