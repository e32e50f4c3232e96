public import EarshotCore
import EarshotSignatures

extension Monitor {
    /// Runs the monitor over a recording, as fast as it can be read. Each lookup is waited for, as if
    /// it had taken no time.
    ///
    /// ```swift
    /// let time = StreamClock()
    /// let monitor = try Monitor(registration: .local, store: store, service: nil, options: .init(clock: time.clock))
    /// try await monitor.run(AssetReader(file), advancing: time)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The recording.
    ///   - clock: The clock that the monitor was created with. It advances with the audio that is read.
    /// - Throws: The errors of the source and of ``start()``.
    public func run(_ source: some AudioSource, advancing clock: StreamClock) async throws {
        if state == .created { try initializeAudio() }
        let begin = clock.now
        try start()
        defer { stop() }
        var expected: MediaTime?
        for try await block in source {
            if let expected, block.time - expected > SignatureGenerator.timeTolerance {
                engine.gap((block.time - expected).seconds)
                clock.advance(to: begin + block.time)
            }
            expected = block.endTime
            let step = max(1, block.buffer.sampleRate / 20)
            for first in stride(from: 0, to: block.buffer.frameCount, by: step) {
                guard state == .running else { return }
                let piece = block.buffer.frames(first..<first + step)
                let heard = MediaTime(frames: Int64(first + piece.frameCount), sampleRate: block.buffer.sampleRate)
                clock.advance(to: begin + block.time + heard)
                try submit(piece)
                await engine.settle()
            }
        }
    }
}
