import EarshotCore
import Foundation

/// Measures, block by block, how far a recording is from where a line says that it is.
struct DelayMeter: Sendable {
    /// The measurement of one block.
    struct Measurement: Hashable, Sendable {
        /// The middle of the block, in seconds of the recording.
        let time: Double
        /// Seconds that the line is to be moved by there.
        let correction: Double
        let peak: PhaseCorrelation.Peak
    }

    /// Below this clarity a block says nothing.
    static let leastClarity = 5.0

    let sampleRate: Int
    private let maximumDelay: Int
    private var correlation: PhaseCorrelation

    /// - Parameters:
    ///   - sampleRate: Frames a second, of recording and reference.
    ///   - blockSize: Samples of a block, a power of two.
    ///   - search: The largest error of the line, in seconds.
    init(sampleRate: Int, blockSize: Int, search: Double) {
        self.sampleRate = sampleRate
        correlation = PhaseCorrelation(blockSize: blockSize)
        maximumDelay = Int((search * Double(sampleRate)).rounded(.up))
    }

    var blockSize: Int { correlation.blockSize }
    /// Seconds of a block.
    var blockDuration: Double { Double(blockSize) / Double(sampleRate) }

    /// Measures the blocks that begin at the given frames.
    ///
    /// - Parameters:
    ///   - starts: The first frames of blocks, ascending.
    ///   - recording: The recording.
    ///   - reference: The audio to compare it with.
    ///   - line: The expected line.
    ///   - progress: Called after each block.
    /// - Returns: The number of blocks that had any sound, and the measurements of those with a clear peak.
    mutating func measure(
        at starts: [Int],
        of recording: inout some ReferenceAudio,
        in reference: inout some ReferenceAudio,
        on line: ReferenceAlignment,
        progress: () -> Void = {}
    ) async throws -> (audible: Int, clear: [Measurement]) {
        let rate = Double(sampleRate)
        let interpolator = SincInterpolator(step: line.speed)
        var audible = 0
        var clear: [Measurement] = []
        for start in starts {
            defer { progress() }
            try Task.checkCancellation()
            let block = try await recording.samples(start..<start + blockSize, sampleRate: sampleRate)
            let position = line.place(Double(start) / rate) * rate
            let first = Int(position.rounded(.down)) - SincInterpolator.reach
            let count = Int((Double(blockSize) * line.speed).rounded(.up)) + 2 * SincInterpolator.reach + 2
            let stretch = try await reference.samples(first..<first + count, sampleRate: sampleRate)
            let expected = interpolator.samples(of: stretch, from: position - Double(first), count: blockSize)
            guard let peak = correlation.peak(of: block, against: expected, maximumDelay: maximumDelay) else {
                continue
            }
            audible += 1
            guard peak.clarity >= Self.leastClarity else { continue }
            clear.append(
                Measurement(
                    time: (Double(start) + Double(blockSize) / 2) / rate,
                    correction: -line.speed * peak.delay / rate,
                    peak: peak
                )
            )
        }
        return (audible, clear)
    }

    /// The first frames of blocks that are spread evenly over a stretch.
    func starts(in frames: Range<Int>, limit: Int, overlap: Double) -> [Int] {
        let room = frames.count - blockSize
        guard room >= 0 else { return [] }
        let most = Int(Double(room) / (Double(blockSize) * (1 - overlap))) + 1
        let count = min(limit, most)
        guard count > 1 else { return [frames.lowerBound + room / 2] }
        return (0..<count).map { frames.lowerBound + room * $0 / (count - 1) }
    }
}

extension [DelayMeter.Measurement] {
    /// The measurements of the polarity that most of them have: where a narrow line makes the correlation swing, single
    /// blocks take the wrong swing.
    var ofOnePolarity: (isInverted: Bool, measurements: [DelayMeter.Measurement]) {
        let inverted = filter(\.peak.isInverted)
        let isInverted = 2 * inverted.count > count
        return (isInverted, isInverted ? inverted : filter { !$0.peak.isInverted })
    }

    var points: [FittedLine.Point] { map { FittedLine.Point(time: $0.time, value: $0.correction) } }
}
