public import EarshotCore

/// A mix of several sources, each with its own gain and start time.
///
/// ```swift
/// let format = AudioFormat(sampleRate: 44_100, channelCount: 2)
/// let mix = try AudioMix([.init(first), .init(second, gain: 0.5, at: MediaTime(seconds: 2))], format: format)
/// for try await block in mix { … }
/// ```
///
/// A gap in a source is silence, and the mix ends with the last source. Samples are added without a limiter: values
/// beyond full scale remain in floating point, and are clipped on conversion to integers.
public struct AudioMix: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// A source in a mix, with its gain and start time.
    public struct Part: Sendable {
        /// The gain as a factor: 1 does not change the level.
        public let gain: Float
        /// The time in the mix at which the source's time zero is heard.
        public let start: MediaTime
        let expectedDuration: MediaTime?
        let makeFeed: @Sendable () -> Feed

        /// Creates a part of a mix.
        ///
        /// - Parameters:
        ///   - source: The audio, in 32-bit floating point with the sample rate and channels of the mix.
        ///   - gain: The factor by which every sample is multiplied.
        ///   - start: The time in the mix at which the source's time zero is heard; audio before the beginning of the
        ///     mix is left out.
        public init(_ source: some AudioSource, gain: Float = 1, at start: MediaTime = .zero) {
            (self.gain, self.start) = (gain, start)
            expectedDuration = source.expectedDuration
            makeFeed = { Feed(source, gain: gain, start: start) }
        }
    }

    /// The format of every block.
    public let format: AudioFormat
    /// The duration of the mix; `nil` unless all sources know theirs.
    public let expectedDuration: MediaTime?
    private let parts: [Part]
    private let blockFrames: Int

    /// Creates a mix.
    ///
    /// - Parameters:
    ///   - parts: The sources. Each can be read once, and so can the mix.
    ///   - format: The format of all sources and of the mix: 32-bit floating point.
    ///   - blockFrames: The number of frames in a block; the last block may be shorter.
    /// - Throws: `pipelineRefused` without sources, for integer samples, and for blocks or formats without frames or
    ///   channels.
    public init(_ parts: [Part], format: AudioFormat, blockFrames: Int = 16_384) throws(EarshotError) {
        guard !parts.isEmpty, format.sampleType == .float32, blockFrames > 0, format.channelCount > 0 else {
            throw EarshotError(
                .pipelineRefused,
                "These sources cannot be mixed: give at least one, in 32-bit floating point, and blocks of a frame or more."
            )
        }
        (self.parts, self.format, self.blockFrames) = (parts, format, blockFrames)
        let ends = parts.map { part in part.expectedDuration.map { part.start + $0 } }
        expectedDuration = ends.contains(nil) ? nil : ends.compactMap { $0 }.max()
    }

    /// Returns an iterator over the blocks of the mix.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feeds: parts.map { $0.makeFeed() }, format: format, blockFrames: blockFrames)
    }

    /// An iterator over the blocks of the mix.
    public struct Iterator: AsyncIteratorProtocol {
        let feeds: [Feed]
        let format: AudioFormat
        let blockFrames: Int
        private var position: Int64 = 0

        init(feeds: [Feed], format: AudioFormat, blockFrames: Int) {
            (self.feeds, self.format, self.blockFrames) = (feeds, format, blockFrames)
        }

        /// Mixes the next block; `nil` if all sources have ended.
        ///
        /// - Throws: `audioFormatInvalid` for a source of another format, and the sources' errors.
        public mutating func next() async throws -> AudioBlock? {
            var mixed = [Float](repeating: 0, count: blockFrames * format.channelCount)
            var frames = 0
            for feed in feeds {
                frames = Swift.max(frames, try await feed.add(to: &mixed, at: position, format: format))
            }
            guard frames > 0 else { return nil }
            mixed.removeLast(mixed.count - frames * format.channelCount)
            let time = MediaTime(frames: position, sampleRate: format.sampleRate)
            position += Int64(frames)
            return AudioBlock(
                AudioBuffer(mixed, sampleRate: format.sampleRate, channelCount: format.channelCount),
                at: time
            )
        }
    }
}
