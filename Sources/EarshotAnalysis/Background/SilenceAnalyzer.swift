public import EarshotCore

/// Measures silence at the beginning and the end of a file, and counts samples clipped at full scale.
public struct SilenceAnalyzer: AudioAnalyzer {
    /// `silence`.
    public let name = "silence"
    /// The version of its results.
    public let version = 1

    /// The stored result.
    public struct Result: Hashable, Sendable, Codable {
        /// Seconds of silence at the beginning; the whole duration for silent audio.
        public var leading: Double
        /// Seconds of silence at the end.
        public var trailing: Double
        /// The number of runs of three or more successive samples at full scale in one channel.
        public var clippedRuns: Int
        /// The number of clipped samples.
        public var clippedSamples: Int
    }

    /// The amplitude below which sound is silence: -60 dB of full scale.
    static let threshold: Float = 0.001

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    public func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis(format)
    }

    private struct Analysis: AudioAnalysis {
        private let format: AudioFormat
        private var frames: Int64 = 0
        private var first: Int64?
        private var last: Int64 = -1
        private var runs: [Int]
        private var clipped = (runs: 0, samples: 0)

        init(_ format: AudioFormat) {
            self.format = format
            runs = [Int](repeating: 0, count: format.channelCount)
        }

        mutating func append(_ block: AudioBlock) {
            let channels = block.buffer.channelCount
            guard channels == format.channelCount else { return }
            switch block.buffer.samples {
            case .int16(let samples): look(samples, channels) { Float($0) / 32_767 }
            case .float32(let samples): look(samples, channels) { $0 }
            }
            frames += Int64(block.buffer.frameCount)
        }

        private mutating func look<Sample>(_ samples: [Sample], _ channels: Int, _ value: (Sample) -> Float) {
            for (index, sample) in samples.enumerated() {
                let level = abs(value(sample))
                if level > SilenceAnalyzer.threshold {
                    let frame = frames + Int64(index / channels)
                    if first == nil { first = frame }
                    last = frame
                }
                let channel = index % channels
                if level >= 0.9999 {
                    runs[channel] += 1
                } else if runs[channel] > 0 {
                    close(channel)
                }
            }
        }

        private mutating func close(_ channel: Int) {
            if runs[channel] >= 3 {
                clipped.runs += 1
                clipped.samples += runs[channel]
            }
            runs[channel] = 0
        }

        mutating func finish() throws(EarshotError) -> [UInt8] {
            for channel in runs.indices { close(channel) }
            let rate = Double(format.sampleRate)
            return try AnalysisJSON.bytes(
                Result(
                    leading: Double(first ?? frames) / rate,
                    trailing: first == nil ? 0 : Double(frames - 1 - last) / rate,
                    clippedRuns: clipped.runs,
                    clippedSamples: clipped.samples
                )
            )
        }
    }
}
