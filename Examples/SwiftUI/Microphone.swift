import AVFAudio
import EarshotCore

/// The microphone through the audio engine of Apple platforms, as a source for a session.
///
/// Apps ask for permission with `AVAudioApplication.requestRecordPermission()` first, and say in their Info.plist, under
/// `NSMicrophoneUsageDescription`, what they listen for.
struct Microphone: AudioSource {
    typealias Element = AudioBlock

    private let blocks: AsyncThrowingStream<AudioBlock, any Error>

    /// Starts the engine. It runs until nobody reads the blocks any more.
    init() throws {
        #if !os(macOS)
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playAndRecord, mode: .measurement, options: [.mixWithOthers, .defaultToSpeaker])
            try session.setActive(true)
        #endif
        let engine = AVAudioEngine()
        let format = engine.inputNode.outputFormat(forBus: 0)
        guard format.sampleRate > 0 else {
            throw EarshotError(.microphoneUnavailable, "There is no microphone: connect one.")
        }
        let (blocks, output) = AsyncThrowingStream<AudioBlock, any Error>.makeStream()
        self.blocks = blocks
        // The tap is called on a thread of the engine's own: it must not belong to an actor.
        let tap: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void = { buffer, time in
            guard let block = AudioBlock(buffer, at: time) else { return }
            output.yield(block)
        }
        let frames = AVAudioFrameCount(format.sampleRate / 20)
        engine.inputNode.installTap(onBus: 0, bufferSize: frames, format: format, block: tap)
        try engine.start()
        let running = Running(engine: engine)
        output.onTermination = { _ in running.stop() }
    }

    func makeAsyncIterator() -> AsyncThrowingStream<AudioBlock, any Error>.Iterator { blocks.makeAsyncIterator() }

    /// Keeps the engine as long as it is needed.
    private final class Running: @unchecked Sendable {
        // Unchecked: the engine is stopped once, when the stream has ended, and not touched otherwise.
        private let engine: AVAudioEngine

        init(engine: AVAudioEngine) { self.engine = engine }

        func stop() {
            engine.inputNode.removeTap(onBus: 0)
            engine.stop()
        }
    }
}

extension AudioBlock {
    /// Copies the first channel of a buffer of the engine; `nil` if it holds no 32-bit floating point samples.
    init?(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        guard let channel = buffer.floatChannelData?.pointee, buffer.frameLength > 0 else { return nil }
        let rate = Int(buffer.format.sampleRate)
        // Channels lie one behind the other, or frame by frame with a stride.
        let samples = (0..<Int(buffer.frameLength)).map { channel[$0 * buffer.stride] }
        self.init(AudioBuffer(samples, sampleRate: rate), at: MediaTime(frames: time.sampleTime, sampleRate: rate))
    }
}
