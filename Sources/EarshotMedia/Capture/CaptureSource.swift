public import EarshotCore

/// Captures audio from a microphone or another device, block by block, in real time.
///
/// Capturing begins with the initializer. The first sample is at time zero, and each block begins where the previous
/// one ended. Where audio was lost, the time jumps ahead by its duration. If the device or its sound server is lost, it
/// is reopened, with delays of up to 30 s; the sequence continues after a gap as long as the outage.
///
/// ```swift
/// let source = try await CaptureSource()
/// for try await block in source {
///     print(block.time, block.buffer.frameCount)
/// }
/// ```
///
/// A thread of its own reads the device. A source can be read once. It ends with ``stop()``, when the reading task is
/// canceled, and when the last reference to it is released; its thread ends with the device's next packet.
public final class CaptureSource: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The captured device; `nil` for the system's current default device.
    public let device: CaptureDevice?
    /// The format of the first blocks.
    public let format: AudioFormat
    /// The events besides the audio, from `started` to `ended`, for one reader. Reading them is optional.
    public let events: AsyncStream<CaptureEvent>

    private let engine: CaptureEngine
    /// The name of the device that is open, or was last.
    var route: String? { engine.route }

    /// Opens a device and starts to capture.
    ///
    /// - Parameters:
    ///   - device: The device; `nil` for the default one.
    ///   - options: The output format, and the treatment of interruptions.
    ///   - clock: The clock that measures delays and outages.
    /// - Throws: `microphoneUnavailable` if there is no device or its use is not allowed, `deviceUnavailable` if the
    ///   given device cannot be opened, `audioFormatInvalid` for an unsupported sample rate, `cancelled`.
    public convenience init(
        _ device: CaptureDevice? = nil,
        options: Options = .init(),
        clock: MediaClock = .system
    ) async throws(EarshotError) {
        let name = device?.description ?? "the default capture device"
        if let rate = options.sampleRate, !AudioDecoder.sampleRates.contains(rate) {
            try AudioDecoder.check(.init(sampleRate: rate), name: name)
        }
        try await self.init(device, options: options, clock: clock) { cancellation throws(EarshotError) in
            try DeviceInput(device, options: options, clock: clock, cancellation: cancellation)
        }
    }

    /// Captures from inputs that the caller makes, in place of a device.
    init(
        _ device: CaptureDevice? = nil,
        options: Options = .init(),
        clock: MediaClock = .system,
        opening: @escaping CaptureEngine.Opening
    ) async throws(EarshotError) {
        let engine = CaptureEngine(
            .init(
                name: device?.description ?? "the default capture device",
                kind: .device,
                policy: options.reconnecting,
                stall: options.stallDuration,
                capacity: options.capacity,
                clock: clock
            ),
            open: opening
        )
        format = try await engine.start()
        self.device = device
        self.engine = engine
        events = engine.events
    }

    deinit {
        engine.cancel()
    }

    /// Stops capturing, from any thread. The sequence delivers the audio captured before, then ends.
    public func stop() {
        engine.stop()
    }

    /// Returns an iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: self)
    }

    /// An iterator over the captured blocks.
    public struct Iterator: AsyncIteratorProtocol {
        let source: CaptureSource

        /// Waits for the next block; `nil` at the end, and after an error.
        ///
        /// - Throws: `deviceUnavailable` or `microphoneUnavailable` if a lost device could not be reopened; `cancelled`
        ///   if the task was canceled; always an `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await source.engine.next()
        }
    }
}
