public import EarshotCore

/// Computes a signature from audio, buffer by buffer.
///
/// ```swift
/// var generator = SignatureGenerator()
/// for try await block in source { try generator.append(block.buffer, at: block.time) }
/// let signature = generator.signature()
/// ```
///
/// Buffers may have 1 to 8 channels, which are averaged, and any sample rate from 8,000 to 192,000 Hz. The result
/// depends on the samples only, not on how they are divided into buffers. Returning the signature does not end the
/// generator; later buffers extend the next signature. A generator is a value: a copy continues independently.
public struct SignatureGenerator: Sendable {
    /// The treatment of gaps in the audio.
    public enum GapPolicy: Hashable, Sendable {
        /// Throws `audioDiscontinuity` for the buffer after a gap.
        case refuse
        /// Fills gaps of at most ten minutes with silence, and throws `audioDiscontinuity` after longer ones.
        case fillWithSilence
    }

    /// The part of the spectrogram that is kept with the landmarks.
    public enum SpectrogramExtent: Hashable, Sendable {
        /// Keeps the last minute: enough for a query.
        case lastMinute
        /// Keeps the whole spectrogram, 15 MB an hour: to find quiet music in a long recording (`Catalog.plays`).
        case all
    }

    /// The supported sample rates, in hertz.
    public static let sampleRates = 8_000...192_000
    /// The supported numbers of channels.
    public static let channelCounts = 1...8
    /// The largest deviation between a buffer's time and the end of the previous buffer that is not a gap: 10 ms.
    public static let timeTolerance = MediaTime(value: 10, timescale: 1000)
    /// The longest gap that is filled with silence: 10 minutes.
    public static let longestFilledGap = MediaTime(value: 600, timescale: 1)

    /// The configuration of the analysis.
    public let configuration: SignatureConfiguration
    /// The treatment of gaps in the audio.
    public let gapPolicy: GapPolicy
    /// The duration of the audio so far, including filled gaps.
    public private(set) var duration: MediaTime = .zero

    private var input = AnalysisInput()
    private var spectrogram = Spectrogram(sampleRate: SignatureConfiguration.sampleRate)
    private var picker = PeakPicker()
    private var ranker = LandmarkRanker(maximumRank: SignatureConfiguration.maximumRank)
    private var landmarks: [Landmark] = []
    private var levels: QueryLevels
    private var bitMaker = DenseBitMaker()
    /// The expected time of the next buffer, once a buffer had a time.
    private var expectedTime: MediaTime?

    /// Creates a generator without audio.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the analysis.
    ///   - gaps: The treatment of gaps between buffers. Default: an error.
    ///   - extent: The part of the spectrogram to keep. Default: the last minute.
    public init(
        configuration: SignatureConfiguration = .standard,
        gaps: GapPolicy = .refuse,
        spectrogram extent: SpectrogramExtent = .lastMinute
    ) {
        self.configuration = configuration
        gapPolicy = gaps
        levels = QueryLevels(keepsAll: extent == .all)
    }

    /// Appends a buffer of audio.
    ///
    /// A time, if given, is compared with the end of the previous timed buffer and the audio since. A deviation of up
    /// to 10 ms is ignored.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - time: The time of its first frame, on a timeline of the caller's choice; `nil` if it follows the previous
    ///     buffer.
    /// - Throws: `audioFormatInvalid` for a sample rate or channel count outside the limits; `audioDiscontinuity`, with
    ///   the deviation, for a gap that is not filled or a step back. The generator is unchanged then.
    public mutating func append(_ buffer: AudioBuffer, at time: MediaTime? = nil) throws(EarshotError) {
        try Self.check(buffer)
        if let time {
            try settleTime(time, format: buffer.format)
            expectedTime = time + buffer.duration
        } else if let expected = expectedTime {
            expectedTime = expected + buffer.duration
        }
        take(buffer)
    }

    /// Returns the signature of all audio so far; an empty one for silence, or less than 128 ms of audio.
    public func signature() -> Signature {
        let (signature, levels) = ended()
        return signature.with(levels.isWhole ? levels : nil)
    }

    /// The signature of everything so far, and the levels of its last minute.
    private func ended() -> (Signature, QueryLevels) {
        // The end is worked out on a copy without the landmarks so far: those of ten hours are not copied twice.
        var end = self
        end.landmarks = []
        end.finish()
        let signature = Signature(
            configuration: configuration,
            duration: duration,
            landmarks: Self.inOrder(landmarks + end.landmarks),
            bits: end.bitMaker.finish()
        )
        return (signature, end.levels)
    }

    /// Returns the signature of the last part of the audio, with its offset from the beginning of the audio.
    ///
    /// - Parameter duration: The longest duration of the part.
    package func signature(last duration: MediaTime) -> Signature.Slice {
        let (signature, levels) = ended()
        return signature.with(levels).slice(from: self.duration - duration, duration: duration)
    }

    /// Discards the landmarks before a time, so that memory does not grow while a stream runs. Later signatures have no
    /// bits.
    package mutating func forget(before time: MediaTime) {
        let step = UInt32(clamping: time.converted(toTimescale: Int32(Landmark.stepsPerSecond)).value)
        // Landmarks of neighbouring frames may be out of order; a forgotten one too few does no harm.
        let count = landmarks.partitioningIndex { $0.time >= step }
        landmarks.removeFirst(count)
        bitMaker.stop()
        levels.forget(before: Int(step) / Landmark.stepsPerFrame)
    }

    /// Sorts landmarks that are out of order by a few places only, since each was refined by up to half a frame.
    private static func inOrder(_ landmarks: [Landmark]) -> [Landmark] {
        var sorted = landmarks
        sorted.withUnsafeMutableBufferPointer { sorted in
            for index in sorted.indices.dropFirst() {
                let landmark = sorted[index]
                var place = index
                while place > 0, landmark < sorted[place - 1] {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = landmark
            }
        }
        return sorted
    }

    /// Reads a source to its end and returns its signature.
    ///
    /// - Parameters:
    ///   - source: The audio.
    ///   - gaps: The treatment of gaps in the source. Default: silence.
    ///   - extent: The part of the spectrogram to keep.
    /// - Throws: The source's errors, and the errors of ``append(_:at:)``.
    public static func signature(
        from source: some AudioSource,
        gaps: GapPolicy = .fillWithSilence,
        spectrogram extent: SpectrogramExtent = .lastMinute
    ) async throws -> Signature {
        var generator = SignatureGenerator(gaps: gaps, spectrogram: extent)
        for try await block in source { try generator.append(block.buffer, at: block.time) }
        return generator.signature()
    }

    // MARK: - Times

    private mutating func settleTime(_ time: MediaTime, format: AudioFormat) throws(EarshotError) {
        guard time.isNumeric else {
            throw EarshotError(
                .audioDiscontinuity,
                "A buffer has the time \(time), which is not a number: give a time, or none."
            )
        }
        guard let expected = expectedTime else { return }
        let deviation = time - expected
        guard deviation > Self.timeTolerance || deviation < -Self.timeTolerance else { return }
        guard gapPolicy == .fillWithSilence, deviation > .zero, deviation <= Self.longestFilledGap else {
            throw discontinuity(at: time, expected: expected, deviation: deviation)
        }
        let frames = deviation.converted(toTimescale: Int32(format.sampleRate)).value
        AnalysisInput.silence(frames: frames, sampleRate: format.sampleRate) { take($0) }
    }

    private func discontinuity(at time: MediaTime, expected: MediaTime, deviation: MediaTime) -> EarshotError {
        // Times come from outside and may lie any distance apart.
        let milliseconds = Int(min(abs(deviation.seconds) * 1000, 1e15).rounded())
        let what =
            deviation > .zero
            ? "begins \(milliseconds) ms after the audio before it ended"
            : "begins \(milliseconds) ms before the audio before it ended"
        let remedy =
            deviation > .zero && deviation <= Self.longestFilledGap
            ? "have gaps filled with silence, or start a new generator" : "start a new generator"
        return EarshotError(
            .audioDiscontinuity,
            "The buffer at \((time.seconds * 1000).rounded() / 1000) s \(what): \(remedy).",
            position: expected,
            deviation: deviation
        )
    }

    private static func check(_ buffer: AudioBuffer) throws(EarshotError) {
        guard sampleRates.contains(buffer.sampleRate) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio at \(buffer.sampleRate) Hz cannot be analyzed: bring it to 8,000 to 192,000 Hz."
            )
        }
        guard channelCounts.contains(buffer.channelCount) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio with \(buffer.channelCount) channels cannot be analyzed: bring it to 1 to 8 channels."
            )
        }
    }

    // MARK: - Samples

    private mutating func take(_ buffer: AudioBuffer) {
        analyze(input.samples(of: buffer))
        duration += buffer.duration
    }

    private mutating func analyze(_ samples: [Float]) {
        var peaks: [PeakPicker.Peak] = []
        spectrogram.append(samples) {
            levels.append($0)
            bitMaker.append($0)
            picker.append($0, to: &peaks)
        }
        ranker.append(peaks)
        ranker.rank(settledFrames: picker.settledCount, isEnd: false, to: &landmarks)
    }

    private mutating func finish() {
        analyze(input.finish())
        var peaks: [PeakPicker.Peak] = []
        spectrogram.finish {
            levels.append($0)
            bitMaker.append($0)
            picker.append($0, to: &peaks)
        }
        picker.finish(to: &peaks)
        ranker.append(peaks)
        ranker.rank(settledFrames: picker.settledCount, isEnd: true, to: &landmarks)
    }
}
